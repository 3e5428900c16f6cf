/// What a caller can say about one call.
public struct CallOptions: Sendable, Hashable {
    /// Sent to the server before the first message.
    public var metadata: Metadata

    /// The call ends with ``GRPCStatus/Code/deadlineExceeded`` this long after it was made;
    /// `nil` for no deadline.
    public var timeout: Duration?

    /// Whether the call waits for a connection instead of failing when one attempt has failed.
    public var waitForReady: Bool

    /// Options from their parts.
    public init(metadata: Metadata = .init(), timeout: Duration? = nil, waitForReady: Bool = false) {
        self.metadata = metadata
        self.timeout = timeout
        self.waitForReady = waitForReady
    }
}
