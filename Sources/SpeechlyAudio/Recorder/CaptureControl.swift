import SpeechlySync

/// What is asked of a recorder, and whether a capture thread is there to do it.
final class CaptureControl: Sendable {
    /// What a recorder is told.
    enum Command: Hashable, Sendable {
        case start
        /// Open the device for the recordings to come.
        case warm
        case stop
        case suspend
        /// The recorder is gone.
        case quit
    }

    private enum Phase {
        case idle
        case opening
        case running
        case closing
        /// The device is gone, and the thread waits for it.
        case waiting
    }

    private struct State {
        var phase = Phase.idle
        /// Has room for more than will come, so that taking one frees nothing.
        var commands: [Command] = {
            var commands: [Command] = []
            commands.reserveCapacity(64)
            return commands
        }()

        mutating func reset() {
            phase = .idle
            commands.removeAll(keepingCapacity: true)
        }
    }

    let wake: WakeDescriptor
    private let state = Locked(State())

    init() throws(SystemError) { wake = try WakeDescriptor() }

    // MARK: Any thread

    /// Whether no device is open and none is being opened.
    var isIdle: Bool { state.withLock { $0.phase == .idle } }

    /// Asks for a recording, or with `warm` for an open device. Returns `true` when the caller has to open the device
    /// and start the thread; otherwise the thread that is there does what is needed.
    func start(_ command: Command = .start) -> Bool {
        let isFirst = state.withLock { state in
            state.commands.append(command)
            guard state.phase == .idle else { return false }
            state.phase = .opening
            return true
        }
        if !isFirst { wake.signal() }
        return isFirst
    }

    /// Passes a command on; without a thread there is nothing to stop.
    func send(_ command: Command) {
        let isSent = state.withLock { state in
            guard state.phase != .idle else { return false }
            if state.commands.last != command { state.commands.append(command) }
            return true
        }
        if isSent { wake.signal() }
    }

    /// The device could not be opened. Returns whether someone else asked for a recording meanwhile, who has been
    /// told that it is under way.
    func openingFailed() -> Bool {
        state.withLock { state in
            let starts = state.commands.filter { $0 == .start }.count
            state.reset()
            return starts > 1
        }
    }

    // MARK: Capture thread

    /// The device is open.
    func opened() {
        state.withLock { $0.phase = .running }
    }

    /// The oldest command that has not been taken. `nil` also when another thread is giving one at this moment: it
    /// wakes the capture thread behind that.
    func nextCommand() -> Command? {
        let taken = state.tryWithLock { state -> Command? in
            state.commands.isEmpty ? nil : state.commands.removeFirst()
        }
        return taken ?? nil
    }

    /// Whether the device may be closed: unless `force` is set, not if there are commands.
    func beginClosing(force: Bool = false) -> Bool {
        state.withLock { state in
            guard force || state.commands.isEmpty else { return false }
            state.phase = .closing
            return true
        }
    }

    /// The device is closed. Returns whether it has to be opened again, because a recording was asked for meanwhile.
    func closed() -> Bool {
        state.withLock { state in
            let next = state.commands.firstIndex { $0 == .start || $0 == .warm }
            guard !state.commands.contains(.quit), let next else {
                state.reset()
                return false
            }
            state.commands.removeFirst(next)
            state.phase = .opening
            return true
        }
    }

    /// The device is closed because it is gone. Returns whether to wait for it: nobody wants to stop.
    func beginWaiting() -> Bool {
        state.withLock { state in
            guard state.commands.isEmpty else { return false }
            state.phase = .waiting
            return true
        }
    }
}
