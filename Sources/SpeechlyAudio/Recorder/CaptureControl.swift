import SpeechlySync

/// What is asked of a recorder, and whether a capture thread is there to do it.
final class CaptureControl: Sendable {
    /// What a recorder is told.
    enum Command: Hashable, Sendable {
        case start
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
    }

    private struct State {
        var phase = Phase.idle
        var commands: [Command] = []
    }

    let wake: WakeDescriptor
    private let state = Locked(State())

    init() throws(SystemError) { wake = try WakeDescriptor() }

    // MARK: Any thread

    /// Whether no device is open and none is being opened.
    var isIdle: Bool { state.withLock { $0.phase == .idle } }

    /// Asks for a recording. Returns `true` when the caller has to open the device and start the thread; otherwise
    /// the thread that is there does what is needed.
    func start() -> Bool {
        let isFirst = state.withLock { state in
            state.commands.append(.start)
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
            state = State()
            return starts > 1
        }
    }

    // MARK: Capture thread

    /// The device is open.
    func opened() {
        state.withLock { $0.phase = .running }
    }

    /// The commands that came since the last call, oldest first.
    func takeCommands() -> [Command] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
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
            guard !state.commands.contains(.quit), let start = state.commands.firstIndex(of: .start) else {
                state = State()
                return false
            }
            state.commands.removeFirst(start)
            state.phase = .opening
            return true
        }
    }
}
