import SpeechlyGRPC
import SpeechlyProto
import SpeechlySync

/// One stream of the mock server: takes what the client sends, does what the script says.
final class MockStream: Sendable {
    /// What a stream needs from its server.
    struct Server: Sendable {
        let recorder: Recorder
        let relay: Relay
        let clock: any Clock<Duration>
        let isStrict: Bool
        let makeContextId: @Sendable () -> String
    }

    private struct State {
        var rules = StreamRules()
        var runner: ScriptRunner
        var isEnded = false
        var worker: Task<Void, Never>?
    }

    private struct Step {
        let action: StreamScript.Action
        /// The context of the event that set the action off, by its index.
        let context: Int?
    }

    private let call: ServerCall
    private let index: Int
    private let server: Server
    private let state: Locked<State>
    private let steps: AsyncStream<Step>.Continuation
    /// Whether the script wants to see the audio.
    private let hears: Bool

    init(call: ServerCall, index: Int, script: StreamScript, server: Server) {
        self.call = call
        self.index = index
        self.server = server
        hears = script.dictation != nil
        state = Locked(State(runner: ScriptRunner(script)))
        let (stream, continuation) = AsyncStream.makeStream(of: Step.self)
        steps = continuation
        let worker = Task {
            for await step in stream { await self.perform(step) }
        }
        state.withLock { $0.worker = worker }
    }

    /// Called by the transport, one event at a time.
    func handle(_ event: ServerCall.Event) {
        switch event {
        case .message(let bytes): receive(bytes)
        case .halfClosed:
            let outcome = update { state, stream in state.rules.receiveHalfClose(stream: &stream) }
            follow(outcome)
        case .writable: break
        case .ended(let cancelled): end(byClient: cancelled)
        }
    }

    /// Sets off what waits for an event that is no message.
    func trigger(_ event: StreamScript.Trigger) {
        follow(StreamRules.Outcome(triggers: [(event, nil)]))
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) {
        do {
            let request = try SLURequest(serializedBytes: bytes)
            let outcome = update { [server] state, stream in
                state.rules.receive(request, stream: &stream, makeContextId: server.makeContextId)
            }
            follow(outcome)
        } catch {
            let status = GRPCStatus(code: .internal, message: "not a request: \(error)")
            update { _, stream in stream.violations.append("a message that cannot be read: \(error)") }
            steps.yield(Step(action: .end(status), context: nil))
        }
    }

    private func follow(_ outcome: StreamRules.Outcome) {
        if let violation = outcome.violation, server.isStrict {
            steps.yield(Step(action: .end(violation), context: nil))
            return
        }
        for (trigger, context) in outcome.triggers {
            let audio = hears ? context.map { server.recorder.received.streams[index].contexts[$0].audio } ?? [] : []
            let actions = state.withLock { $0.runner.actions(for: trigger, audio: audio) }
            for action in actions { steps.yield(Step(action: action, context: context)) }
        }
    }

    @discardableResult
    private func update<Result>(_ change: (inout State, inout Received.Stream) -> Result) -> Result {
        server.recorder.update { received in
            state.withLock { change(&$0, &received.streams[index]) }
        }
    }

    private func end(byClient: Bool) {
        let worker = update { state, stream in
            // What comes after the server's own end is no doing of the client.
            if byClient, !state.isEnded { stream.isCancelled = true }
            state.isEnded = true
            stream.isEnded = true
            return state.worker
        }
        steps.finish()
        worker?.cancel()
    }

    private func perform(_ step: Step) async {
        switch step.action {
        case .send(let message):
            await send(message.response(contextId: contextId(step.context)).serializedBytes())
        case .sendBytes(let bytes): await send(bytes)
        case .wait(let duration): try? await server.clock.sleep(for: duration)
        case .end(let status):
            end(byClient: false)
            call.finish(status)
        case .reset:
            end(byClient: false)
            call.cancel()
        case .dropConnections: server.relay.perform(.dropConnections)
        case .stopReading: call.pauseReading()
        case .resumeReading: call.resumeReading()
        }
    }

    private func contextId(_ context: Int?) -> String {
        let contexts = server.recorder.received.streams[index].contexts
        if let context { return contexts[context].id }
        return contexts.last?.id ?? ""
    }

    private func send(_ bytes: [UInt8]) async {
        // A call that has ended takes nothing more, and its end is recorded already.
        try? await call.sendWhenWritable(bytes)
    }
}
