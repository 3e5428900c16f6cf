import Foundation

enum ConnectFailure {
    private static let markers = ["failed to connect to all addresses", "connections to all backends failing"]

    /// libgrpc's words for a failed connection, with the address as its user wrote it.
    static func explain(_ message: String, at address: GRPCAddress) -> String {
        guard let marker = markers.first(where: message.hasPrefix) else { return message }
        var cause = message.dropFirst(marker.count)
        if let range = cause.range(of: "last error: ") { cause = cause[range.upperBound...] }
        for prefix in ["UNKNOWN: ", "UNAVAILABLE: ", "INTERNAL: "] where cause.hasPrefix(prefix) {
            cause = cause.dropFirst(prefix.count)
        }
        return cause.isEmpty ? "cannot connect to \(address)" : "cannot connect to \(address): \(cause)"
    }
}
