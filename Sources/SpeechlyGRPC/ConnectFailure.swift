import Foundation

enum ConnectFailure {
    private static let markers = ["failed to connect to all addresses", "connections to all backends failing"]

    /// libgrpc's words for a failed connection, with the address as its user wrote it, and with what is likely to be
    /// wrong where the words do not say it.
    static func explain(_ message: String, at address: GRPCAddress) -> String {
        guard let marker = markers.first(where: message.hasPrefix) else { return message }
        var cause = message.dropFirst(marker.count)
        if let range = cause.range(of: "last error: ") { cause = cause[range.upperBound...] }
        for prefix in ["UNKNOWN: ", "UNAVAILABLE: ", "INTERNAL: "] where cause.hasPrefix(prefix) {
            cause = cause.dropFirst(prefix.count)
        }
        if cause.isEmpty { return "cannot connect to \(address)" }
        // An answer in HTTP/1 is told by what its status would be in gRPC: 200 is OK.
        if cause == "OK" || cause.contains("http1.x server") {
            return "cannot connect to \(address): what answers there is a web server that speaks HTTP/1, not gRPC"
        }
        let hint = hint(for: cause.lowercased(), isSecure: address.secure).map { " (\($0))" } ?? ""
        return "cannot connect to \(address): \(cause)\(hint)"
    }

    private static func hint(for cause: String, isSecure: Bool) -> String? {
        if cause.contains("before receiving settings frame") {
            return "the port accepted the connection, and nothing that speaks gRPC answered"
        }
        let isCut = ["socket closed", "connection reset", "endpoint read failed", "broken pipe"]
            .contains { cause.contains($0) }
        if isSecure {
            let isPlaintext = [
                "wrong version number", "wrong_version_number", "record layer", "packet length too long",
            ]
            .contains { cause.contains($0) }
            if isPlaintext { return "the service does not seem to use TLS: write grpc:// for plain text" }
            // A server says nothing to a client whose certificate it misses.
            return isCut ? "the service may want a client certificate, or another one" : nil
        }
        return isCut ? "the service may want TLS: write grpc+tls://" : nil
    }
}
