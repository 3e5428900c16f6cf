/// Gives events to any number of readers, none of which can hold up the others or the sender.
package final class EventHub<Element: Sendable>: Sendable {
    private struct State {
        var subscriptions: [WeakSubscription<Element>] = []
        var isFinished = false
    }

    private let state = Locked(State())
    private let limit: Int
    private let gap: (@Sendable (Int) -> Element)?

    /// Creates a hub.
    ///
    /// - Parameters:
    ///   - limit: how many elements wait for a reader at most.
    ///   - gap: makes the element that stands for so many missing ones; `nil` for none.
    package init(limit: Int = 256, gap: (@Sendable (Int) -> Element)? = nil) {
        self.limit = limit
        self.gap = gap
    }

    /// A new subscription as a sequence: what is published from now on.
    package func subscribe() -> AsyncStream<Element> {
        let subscription = Subscription(limit: limit, gap: gap)
        let isFinished = state.withLock { state in
            state.subscriptions.removeAll { $0.subscription == nil }
            state.subscriptions.append(WeakSubscription(subscription: subscription))
            return state.isFinished
        }
        if isFinished { subscription.finish() }
        return AsyncStream { await subscription.next() }
    }

    package func publish(_ element: Element) {
        let subscriptions = state.withLock { $0.subscriptions }
        for weak in subscriptions { weak.subscription?.push(element) }
    }

    package func finish() {
        let subscriptions = state.withLock { state in
            state.isFinished = true
            return state.subscriptions
        }
        for weak in subscriptions { weak.subscription?.finish() }
    }
}

private struct WeakSubscription<Element: Sendable>: Sendable {
    weak let subscription: Subscription<Element>?
}

/// A bounded queue with one reader. When it is full the oldest element goes.
private final class Subscription<Element: Sendable>: Sendable {
    private struct State {
        var queue: [Element] = []
        var dropped = 0
        var isFinished = false
        var waiters: [Int: CheckedContinuation<Element?, Never>] = [:]
        var nextWaiter = 0
    }

    private let state = Locked(State())
    private let limit: Int
    private let gap: (@Sendable (Int) -> Element)?

    init(limit: Int, gap: (@Sendable (Int) -> Element)?) {
        self.limit = limit
        self.gap = gap
    }

    func push(_ element: Element) {
        let waiter = state.withLock { state -> CheckedContinuation<Element?, Never>? in
            guard !state.isFinished else { return nil }
            if let id = state.waiters.keys.min() { return state.waiters.removeValue(forKey: id) }
            if state.queue.count == limit {
                state.queue.removeFirst()
                state.dropped += 1
            }
            state.queue.append(element)
            return nil
        }
        waiter?.resume(returning: element)
    }

    func finish() {
        let waiters = state.withLock { state in
            state.isFinished = true
            defer { state.waiters.removeAll() }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume(returning: nil) }
    }

    /// The next element; `nil` at the end, and when the task is cancelled.
    func next() async -> Element? {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state -> Element?? in
                    if state.dropped > 0, let gap {
                        defer { state.dropped = 0 }
                        return gap(state.dropped)
                    }
                    if !state.queue.isEmpty { return state.queue.removeFirst() }
                    if state.isFinished || Task.isCancelled { return .some(nil) }
                    state.waiters[id] = continuation
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: nil)
        }
    }
}
