import Foundation

/// An error of the client, by the side that failed. The text says what happened, where, and what to do.
public enum SpeechlyError: Error, Hashable, Sendable, Codable {
    /// The service could not be reached, or the connection broke.
    case networkError(String)

    /// The microphone or another audio source failed.
    case audioError(String)

    /// The service refused a request or ended the stream with an error.
    case apiError(String)

    /// The service sent something that could not be understood. The message is lost, the stream goes on.
    case parseError(String)

    /// The text the error carries.
    public var message: String {
        switch self {
        case .networkError(let message), .audioError(let message), .apiError(let message), .parseError(let message):
            return message
        }
    }
}

extension SpeechlyError: CustomStringConvertible, LocalizedError {
    /// The side that failed and the text, for logs.
    public var description: String {
        switch self {
        case .networkError(let message): return "network error: \(message)"
        case .audioError(let message): return "audio error: \(message)"
        case .apiError(let message): return "API error: \(message)"
        case .parseError(let message): return "parse error: \(message)"
        }
    }

    /// The same text as `description`.
    public var errorDescription: String? { description }
}
