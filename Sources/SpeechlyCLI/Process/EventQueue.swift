import SpeechlySync

/// Elements on their way from many writers to one reader, in order and without loss. Writers that can wait do so while
/// the reader is behind.
final class EventQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var position = 0
        var isFinished = false
        var reader: CheckedContinuation<Element?, Never>?
        var writers: [CheckedContinuation<Void, Never>] = []

        var count: Int { elements.count - position }
    }

    private let state = Locked(State())
    /// With so many elements waiting the reader is behind.
    private let limit: Int

    init(limit: Int = 64) { self.limit = limit }

    /// Adds an element, however many there are. Any thread; waits for nothing.
    func push(_ element: Element) {
        let reader = state.withLock { state -> CheckedContinuation<Element?, Never>? in
            guard !state.isFinished else { return nil }
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            state.elements.append(element)
            return nil
        }
        reader?.resume(returning: element)
    }

    /// Adds an element that may be left out, unless the reader is behind.
    func offer(_ element: Element) {
        if state.withLock({ $0.count < limit }) { push(element) }
    }

    /// Waits until the reader is not behind, or takes no more.
    func waitForRoom() async {
        await withCheckedContinuation { continuation in
            let hasRoom = state.withLock { state in
                if state.isFinished || state.count < limit { return true }
                state.writers.append(continuation)
                return false
            }
            if hasRoom { continuation.resume() }
        }
    }

    /// Takes no more elements. Those that are there can still be read.
    func finish() {
        let (reader, writers) = state.withLock { state in
            state.isFinished = true
            defer {
                state.reader = nil
                state.writers = []
            }
            return (state.reader, state.writers)
        }
        reader?.resume(returning: nil)
        writers.forEach { $0.resume() }
    }

    /// The next element; nil at the end. For one reader at a time.
    func next() async -> Element? {
        await withCheckedContinuation { continuation in
            let (ready, writers) = state.withLock { state -> (Element??, [CheckedContinuation<Void, Never>]) in
                guard state.count > 0 else {
                    if state.isFinished { return (.some(nil), []) }
                    state.reader = continuation
                    return (nil, [])
                }
                let element = state.elements[state.position]
                state.position += 1
                if state.position > 1_000 || state.count == 0 {
                    state.elements.removeSubrange(..<state.position)
                    state.position = 0
                }
                guard state.count < limit else { return (element, []) }
                defer { state.writers = [] }
                return (element, state.writers)
            }
            writers.forEach { $0.resume() }
            if let ready { continuation.resume(returning: ready) }
        }
    }
}
