import CgRPCShim
import SpeechlySync

/// What a server's C object calls back. It outlives the server's last event.
final class ServerCore: Sendable {
    typealias Events = @Sendable (ServerCall) -> (@Sendable (ServerCall.Event) -> Void)

    private struct Stop {
        var isDone = false
        var nextID: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let methods = Locked<[String: Events]>([:])
    private let stop = Locked(Stop())

    func register(_ path: String, _ events: @escaping Events) { methods.withLock { $0[path] = events } }

    var isStopped: Bool { stop.withLock { $0.isDone } }

    func waitUntilStopped(evenIfCancelled: Bool = false) async {
        let id = stop.withLock { stop in
            stop.nextID += 1
            return stop.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = stop.withLock { stop in
                    if !stop.isDone { stop.waiters[id] = continuation }
                    return stop.isDone
                }
                if isDone { return continuation.resume() }
                if !evenIfCancelled && Task.isCancelled { resume(id) }
            }
        } onCancel: {
            if !evenIfCancelled { resume(id) }
        }
    }

    private func resume(_ id: UInt64) { stop.withLock { $0.waiters.removeValue(forKey: id) }?.resume() }

    private func arrived(_ incoming: spg_incoming) {
        let path = String(
            decoding: UnsafeRawBufferPointer(start: incoming.path, count: incoming.path_length), as: UTF8.self)
        let events = methods.withLock { $0[path] }
        let call = ServerCall(incoming: incoming, path: path)
        if let events {
            call.accept(handler: events(call))
        } else {
            call.accept { _ in }
            call.finish(GRPCStatus(code: .unimplemented, message: "unknown method \(path)"))
        }
    }

    private func stopped() {
        let waiters = stop.withLock { stop in
            stop.isDone = true
            defer { stop.waiters.removeAll() }
            return stop.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    static let callbacks = spg_server_callbacks(
        incoming: { context, incoming in
            guard let context, let incoming else { return }
            Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().arrived(incoming.pointee)
        },
        stopped: { context in
            guard let context else { return }
            Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().stopped()
        },
        release: { context in
            guard let context else { return }
            Unmanaged<ServerCore>.fromOpaque(context).release()
        }
    )
}
