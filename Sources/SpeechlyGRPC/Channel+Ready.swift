import CgRPCShim
import Dispatch
import SpeechlySync

extension Channel {
    /// Connects, and returns when there is a connection.
    ///
    /// - Parameter timeout: How long to try; ``Configuration/connectTimeout`` if `nil`.
    /// - Throws: ``GRPCStatus`` with ``GRPCStatus/Code/unavailable`` and the address and the cause in its
    ///   message, after the first attempt that failed; `CancellationError`.
    public func waitUntilReady(timeout: Duration? = nil) async throws {
        let timeout = (timeout ?? configuration.connectTimeout).within()
        let deadline = ContinuousClock.now + timeout
        while true {
            try Task.checkCancellation()
            let state = connectivityState(tryToConnect: true)
            switch state {
            case .ready: return
            case .shutdown: throw error(.unavailable, "the channel is closed")
            case .transientFailure:
                if let failure = await connectFailure() { throw failure }
            case .idle, .connecting:
                let left = deadline - .now
                guard left > .zero else {
                    throw GRPCStatus(code: .unavailable, message: await silence(of: timeout))
                }
                await change(from: state, within: left)
            }
        }
    }

    /// Why there is no connection. A call on a failed channel ends at once with the cause, which
    /// libgrpc tells in no other way. `nil` if there is a connection after all.
    private func connectFailure() async -> GRPCStatus? {
        do {
            _ = try await unary(path: "/grpc.Connection/Probe", request: [], options: CallOptions(timeout: .seconds(5)))
            return nil
        } catch let status as GRPCStatus {
            return status.code == .unavailable || status.code == .deadlineExceeded ? status : nil
        } catch {
            return GRPCStatus(code: .unavailable, message: "cannot connect to \(address)")
        }
    }

    private func change(from state: ConnectivityState, within limit: Duration) async {
        let once = Once()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                once.set(continuation)
                if let resolver, resolver.connectivityState != nil {
                    resolver.onChange { once.resume() }
                    let seconds = Double(limit.positiveMilliseconds) / 1_000
                    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { once.resume() }
                    if resolver.connectivityState != state { once.resume() }
                } else {
                    let context = Unmanaged.passRetained(once).toOpaque()
                    spg_channel_watch(handle, state.shim, Int64(limit.positiveMilliseconds), context) { context, _ in
                        guard let context else { return }
                        Unmanaged<Once>.fromOpaque(context).takeRetainedValue().resume()
                    }
                }
                if Task.isCancelled { once.resume() }
            }
        } onCancel: {
            once.resume()
        }
    }
}

/// A continuation that several may try to resume.
private final class Once: Sendable {
    private let continuation = Locked<CheckedContinuation<Void, Never>?>(nil)

    func set(_ new: CheckedContinuation<Void, Never>) { continuation.withLock { $0 = new } }

    func resume() {
        continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }?.resume()
    }
}
