import CgRPCShim
import SpeechlySync

/// Carries a channel's states into an async stream.
final class StateWatch: Sendable {
    // Sendable: the C object has a lock of its own; it outlives each use here (see `report`).
    private nonisolated(unsafe) let handle: OpaquePointer
    private let continuation: AsyncStream<ConnectivityState>.Continuation
    private let isTerminated = Locked(false)

    private init(handle: OpaquePointer, continuation: AsyncStream<ConnectivityState>.Continuation) {
        self.handle = handle
        self.continuation = continuation
    }

    /// The caller keeps the channel alive until this returns.
    static func start(
        handle: OpaquePointer, resolver: TargetResolver?,
        continuation: AsyncStream<ConnectivityState>.Continuation
    ) {
        let watch = StateWatch(handle: handle, continuation: continuation)
        continuation.onTermination = { [isTerminated = watch.isTerminated] _ in isTerminated.withLock { $0 = true } }
        if let resolver {
            watch.follow(resolver, after: nil)
        } else {
            watch.report(ConnectivityState(shim: spg_channel_state(handle, false)), after: nil)
        }
    }

    private func follow(_ resolver: TargetResolver, after last: ConnectivityState?) {
        let changed = Locked(false)
        let next = Next(watch: self, last: resolver.connectivityState)
        // Registered before the state is read again, so that no change is missed.
        resolver.onChange { [weak resolver] in
            guard
                !changed.withLock({ changed in
                    defer { changed = true }; return changed
                }), let resolver
            else { return }
            next.watch.follow(resolver, after: next.last)
        }
        guard let state = resolver.connectivityState else {
            changed.withLock { $0 = true }
            return report(ConnectivityState(shim: spg_channel_state(handle, false)), after: last)
        }
        if state != last { continuation.yield(state) }
        if state == .shutdown { continuation.finish() }
    }

    private func report(_ state: ConnectivityState, after last: ConnectivityState?) {
        if state != last { continuation.yield(state) }
        if state == .shutdown { return continuation.finish() }
        if isTerminated.withLock({ $0 }) { return }
        let next = Next(watch: self, last: state)
        // The limit of time finds out streams that nobody reads any more. During the callback the
        // channel is held by the watch that ended.
        spg_channel_watch(handle, state.shim, 10_000, Unmanaged.passRetained(next).toOpaque()) { context, state in
            guard let context else { return }
            let next = Unmanaged<Next>.fromOpaque(context).takeRetainedValue()
            next.watch.report(ConnectivityState(shim: state), after: next.last)
        }
    }

    private final class Next: Sendable {
        let watch: StateWatch
        let last: ConnectivityState?

        init(watch: StateWatch, last: ConnectivityState?) {
            self.watch = watch
            self.last = last
        }
    }
}
