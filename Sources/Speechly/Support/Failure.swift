import Foundation

/// What went wrong, where, and what can be done about it.
///
/// The delegate gets a failure as a `SpeechlyError` with ``description`` as its text; the `events` sequence and
/// the async methods carry the failure itself.
public struct Failure: Error, Sendable {
    /// The side that failed.
    public enum Side: String, Sendable, Hashable, Codable {
        /// The service could not be reached, or the connection broke.
        case network
        /// The microphone or another audio source failed.
        case audio
        /// The service refused a request, or the client was asked for something it cannot do now.
        case api
        /// The service sent something that could not be understood.
        case parse
    }

    /// What happened, for programs.
    public enum Code: String, Sendable, Hashable, Codable {
        /// No connection could be made.
        case connectFailed
        /// The service did not answer in time.
        case timeout
        /// The login was refused, or failed otherwise.
        case loginFailed
        /// The access token could not be read.
        case invalidToken
        /// The access token was refused, also after logging in once more.
        case permissionDenied
        /// The service ended the stream with an error.
        case streamFailed
        /// The connection broke, or the service ended the stream early.
        case streamClosed
        /// More audio than may be kept waited for a connection to come back.
        case replayExhausted
        /// A project login needs an app for each context, and none was named.
        case appIdMissing
        /// An option has a value that no service takes.
        case invalidOption
        /// There is no context to stop.
        case notListening
        /// Another context is open for audio, and this one cannot take its place.
        case busy
        /// An access token would have gone over a network in plain text.
        case insecureAddress
        /// The client is suspended.
        case suspended
        /// The client is gone.
        case closed
        /// The audio source failed.
        case audioFailed
        /// The audio source has been read already, or is being read.
        case sourceAlreadyRead
        /// Audio came faster than it could be sent, and some was lost.
        case audioLost
        /// A message did not make sense, or could not be decoded.
        case badMessage
        /// The client was made without what this needs.
        case unsupported
    }

    /// What happened, for programs.
    public var code: Code
    /// The side that failed.
    public var side: Side
    /// What happened, for people: `cannot log in`.
    public var what: String
    /// Where: the address, device, file or context concerned; empty when there is no such place.
    public var place: String
    /// What can be done about it; empty when there is nothing to advise.
    public var remedy: String
    /// The error underneath, such as a `GRPCStatus`.
    public var cause: (any Error)?
    /// The context concerned, once the service has named it.
    public var contextId: String?
    /// The part of the context's audio whose words may be missing, in seconds from its start: from the end of the
    /// last final segment to the last audio captured. `nil` when no started context failed.
    public var lostSpan: Range<TimeInterval>?

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - code: what happened, for programs.
    ///   - side: the side that failed.
    ///   - what: what happened, for people.
    ///   - place: where; empty for no place.
    ///   - remedy: what can be done about it; empty for nothing.
    ///   - cause: the error underneath.
    ///   - contextId: the context concerned.
    public init(
        code: Code, side: Side, what: String, place: String = "", remedy: String = "",
        cause: (any Error)? = nil, contextId: String? = nil
    ) {
        self.code = code
        self.side = side
        self.what = what
        self.place = place
        self.remedy = remedy
        self.cause = cause
        self.contextId = contextId
    }
}

extension Failure: CustomStringConvertible, LocalizedError {
    /// One line: what happened, where, why, and what to do.
    public var description: String {
        var text = place.isEmpty ? what : "\(what) (\(place))"
        if let cause { text += ": \(cause)" }
        if let span = lostSpan, !span.isEmpty {
            text += String(format: "; speech from %.1f s to %.1f s is lost", span.lowerBound, span.upperBound)
        }
        if !remedy.isEmpty { text += "; \(remedy)" }
        return text
    }

    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension Failure: Hashable {
    /// Whether all parts are equal; causes are compared by their text.
    public static func == (lhs: Failure, rhs: Failure) -> Bool {
        lhs.code == rhs.code && lhs.side == rhs.side && lhs.what == rhs.what && lhs.place == rhs.place
            && lhs.remedy == rhs.remedy && lhs.contextId == rhs.contextId && lhs.lostSpan == rhs.lostSpan
            && lhs.cause.map { "\($0)" } == rhs.cause.map { "\($0)" }
    }

    /// Hashes the code, the text and the context.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(what)
        hasher.combine(contextId)
    }
}

extension SpeechlyError {
    /// A failure as the delegate gets it: by the side that failed, with the failure's description as text.
    public init(_ failure: Failure) {
        switch failure.side {
        case .network: self = .networkError(failure.description)
        case .audio: self = .audioError(failure.description)
        case .api: self = .apiError(failure.description)
        case .parse: self = .parseError(failure.description)
        }
    }
}
