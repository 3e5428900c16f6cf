import SpeechlyGRPC
import SpeechlyProto

/// Everything a mock server has received so far.
public struct Received: Sendable {
    /// A login.
    public struct Login: Sendable {
        /// The request.
        public let request: LoginRequest
        /// What came with the call.
        public let metadata: Metadata
    }

    /// A text for understanding.
    public struct Text: Sendable {
        /// The request.
        public let request: WLURequest
        /// The application named by a `Texts` call; empty for a `Text` call.
        public let appId: String
        /// What came with the call.
        public let metadata: Metadata
    }

    /// One kind of message, for looking at their order.
    public enum MessageKind: Hashable, Sendable {
        /// The configuration.
        case config
        /// A start, by message or by the older event.
        case start
        /// Audio, in bytes.
        case audio(Int)
        /// A stop, by message or by the older event.
        case stop
        /// The answer to a round-trip measurement, by its id.
        case roundTripAnswer(Int32)
        /// A message that says nothing the server knows.
        case unknown
        /// The client sends no more.
        case halfClose
    }

    /// One audio context.
    public struct Context: Sendable {
        /// The id the server gave it.
        public let id: String
        /// The application named by the start; empty for none.
        public let appId: String
        /// The options of the start.
        public let options: [SLUStart.Option]
        /// The audio, PCM16 little-endian.
        public internal(set) var audio: [UInt8] = []
        /// Whether its stop has come.
        public internal(set) var isStopped = false

        /// The values of an option, or nil if the start did not have it.
        public func option(_ key: String) -> [String]? { options.first { $0.key == key }?.value }
    }

    /// One stream.
    public struct Stream: Sendable {
        /// What came with the call.
        public internal(set) var metadata: Metadata
        /// The configuration, once it has come.
        public internal(set) var config: SLUConfig?
        /// The contexts, in the order of their starts.
        public internal(set) var contexts: [Context] = []
        /// All messages, in order.
        public internal(set) var messages: [MessageKind] = []
        /// What the client did against the protocol's rules.
        public internal(set) var violations: [String] = []
        /// Whether the client has said that it sends no more.
        public internal(set) var isHalfClosed = false
        /// Whether the stream is over, by whichever side.
        public internal(set) var isEnded = false
        /// Whether the client ended it before the server did, by cancelling or by losing the connection.
        public internal(set) var isCancelled = false

        /// The bearer token, or nil if the call came without one.
        public var token: String? { bearerToken(metadata) }

        /// The ids of the round-trip measurements that were answered, in order.
        public var roundTripAnswers: [Int32] {
            messages.compactMap { if case .roundTripAnswer(let id) = $0 { id } else { nil } }
        }
    }

    /// The logins, in order.
    public internal(set) var logins: [Login] = []
    /// The streams, in the order in which they were opened.
    public internal(set) var streams: [Stream] = []
    /// The texts, in order.
    public internal(set) var texts: [Text] = []

    /// The contexts of all streams.
    public var contexts: [Context] { streams.flatMap(\.contexts) }
}

extension Received: CustomStringConvertible {
    /// A summary for failure messages.
    public var description: String {
        var parts = ["\(logins.count) login(s)", "\(texts.count) text(s)", "\(streams.count) stream(s)"]
        for (index, stream) in streams.enumerated() {
            let messages = stream.messages.map { "\($0)" }.joined(separator: ", ")
            let end = stream.isCancelled ? ", cancelled" : stream.isEnded ? ", ended" : ""
            parts.append("stream \(index + 1): [\(messages)\(end)]")
        }
        return parts.joined(separator: "; ")
    }
}

func bearerToken(_ metadata: Metadata) -> String? {
    guard let value = metadata["authorization"], value.hasPrefix("Bearer ") else { return nil }
    let token = String(value.dropFirst("Bearer ".count))
    return token.isEmpty ? nil : token
}
