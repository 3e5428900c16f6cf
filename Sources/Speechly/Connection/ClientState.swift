/// What a client is doing, as far as its owner needs to know.
///
/// While the connection of a context is being made anew, the state is ``connecting``: what is said is kept and sent
/// once it is back.
public enum ClientState: Sendable, Hashable {
    /// There is no connection, and none is needed now.
    case disconnected
    /// A context waits for login, connection or the service's acknowledgement.
    case connecting
    /// There is a connection and no context.
    case connected
    /// A context is open for audio, and the service has acknowledged it.
    case listening
    /// No context takes audio any more; the last results are awaited.
    case stopping
    /// Something failed that trying again cannot mend, such as an app id that the service does not know. The next
    /// start tries all the same.
    case failed(Failure)
}

/// A new state of a client, and why.
public struct ClientStateChange: Sendable, Hashable {
    /// Why a state has changed.
    public enum Reason: Sendable, Hashable {
        /// The owner started, stopped, suspended or resumed.
        case requested
        /// The connection is there.
        case connected
        /// The service has acknowledged the context.
        case contextStarted
        /// The audio has come to its end by itself: that of a file or another source, or the microphone is gone.
        case audioEnded
        /// The service has finished the context.
        case contextFinished
        /// The connection was not used for a while, and is closed.
        case idle
        /// The connection is lost, or could not be made; with ``ClientState/connecting``, another attempt follows.
        case connectionLost(Failure)
        /// What was under way has failed.
        case failed(Failure)
    }

    /// The state from now on.
    public let state: ClientState
    /// Why.
    public let reason: Reason

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - state: the state from now on.
    ///   - reason: why.
    public init(state: ClientState, reason: Reason) {
        self.state = state
        self.reason = reason
    }
}
