import Foundation
import SpeechlyGRPC
import SpeechlyProto

/// How the mock server answers one login.
public struct LoginScript: Sendable {
    enum Reply: Sendable {
        case token(lifetime: TimeInterval)
        case response(LoginResponse)
        case bytes([UInt8])
        case status(GRPCStatus)
        case silence
    }

    let reply: Reply
    let delay: Duration

    /// A good token for whatever scope and device ask.
    ///
    /// - Parameter lifetime: Seconds until it expires; negative for one that has expired.
    public static func token(lifetime: TimeInterval = 24 * 3600) -> LoginScript {
        LoginScript(reply: .token(lifetime: lifetime), delay: .zero)
    }

    /// This response, sensible or not.
    public static func response(_ response: LoginResponse) -> LoginScript {
        LoginScript(reply: .response(response), delay: .zero)
    }

    /// These bytes in place of a response.
    public static func bytes(_ bytes: [UInt8]) -> LoginScript { LoginScript(reply: .bytes(bytes), delay: .zero) }

    /// No response but this status.
    public static func status(_ status: GRPCStatus) -> LoginScript {
        LoginScript(reply: .status(status), delay: .zero)
    }

    /// No answer, until the client gives up or the server stops.
    public static var silence: LoginScript { LoginScript(reply: .silence, delay: .zero) }

    /// The same answer after a time, by the server's clock.
    public func delayed(_ delay: Duration) -> LoginScript { LoginScript(reply: reply, delay: delay) }
}

/// How the mock server answers one text for understanding.
public struct TextScript: Sendable {
    enum Reply: Sendable {
        case echo
        case segments([WLUSegment])
        case status(GRPCStatus)
    }

    let reply: Reply

    /// One segment with the words of the text and no intent; no segment for a blank text.
    public static var echo: TextScript { TextScript(reply: .echo) }

    /// These segments.
    public static func segments(_ segments: [WLUSegment]) -> TextScript { TextScript(reply: .segments(segments)) }

    /// No response but this status.
    public static func status(_ status: GRPCStatus) -> TextScript { TextScript(reply: .status(status)) }

    func answer(_ request: WLURequest) throws(GRPCStatus) -> WLUResponse {
        switch reply {
        case .status(let status): throw status
        case .segments(let segments): return WLUResponse(segments: segments)
        case .echo:
            let words = request.text.split(whereSeparator: \.isWhitespace).map(String.init)
            guard !words.isEmpty else { return WLUResponse() }
            let tokens = words.enumerated().map { WLUToken(word: $0.element, index: Int32($0.offset)) }
            let text = words.joined(separator: " ")
            return WLUResponse(segments: [
                WLUSegment(text: text, tokens: tokens, intent: WLUIntent(intent: ""), annotatedText: text)
            ])
        }
    }
}
