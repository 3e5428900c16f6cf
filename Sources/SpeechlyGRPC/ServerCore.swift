import CgRPCShim
import SpeechlySync

/// What a server's C object calls back. It outlives the server's last event.
final class ServerCore: Sendable {
    typealias Events = @Sendable (ServerCall) -> (@Sendable (ServerCall.Event) -> Void)

    private struct Calls {
        var running = 0
        var isDraining = false
    }

    private let methods = Locked<[String: Events]>([:])
    private let calls = Locked(Calls())
    /// All connections are closed.
    let stopped = Latch()
    /// No call is running, and none will.
    let drained = Latch()

    func register(_ path: String, _ events: @escaping Events) { methods.withLock { $0[path] = events } }

    /// Takes no new calls from here on.
    func drain() {
        let isDrained = calls.withLock { calls in
            calls.isDraining = true
            return calls.running == 0
        }
        if isDrained { drained.open() }
    }

    private func enter() -> Bool {
        calls.withLock { calls in
            if calls.isDraining { return false }
            calls.running += 1
            return true
        }
    }

    private func leave() {
        let isDrained = calls.withLock { calls in
            calls.running -= 1
            return calls.isDraining && calls.running == 0
        }
        if isDrained { drained.open() }
    }

    private func arrived(_ incoming: spg_incoming) {
        let path = String(
            decoding: UnsafeRawBufferPointer(start: incoming.path, count: incoming.path_length), as: UTF8.self)
        let call = ServerCall(incoming: incoming, path: path)
        guard enter() else { return refuse(call, .unavailable, "the service is shutting down; try again") }
        guard let events = methods.withLock({ $0[path] }) else {
            leave()
            return refuse(call, .unimplemented, "unknown method \(path)")
        }
        let handler = events(call)
        call.accept { [self] event in
            handler(event)
            if case .ended = event { leave() }
        }
    }

    private func refuse(_ call: ServerCall, _ code: GRPCStatus.Code, _ message: String) {
        call.accept { _ in }
        call.finish(GRPCStatus(code: code, message: message))
    }

    static let callbacks = spg_server_callbacks(
        incoming: { context, incoming in
            guard let context, let incoming else { return }
            Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().arrived(incoming.pointee)
        },
        stopped: { context in
            guard let context else { return }
            Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().stopped.open()
        },
        release: { context in
            guard let context else { return }
            Unmanaged<ServerCore>.fromOpaque(context).release()
        }
    )
}
