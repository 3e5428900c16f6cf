import Foundation
import SpeechlyGRPC

/// What keeps access tokens from being read by those they are not for.
enum TokenSafety {
    /// Whether a token may be sent to an address: over TLS, or within this machine, or if the owner says so.
    static func check(_ address: GRPCAddress, allowsPlaintext: Bool) throws(Failure) {
        guard !address.secure, !address.isLocal, !allowsPlaintext else { return }
        throw Failure(
            code: .insecureAddress, side: .api, what: "an access token would go over the network in plain text",
            place: address.description, remedy: "use grpc+tls://, or set allowsPlaintextToken in a network you trust")
    }

    /// A text without access tokens: a service may repeat in an error what it was sent.
    static func redact(_ text: String) -> String {
        guard text.contains("eyJ") else { return text }
        return text.replacingOccurrences(
            of: #"eyJ[A-Za-z0-9_=-]*(\.[A-Za-z0-9_=-]*){0,2}"#, with: "(token)", options: .regularExpression)
    }
}

extension GRPCStatus {
    /// The status without access tokens in its message, and without metadata.
    var redacted: GRPCStatus { GRPCStatus(code: code, message: message.map(TokenSafety.redact)) }
}
