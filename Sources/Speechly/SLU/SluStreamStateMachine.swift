/// The rules of one SLU client's stream: what may be sent when, and when an idle stream closes.
///
/// Pure: events in, actions out, the time as an argument. Contexts are told apart by their order, as the n-th
/// `started` of a stream belongs to its n-th start.
struct SluStreamStateMachine: Hashable {
    /// What has to be done, in order.
    enum Action: Hashable {
        /// Send the stop of the context.
        case sendStop
        /// Send the half-close: nothing more comes from this side.
        case closeSend
        /// End the call at once.
        case cancel
        /// Call `timerFired` at this time.
        case schedule(at: Duration)
    }

    private enum Phase: Hashable {
        case idle
        case connecting
        case open
        case closing
    }

    private var phase = Phase.idle
    private var startCount = 0
    private var acknowledgedCount = 0
    /// The number of the start whose context is open for audio.
    private var listening: Int?
    /// The numbers of the starts of contexts that have started and not finished.
    private var contexts: [String: Int] = [:]
    private var idleDeadline: Duration?
    private var isTimerPending = false
    private let idleTimeout: Duration

    init(idleTimeout: Duration) {
        self.idleTimeout = idleTimeout.within()
    }

    /// Whether no stream exists or is being made.
    var isIdle: Bool { phase == .idle }

    /// Whether the stream takes messages.
    var isOpen: Bool { phase == .open }

    /// Whether a stream is being made.
    var isConnecting: Bool { phase == .connecting }

    /// Whether this side has asked for the end of the stream.
    var isClosing: Bool { phase == .closing }

    /// Whether a context is open for audio.
    var isListening: Bool { listening != nil }

    /// A stream is going to be made.
    mutating func connect() {
        reset()
        phase = .connecting
    }

    /// The stream could not be made.
    mutating func connectFailed() {
        guard phase == .connecting else { return }
        reset()
    }

    /// The stream takes messages.
    mutating func connected(now: Duration) -> [Action] {
        guard phase == .connecting else { return [] }
        phase = .open
        return waitForIdle(now)
    }

    /// Somebody wants the open stream: it stays open for another idle time.
    mutating func touched(now: Duration) {
        if idleDeadline != nil { idleDeadline = now + idleTimeout }
    }

    /// Whether audio may be sent.
    func checkAudio() throws(InvalidSLUState) {
        guard phase == .open else { throw .notConnected }
        guard listening != nil else { throw .contextNotStarted }
    }

    /// Whether a start may be sent.
    func checkStart() throws(InvalidSLUState) {
        guard phase == .open else { throw .notConnected }
        guard listening == nil else { throw .contextAlreadyStarted }
    }

    /// A start has been sent.
    mutating func startSent() {
        startCount += 1
        listening = startCount
        idleDeadline = nil
    }

    /// A stop has been sent.
    mutating func stopSent(now: Duration) -> [Action] {
        listening = nil
        return waitForIdle(now)
    }

    /// The service has started a context.
    ///
    /// - Returns: whether it belongs to a start. One that does not is the service's mistake.
    mutating func started(contextId: String) -> Bool {
        guard acknowledgedCount < startCount else { return false }
        acknowledgedCount += 1
        contexts[contextId] = acknowledgedCount
        return true
    }

    /// The service has finished a context, possibly before it was stopped.
    mutating func finished(contextId: String, now: Duration) -> [Action] {
        guard let number = contexts.removeValue(forKey: contextId) else { return [] }
        if listening == number { listening = nil }
        return phase == .open && listening == nil ? waitForIdle(now) : []
    }

    /// The stream is to end after the results of what was sent.
    mutating func disconnect() -> [Action] {
        guard phase == .open else { return [] }
        phase = .closing
        idleDeadline = nil
        defer { listening = nil }
        return listening == nil ? [.closeSend] : [.sendStop, .closeSend]
    }

    /// The stream is to end at once.
    mutating func abort() -> [Action] {
        guard phase == .open || phase == .closing else { return [] }
        phase = .closing
        idleDeadline = nil
        listening = nil
        return [.cancel]
    }

    /// The stream has ended.
    mutating func ended() {
        reset()
    }

    /// A time that was asked for has come.
    mutating func timerFired(now: Duration) -> [Action] {
        isTimerPending = false
        guard phase == .open, let deadline = idleDeadline else { return [] }
        guard now >= deadline else { return schedule(deadline) }
        return disconnect()
    }

    private mutating func waitForIdle(_ now: Duration) -> [Action] {
        let deadline = now + idleTimeout
        idleDeadline = deadline
        return schedule(deadline)
    }

    private mutating func schedule(_ deadline: Duration) -> [Action] {
        // One timer at a time: when it fires early, it is set again for what is left.
        guard !isTimerPending else { return [] }
        isTimerPending = true
        return [.schedule(at: deadline)]
    }

    private mutating func reset() {
        let pending = isTimerPending
        self = SluStreamStateMachine(idleTimeout: idleTimeout)
        isTimerPending = pending
    }
}
