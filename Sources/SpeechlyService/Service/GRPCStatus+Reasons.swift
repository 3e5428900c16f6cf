import SpeechlyGRPC

extension GRPCStatus {
    static func invalid(_ message: String) -> GRPCStatus { GRPCStatus(code: .invalidArgument, message: message) }

    static func precondition(_ message: String) -> GRPCStatus {
        GRPCStatus(code: .failedPrecondition, message: message)
    }

    static func denied(_ error: TokenError) -> GRPCStatus {
        GRPCStatus(code: .permissionDenied, message: error.description)
    }

    static let contextTooLong = GRPCStatus(
        code: .outOfRange,
        message: "a context may last \(StreamSession.maximumContextSeconds / 60) minutes: stop it and start another")

    static func noRecognizer(limit: Int) -> GRPCStatus {
        GRPCStatus(
            code: .resourceExhausted,
            message: "all \(limit) recognisers of the service are in use: try again later")
    }

    static let shuttingDown = GRPCStatus(code: .unavailable, message: "the service is shutting down: connect again")
}
