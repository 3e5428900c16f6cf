/// Whether a channel has a connection.
public enum ConnectivityState: Sendable, Hashable {
    /// No connection, and none is being made until a call or a caller asks for it.
    case idle
    /// A connection is being made.
    case connecting
    /// There is a connection that calls can use.
    case ready
    /// The last attempt failed; another is made after a pause.
    case transientFailure
    /// The channel is closed for good.
    case shutdown
}
