extension GRPCStatus {
    /// Whether the caller's own deadline has passed, as libgrpc says it; a service has words of its own.
    var isOwnDeadline: Bool { code == .deadlineExceeded && (message ?? "Deadline Exceeded") == "Deadline Exceeded" }

    /// Whether the transport made the status, and no service: the connection broke, or what is at its other end does
    /// not speak gRPC. libgrpc tells such by its words only.
    package var isOfTransport: Bool {
        switch code {
        case .unavailable, .cancelled: return true
        case .deadlineExceeded: return true
        case .unknown, .internal:
            let words = [
                "stream removed", "socket closed", "rst_stream", "goaway", "connection reset", "endpoint read failed",
                "broken pipe", "http2 header with status", "missing content-type", "data frame", "too many pings",
            ]
            let text = (message ?? "").lowercased()
            return words.contains { text.contains($0) }
        default: return false
        }
    }
}
