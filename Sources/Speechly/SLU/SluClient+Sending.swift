import Foundation
import SpeechlyGRPC
import SpeechlyProto
import SpeechlySync

extension SluClient {
    /// Sends audio of the context at once, or not at all. Never waits and never suspends.
    ///
    /// - Parameter audio: signed 16-bit little-endian samples, as the configuration says. They are copied once.
    /// - Returns: ``SendResult/full`` when the peer takes no more now: nothing is sent, try again later or use
    ///   ``write(data:)``; ``SendResult/closed`` when the stream has just ended.
    /// - Throws: `InvalidSLUState.notConnected`, or `.contextNotStarted`.
    public func send(audio: UnsafeRawBufferPointer) throws(InvalidSLUState) -> SendResult {
        try state.withLock { state throws(InvalidSLUState) in try Self.send(audio, &state) }
    }

    /// The same for `Data`.
    public func send(audio: Data) throws(InvalidSLUState) -> SendResult {
        try state.withLock { state throws(InvalidSLUState) in try Self.send(audio, &state) }
    }

    @inline(__always)
    private static func send(
        _ audio: UnsafeRawBufferPointer, _ state: inout State
    ) throws(InvalidSLUState) -> SendResult {
        try state.machine.checkAudio()
        guard let call = state.call else { throw .notConnected }
        return state.writer.encode({ SLURequest.encodeAudio(audio, into: &$0) }, { call.send($0) })
    }

    private static func send(_ audio: Data, _ state: inout State) throws(InvalidSLUState) -> SendResult {
        try state.machine.checkAudio()
        guard let call = state.call else { throw .notConnected }
        let writer = state.writer
        return audio.withUnsafeBytes { bytes in
            writer.encode({ SLURequest.encodeAudio(bytes, into: &$0) }, { call.send($0) })
        }
    }

    /// Sends audio of the context, waiting while the peer takes no more.
    ///
    /// - Parameter data: signed 16-bit little-endian samples, as the configuration says.
    /// - Throws: `InvalidSLUState`, the `GRPCStatus` the stream ended with, or `CancellationError`.
    public func write(data: Data) async throws {
        try await write(data: data, streamId: nil)
    }

    /// - Parameter streamId: the stream that is meant; `nil` for the one that is open.
    package func write(data: Data, streamId: Int?) async throws {
        try await whenRoom(of: streamId) { state throws(InvalidSLUState) in try Self.send(data, &state) }
    }

    /// Sends audio at once on the stream that is meant. Returns `false`, and sends nothing, when that cannot be done.
    package func sendAtOnce(_ audio: Data, streamId: Int) -> Bool {
        state.withLock { state in
            guard streamId == state.streamId else { return false }
            return (try? Self.send(audio, &state)) == .sent
        }
    }

    /// Starts a context with default options.
    ///
    /// - Parameter appId: the app; `nil` for the app of the token.
    /// - Throws: `InvalidSLUState`, or the `GRPCStatus` the stream ended with.
    public func startContext(appId: String? = nil) async throws {
        try await startContext(appId: appId, options: ContextOptions())
    }

    /// Starts a context. The time zone is sent also when the options name none: the system's.
    ///
    /// - Parameters:
    ///   - appId: the app; `nil` for the app of the token.
    ///   - options: what the service should know for this context.
    /// - Throws: `InvalidSLUState`, or the `GRPCStatus` the stream ended with.
    public func startContext(appId: String?, options: ContextOptions) async throws {
        try await startContext(appId: appId, options: options, streamId: nil)
    }

    /// - Parameter streamId: the stream that is meant; `nil` for the one that is open.
    package func startContext(appId: String?, options: ContextOptions, streamId: Int?) async throws {
        let values = options.values(systemTimezone: TimeZone.current.identifier)
        let start = SLUStart(appId: appId ?? "", options: values.map { SLUStart.Option(key: $0.key, value: $0.values) })
        try await whenRoom(of: streamId) { state throws(InvalidSLUState) in
            try state.machine.checkStart()
            let result = Self.send(.start(start), &state)
            if result == .sent { state.machine.startSent() }
            return result
        }
    }

    /// Stops the context. Its last results follow.
    ///
    /// - Throws: `InvalidSLUState`, or the `GRPCStatus` the stream ended with.
    public func stopContext() async throws {
        try await stopContext(streamId: nil)
    }

    /// - Parameter streamId: the stream that is meant; `nil` for the one that is open.
    package func stopContext(streamId: Int?) async throws {
        var actions: [SluStreamStateMachine.Action] = []
        try await whenRoom(of: streamId) { state throws(InvalidSLUState) in
            try state.machine.checkAudio()
            let result = Self.send(.stop(SLUStop()), &state)
            if result == .sent { actions = state.machine.stopSent(now: clock.now) }
            return result
        }
        perform(actions)
    }

    static func send(_ request: SLURequest.StreamingRequest, urgent: Bool = false, _ state: inout State) -> SendResult {
        guard let call = state.call else { return .closed }
        return state.writer.encode(
            { SLURequest(streamingRequest: request).encode(into: &$0) }, { call.send($0, urgent: urgent) })
    }

    /// Runs `attempt` under the lock until it has sent, waiting for room in between.
    private func whenRoom(
        of streamId: Int?, _ attempt: (inout State) throws(InvalidSLUState) -> SendResult
    ) async throws {
        var first: Int?
        while true {
            let (outcome, generation, writableCount) = state.withLock { state in
                let outcome: Result<SendResult, any Error>
                do {
                    // What waited while one stream gave way to another was not meant for the new one.
                    let isMeant = streamId == nil || streamId == state.streamId
                    guard isMeant, first ?? state.generation == state.generation else {
                        throw InvalidSLUState.notConnected
                    }
                    first = state.generation
                    outcome = .success(try attempt(&state))
                } catch InvalidSLUState.notConnected {
                    outcome = .failure(state.endStatus ?? InvalidSLUState.notConnected)
                } catch {
                    outcome = .failure(error)
                }
                return (outcome, state.generation, state.writableCount)
            }
            switch try outcome.get() {
            case .sent: return
            case .full:
                await wait(in: \.roomWaiters) {
                    $0.call != nil && $0.generation == generation && $0.writableCount == writableCount
                }
            case .closed:
                // The transport knows already; how the stream ended is on its way.
                await wait(in: \.endWaiters) { $0.call != nil && $0.generation == generation }
            }
            try Task.checkCancellation()
        }
    }

    /// Waits until resumed or cancelled, unless `isNeeded` denies under the lock that anything will come.
    func wait(
        in list: WritableKeyPath<State, [Int: CheckedContinuation<Void, Never>]> & Sendable,
        isNeeded: (State) -> Bool
    ) async {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard isNeeded(state), !Task.isCancelled else { return false }
                    state[keyPath: list][id] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0[keyPath: list].removeValue(forKey: id) }?.resume()
        }
    }
}
