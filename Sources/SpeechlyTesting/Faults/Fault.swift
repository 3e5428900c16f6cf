/// What a ``FaultProxy`` does to one connection.
///
/// Bytes are counted in both directions together, from the start of the connection.
public enum Fault: Hashable, Sendable {
    /// Passes everything on.
    case none
    /// Refuses: the connection is reset as soon as it is there.
    case refuse
    /// Takes the connection, and never passes a byte on.
    case stall
    /// Passes so many bytes on, and closes both sides.
    case cut(after: Int)
    /// Passes so many bytes on, and resets both sides.
    case reset(after: Int)
    /// Passes so many bytes on, and then none any more. The connection stays open.
    case hang(after: Int)
    /// Holds every byte back for this long.
    case delay(Duration)
    /// Passes no more than so many bytes a second on.
    case throttle(bytesPerSecond: Int)
    /// Passes so many bytes on, tells the client that the server says no more, and still takes what the client sends.
    case halfClose(after: Int)
    /// Passes so many bytes on, puts bytes that mean nothing after the server's next piece of them, and goes on.
    case garbage(after: Int, seed: UInt64)
    /// Passes the first bytes on one by one, with a pause before each: a handshake that takes its time.
    case dribble(first: Int, pause: Duration)

    /// A kind of fault, whatever its numbers.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// See ``Fault/none``.
        case none
        /// See ``Fault/refuse``.
        case refuse
        /// See ``Fault/stall``.
        case stall
        /// See ``Fault/cut(after:)``.
        case cut
        /// See ``Fault/reset(after:)``.
        case reset
        /// See ``Fault/hang(after:)``.
        case hang
        /// See ``Fault/delay(_:)``.
        case delay
        /// See ``Fault/throttle(bytesPerSecond:)``.
        case throttle
        /// See ``Fault/halfClose(after:)``.
        case halfClose
        /// See ``Fault/garbage(after:seed:)``.
        case garbage
        /// See ``Fault/dribble(first:pause:)``.
        case dribble
    }

    /// The kind of the fault.
    public var kind: Kind {
        switch self {
        case .none: .none
        case .refuse: .refuse
        case .stall: .stall
        case .cut: .cut
        case .reset: .reset
        case .hang: .hang
        case .delay: .delay
        case .throttle: .throttle
        case .halfClose: .halfClose
        case .garbage: .garbage
        case .dribble: .dribble
        }
    }
}
