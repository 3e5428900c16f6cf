import SpeechlyGRPC
import SpeechlyProto

/// Follows one stream: files what comes, says what it sets off and what breaks the protocol's rules.
struct StreamRules {
    private var current: Int?

    /// What a message led to.
    struct Outcome {
        /// What is set off, each with the context it belongs to (by index).
        var triggers: [(trigger: StreamScript.Trigger, context: Int?)] = []
        /// The status that a strict server ends the stream with.
        var violation: GRPCStatus?
    }

    mutating func receive(
        _ request: SLURequest, stream: inout Received.Stream, makeContextId: () -> String
    ) -> Outcome {
        switch request.streamingRequest {
        case .config(let config):
            stream.messages.append(.config)
            guard stream.config == nil else { return violation("a second configuration", &stream) }
            guard stream.messages.count == 1 else { return violation("a late configuration", &stream) }
            stream.config = config
            return Outcome(triggers: [(.config, nil)])
        case .start(let start):
            return self.start(appId: start.appId, options: start.options, &stream, makeContextId)
        case .event(let event) where event.event == .start:
            return start(appId: event.appId, options: [], &stream, makeContextId)
        case .stop, .event:
            return stop(&stream)
        case .audio(let bytes):
            return audio(bytes, &stream)
        case .rttResponse(let response):
            stream.messages.append(.roundTripAnswer(response.id))
            return Outcome()
        case nil:
            stream.messages.append(.unknown)
            return Outcome()
        }
    }

    mutating func receiveHalfClose(stream: inout Received.Stream) -> Outcome {
        stream.messages.append(.halfClose)
        stream.isHalfClosed = true
        var outcome = current == nil ? Outcome() : violation("half-close within a context", &stream)
        outcome.triggers.append((.halfClose, current))
        return outcome
    }

    private mutating func start(
        appId: String, options: [SLUStart.Option], _ stream: inout Received.Stream, _ makeContextId: () -> String
    ) -> Outcome {
        stream.messages.append(.start)
        guard stream.config != nil else { return violation("a start before the configuration", &stream) }
        guard current == nil else { return violation("a start within a context", &stream) }
        stream.contexts.append(Received.Context(id: makeContextId(), appId: appId, options: options))
        current = stream.contexts.count - 1
        return Outcome(triggers: [(.start(stream.contexts.count), current)])
    }

    private mutating func audio(_ bytes: [UInt8], _ stream: inout Received.Stream) -> Outcome {
        stream.messages.append(.audio(bytes.count))
        guard let current else { return violation("audio without a start", &stream) }
        let before = stream.contexts[current].audio.count
        stream.contexts[current].audio += bytes
        let after = before + bytes.count
        guard after > before else { return Outcome() }
        return Outcome(triggers: [(.audio(after, context: current + 1), current)])
    }

    private mutating func stop(_ stream: inout Received.Stream) -> Outcome {
        stream.messages.append(.stop)
        guard let context = current else { return violation("a stop without a start", &stream) }
        stream.contexts[context].isStopped = true
        current = nil
        return Outcome(triggers: [(.stop(context + 1), context)])
    }

    private func violation(_ what: String, _ stream: inout Received.Stream) -> Outcome {
        stream.violations.append(what)
        return Outcome(violation: GRPCStatus(code: .failedPrecondition, message: what))
    }
}
