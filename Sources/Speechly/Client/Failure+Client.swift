import Foundation
import SpeechlyGRPC
import SpeechlyProto

extension Failure {
    static let clientClosed = Failure(
        code: .closed, side: .api, what: "the client has been released", remedy: "keep a reference to it while it works"
    )

    static let clientSuspended = Failure(
        code: .suspended, side: .api, what: "the client is suspended", remedy: "call resume() first")

    static let appIdMissing = Failure(
        code: .appIdMissing, side: .api, what: "no app is named, and the login is for a whole project",
        remedy: "name one of its apps: every start and transcribe has a parameter appId")

    static let busy = Failure(
        code: .busy, side: .api, what: "another context is open for audio",
        remedy: "stop it first, or use a client for each")

    static func invalidOption(_ name: String, _ value: String, allowed: String) -> Failure {
        Failure(
            code: .invalidOption, side: .api, what: "\(name) is \(value)", remedy: "give it a value from \(allowed)")
    }

    static func tooManyContexts(_ count: Int) -> Failure {
        Failure(
            code: .busy, side: .api, what: "\(count) contexts wait for the service to finish them",
            remedy: "wait for the end of those before")
    }

    static let sourceAlreadyRead = Failure(
        code: .sourceAlreadyRead, side: .audio, what: "the audio source has been read already, or is being read",
        remedy: "a source can be read once: make a new one each time")

    static let notListening = Failure(
        code: .notListening, side: .api, what: "there is no context to stop", remedy: "start one first")

    static func audioLost(bytes: Int, isUp: Bool) -> Failure {
        Failure(
            code: .audioLost, side: .audio,
            what: isUp
                ? "audio is lost: \(bytes) bytes wait already, and the service takes it too slowly"
                : "audio is lost: \(bytes) bytes wait already for login and connection",
            remedy: "check the network, or allow more in ClientConfiguration.bufferedAudio")
    }

    /// Whether trying again cannot mend it.
    var isPermanent: Bool {
        guard side == .api || code == .badMessage else { return false }
        switch (cause as? GRPCStatus)?.code {
        case .outOfRange?, .resourceExhausted?: return false
        default: return true
        }
    }

    static func tooMuchToReplay(of source: ClientStateMachine.Source) -> Failure {
        Failure(
            code: .replayExhausted, side: .network,
            what: "the connection was lost, and more audio waits than is kept to be sent again",
            remedy: source == .external
                ? "start again, or set ClientConfiguration.contextLimit, so that the source is read no further than is kept"
                : "start again, or allow more in ClientConfiguration.replayedAudio")
    }

    static func networkChanged(_ what: String) -> Failure {
        Failure(code: .streamClosed, side: .network, what: what, remedy: "try again")
    }

    /// The same failure about a context, with the audio that nothing final covers.
    func concerning(_ contextId: String, lost: Range<TimeInterval>) -> Failure {
        var failure = self
        failure.contextId = contextId
        failure.lostSpan = lost.isEmpty ? nil : lost
        return failure
    }

    static func silence(wasStarted: Bool, after: Duration, at address: String) -> Failure {
        Failure(
            code: .timeout, side: .network,
            what: wasStarted
                ? "the service did not finish the context within \(after.text) of its last message or the stop"
                : "the service did not acknowledge the start within \(after.text)",
            place: address, remedy: "check that a Speechly service runs at the address")
    }

    static func audio(_ error: any Error, _ what: String) -> Failure {
        if let failure = error as? Failure { return failure }
        return Failure(code: .audioFailed, side: .audio, what: what, cause: error)
    }

    static func message(_ error: any Error, contextId: String? = nil) -> Failure {
        Failure(
            code: .badMessage, side: .parse, what: "the service sent what does not make sense",
            cause: error, contextId: contextId)
    }

    /// What a failed login means.
    package static func login(_ error: any Error, at address: String) -> Failure {
        if let failure = error as? Failure { return failure }
        if error is ProtoError {
            return Failure(
                code: .badMessage, side: .parse, what: "cannot log in", place: address,
                remedy: "check that the address is that of an identity service", cause: error)
        }
        var failure = transport(error, "cannot log in", at: address)
        if error is IdentityClient.IdentityClientError {
            failure.code = .invalidToken
            failure.side = .api
            failure.remedy = "check that the address is that of an identity service"
        } else if failure.side == .api {
            failure.code = .loginFailed
            failure.remedy = "check the app or project id"
        }
        return failure
    }

    /// What an error of a connection or a call means.
    static func transport(_ error: any Error, _ what: String, at address: String) -> Failure {
        if let failure = error as? Failure { return failure }
        guard let status = (error as? GRPCStatus)?.redacted else {
            return Failure(code: .streamFailed, side: .network, what: what, place: address, cause: error)
        }
        var failure = Failure(code: .streamFailed, side: .api, what: what, place: address, cause: status)
        switch status.code {
        case .unavailable:
            failure.side = .network
            failure.code = .connectFailed
            failure.remedy = "check the address and that a service runs there"
        case .deadlineExceeded:
            failure.side = .network
            failure.code = .timeout
            failure.remedy = "check the address, the network and the service"
        case .cancelled:
            failure.side = .network
            failure.code = .streamClosed
        case .unknown where status.isOfTransport, .internal where status.isOfTransport:
            failure.side = .network
            failure.code = .connectFailed
            failure.remedy = "check the address, the network, and that a Speechly service runs there"
        case .permissionDenied, .unauthenticated:
            failure.code = .permissionDenied
            failure.remedy = "check the app or project id and that they belong to this service"
        case .notFound: failure.remedy = "check the app or project id"
        case .unimplemented: failure.remedy = "check that the address is that of a Speechly service"
        default: break
        }
        return failure
    }
}

extension ClientStateMachine.StreamEnd {
    /// Whether nothing is wrong: the stream was not used any more.
    var isQuiet: Bool {
        if case .lost(let failure) = self { return failure.cause == nil }
        return false
    }

    /// What an error of opening a stream means.
    init(connecting error: any Error, at address: String) {
        self =
            switch error as? GRPCStatus {
            case let status? where status.code == .permissionDenied || status.code == .unauthenticated:
                Self(status, at: address)
            default: .failed(.transport(error, "cannot connect", at: address))
            }
    }

    /// What the status of a stream means.
    init(_ error: any Error, at address: String) {
        guard let status = error as? GRPCStatus else {
            let failure = Failure.transport(error, "the stream failed", at: address)
            self = error is InvalidSLUState ? .lost(failure) : .failed(failure)
            return
        }
        switch status.code {
        case .ok:
            self = .lost(
                Failure(
                    code: .streamClosed, side: .network, what: "the service closed the stream early",
                    place: address, remedy: "try again"))
        case .permissionDenied, .unauthenticated:
            self = .refused(.transport(status, "the service refused the access token", at: address))
        case .unavailable, .cancelled, .aborted, .internal, .unknown, .deadlineExceeded:
            var failure = Failure.transport(status, "the connection was lost", at: address)
            failure.code = .streamClosed
            self = .lost(failure)
        default: self = .failed(.transport(status, "the service ended the stream", at: address))
        }
    }
}
