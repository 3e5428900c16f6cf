/// What became of a message given to a call for sending.
public enum SendResult: Sendable, Hashable {
    /// It is queued, within the limit of bytes in flight.
    case sent
    /// It is not queued: the limit is reached, and a `writable` event follows.
    case full
    /// It is not queued: the call has ended, or its sending side is closed.
    case closed
}
