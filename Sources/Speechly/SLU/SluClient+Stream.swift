import Foundation
import SpeechlyGRPC
import SpeechlyProto
import SpeechlySync

extension SluClient {
    /// Opens the stream and sends its configuration. Does nothing when the stream is open.
    ///
    /// - Parameters:
    ///   - token: opens the service.
    ///   - config: what the audio is.
    /// - Throws: a `GRPCStatus` that says what keeps the stream from being opened; a `Failure` when the token would
    ///   go over a network in plain text; `CancellationError`.
    public func connect(token: ApiAccessToken, config: SluConfig) async throws {
        try await open(token: token, config: config, streamId: nil)
    }

    /// Opens the stream under a name that comes back with its end.
    ///
    /// - Parameter fresh: whether the stream must be a new one, on a connection that is made for it.
    package func open(token: ApiAccessToken, config: SluConfig, streamId: Int?, fresh: Bool = false) async throws {
        try TokenSafety.check(address, allowsPlaintext: settings.allowsPlaintextToken)
        let (isOpen, channel) = try state.withLock { state -> (Bool, Channel) in
            if state.isSuspended { throw GRPCStatus(code: .unavailable, message: "the client is suspended") }
            if fresh {
                try replaceChannel(&state)
                return (false, state.channel)
            }
            if state.machine.isOpen {
                state.streamId = streamId
                state.machine.touched(now: clock.now)
                return (true, state.channel)
            }
            return (false, state.channel)
        }
        if isOpen { return }
        do { try await channel.waitUntilReady(timeout: settings.connectTimeout) } catch {
            // libgrpc would go on trying by itself, at moments of its own: when to try again is not its affair.
            state.withLock { if $0.channel === channel { try? replaceChannel(&$0) } }
            throw error
        }
        var waiters: [CheckedContinuation<Void, Never>] = []
        defer { for waiter in waiters { waiter.resume() } }
        let actions = try state.withLock { state -> [SluStreamStateMachine.Action] in
            if state.isSuspended { throw GRPCStatus(code: .unavailable, message: "the client is suspended") }
            if state.machine.isOpen, !fresh { return [] }
            // A stream that is closing makes room for the new one.
            state.call?.cancel()
            state.machine.ended()
            waiters = Array(state.roomWaiters.values) + Array(state.endWaiters.values)
            state.roomWaiters.removeAll()
            state.endWaiters.removeAll()
            return try openCall(&state, channel: channel, token: token, config: config, streamId: streamId)
        }
        perform(actions)
        settings.logger.log(.debug, "SLU stream open at \(channel.address)")
    }

    private func openCall(
        _ state: inout State, channel: Channel, token: ApiAccessToken, config: SluConfig, streamId: Int?
    ) throws -> [SluStreamStateMachine.Action] {
        state.generation += 1
        let generation = state.generation
        state.machine.connect()
        do {
            state.call = try BidirectionalCall(
                channel: channel, path: Self.path, options: makeTokenCallOptions(token: token.tokenString)
            ) { [weak self] event in
                self?.handle(event, generation: generation)
            }
        } catch {
            state.call = nil
            state.machine.connectFailed()
            throw error
        }
        state.streamId = streamId
        state.endStatus = nil
        // The call is new: there is room for this, and if it has ended its end comes as any other does.
        _ = Self.send(.config(config.message), &state)
        return state.machine.connected(now: clock.now)
    }

    /// Ends the stream: stops the context, lets the results come in, and waits for the service to close.
    ///
    /// A service that does not close within the connect timeout is left.
    public func disconnect() async throws {
        let (actions, generation) = state.withLock { ($0.machine.disconnect(), $0.generation) }
        perform(actions)
        clock.schedule(at: clock.now + settings.connectTimeout) { [weak self] in
            self?.state.withLock { if $0.generation == generation { $0.call?.cancel() } }
        }
        await wait(in: \.endWaiters) { $0.call != nil && $0.generation == generation }
        try Task.checkCancellation()
    }

    /// Ends the stream at once. A connection of the client's own is closed, and made anew when it is needed.
    public func suspend() async throws {
        end(suspending: true)
    }

    /// Makes a suspended client usable again; it has to connect anew.
    public func resume() async throws {
        allow()
    }

    /// Makes a suspended client usable again.
    package func allow() {
        state.withLock { $0.isSuspended = false }
    }

    /// Ends the stream at once, without waiting.
    package func end(suspending: Bool) {
        let actions = state.withLock { state -> [SluStreamStateMachine.Action] in
            let actions = state.machine.abort()
            if suspending {
                state.isSuspended = true
                // A connection does not outlive a sleep of the machine: the next stream gets a new one.
                try? replaceChannel(&state)
            }
            return actions
        }
        perform(actions)
    }

    /// Gives up the connection for one that is yet to be made. A channel of the caller's stays.
    private func replaceChannel(_ state: inout State) throws {
        guard let channel = try state.makeChannel?() else { return }
        state.channel.close()
        state.channel = channel
    }

    func perform(_ actions: [SluStreamStateMachine.Action]) {
        for action in actions {
            switch action {
            case .sendStop: state.withLock { _ = Self.send(.stop(SLUStop()), urgent: false, &$0) }
            case .closeSend: state.withLock { $0.call?.closeSend() }
            case .cancel: state.withLock { $0.call?.cancel() }
            case .schedule(let deadline):
                clock.schedule(at: deadline) { [weak self] in
                    guard let self else { return }
                    self.perform(self.state.withLock { $0.machine.timerFired(now: self.clock.now) })
                }
            }
        }
    }
}

extension SluConfig {
    /// The configuration as the service takes it.
    var message: SLUConfig {
        SLUConfig(
            encoding: .linear16, channels: Int32(clamping: channels),
            sampleRateHertz: Int32(exactly: sampleRate.rounded()) ?? 0, languageCode: languageCode ?? "",
            options: options.values(systemTimezone: nil).map { SLUConfig.Option(key: $0.key, value: $0.values) })
    }
}
