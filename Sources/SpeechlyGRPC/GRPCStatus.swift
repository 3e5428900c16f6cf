import Foundation

/// How a call ended. Every call ends in exactly one.
public struct GRPCStatus: Error, Hashable, Sendable {
    /// The outcome as a number, as the gRPC protocol defines it.
    public enum Code: Int, Sendable, Hashable, CaseIterable {
        /// The call succeeded.
        case ok = 0
        /// The call was cancelled, usually by the caller.
        case cancelled = 1
        /// An error without a better code.
        case unknown = 2
        /// The caller sent something invalid.
        case invalidArgument = 3
        /// The deadline passed before the call ended.
        case deadlineExceeded = 4
        /// Something asked for does not exist.
        case notFound = 5
        /// Something to be made exists already.
        case alreadyExists = 6
        /// The caller may not do this.
        case permissionDenied = 7
        /// A quota or a limit is used up.
        case resourceExhausted = 8
        /// The system is not in the state that the call needs.
        case failedPrecondition = 9
        /// The operation was aborted by a conflict.
        case aborted = 10
        /// A position past the valid range.
        case outOfRange = 11
        /// The service does not know the method.
        case unimplemented = 12
        /// The service or the transport broke one of its own rules.
        case `internal` = 13
        /// The service cannot be reached now; trying again may help.
        case unavailable = 14
        /// Data is lost or damaged for good.
        case dataLoss = 15
        /// The caller has not shown who it is.
        case unauthenticated = 16
    }

    /// The outcome.
    public let code: Code

    /// What the side that ended the call says about it.
    public let message: String?

    /// The metadata that the server sent with the status.
    public let trailingMetadata: Metadata

    /// Success without a message.
    public static let ok = GRPCStatus(code: .ok)

    /// A status from its parts.
    public init(code: Code, message: String? = nil, trailingMetadata: Metadata = .init()) {
        self.code = code
        self.message = message
        self.trailingMetadata = trailingMetadata
    }

    /// Whether the call succeeded.
    public var isOk: Bool { code == .ok }
}

extension GRPCStatus.Code: CustomStringConvertible {
    /// The protocol's name of the code, `DEADLINE_EXCEEDED` for example.
    public var description: String {
        switch self {
        case .ok: "OK"
        case .cancelled: "CANCELLED"
        case .unknown: "UNKNOWN"
        case .invalidArgument: "INVALID_ARGUMENT"
        case .deadlineExceeded: "DEADLINE_EXCEEDED"
        case .notFound: "NOT_FOUND"
        case .alreadyExists: "ALREADY_EXISTS"
        case .permissionDenied: "PERMISSION_DENIED"
        case .resourceExhausted: "RESOURCE_EXHAUSTED"
        case .failedPrecondition: "FAILED_PRECONDITION"
        case .aborted: "ABORTED"
        case .outOfRange: "OUT_OF_RANGE"
        case .unimplemented: "UNIMPLEMENTED"
        case .internal: "INTERNAL"
        case .unavailable: "UNAVAILABLE"
        case .dataLoss: "DATA_LOSS"
        case .unauthenticated: "UNAUTHENTICATED"
        }
    }
}

extension GRPCStatus: CustomStringConvertible, LocalizedError {
    /// The code, and the message if there is one.
    public var description: String {
        guard let message, !message.isEmpty else { return code.description }
        return "\(code): \(message)"
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
