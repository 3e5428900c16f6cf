import Foundation

/// A fixed number of threads that run jobs in the order in which they come.
///
/// Recognition blocks a thread for its work, so it may run neither on the transport's thread nor on
/// those of Swift's tasks. The threads end with this object, after the jobs that are running.
final class WorkerThreads: Sendable {
    private let queue = JobQueue()

    /// Starts the threads.
    init(count: Int) {
        for number in 1...min(max(1, count), 256) {
            let thread = Thread { [queue] in
                while let job = queue.next() { job() }
            }
            thread.name = "speechly-decode-\(number)"
            thread.start()
        }
    }

    deinit { queue.stop() }

    /// Runs a job as soon as a thread is free. Never blocks.
    func run(_ job: @escaping @Sendable () -> Void) { queue.append(job) }
}

/// Sendable: the state is touched only while `condition` is locked.
private final class JobQueue: @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [@Sendable () -> Void] = []
    private var head = 0
    private var isStopped = false

    func append(_ job: @escaping @Sendable () -> Void) {
        condition.lock()
        defer { condition.unlock() }
        jobs.append(job)
        condition.signal()
    }

    /// The next job; waits for one; `nil` when the threads are to end.
    func next() -> (@Sendable () -> Void)? {
        condition.lock()
        defer { condition.unlock() }
        while head == jobs.count, !isStopped { condition.wait() }
        guard !isStopped else { return nil }
        let job = jobs[head]
        head += 1
        if head == jobs.count {
            jobs.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 1024 {
            jobs.removeFirst(head)
            head = 0
        }
        return job
    }

    func stop() {
        condition.lock()
        defer { condition.unlock() }
        isStopped = true
        jobs.removeAll()
        head = 0
        condition.broadcast()
    }
}
