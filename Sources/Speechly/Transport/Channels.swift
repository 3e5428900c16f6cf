import SpeechlyGRPC

/// Creates a channel to a service. It connects when the first call is made, and asks a silent service every 20 s of a
/// call whether it is still there.
///
/// - Parameter addr: the address, as `GRPCAddress` reads it.
/// - Returns: a channel that verifies the service by the system's roots when the address asks for TLS.
/// - Throws: `GRPCAddress.ParseError`.
public func makeChannel(addr: String) throws -> Channel {
    try Channel(address: GRPCAddress(addr: addr), configuration: .watchful)
}

/// Creates call options that carry an access token, as `authorization: Bearer …`.
///
/// - Parameter token: the token, as the login returned it.
/// - Returns: call options with the token in their metadata.
public func makeTokenCallOptions(token: String) -> CallOptions {
    CallOptions(metadata: ["authorization": "Bearer \(token)"])
}

extension Channel.Configuration {
    /// For a channel that notices when its connection is dead.
    static let watchful = Self(keepalive: .init())

    /// The same for a channel that is replaced when it fails: it has a connection of its own, and makes no attempt to
    /// connect that its owner has not asked for.
    package var forOneAttempt: Self {
        var copy = self
        copy.ownConnection = true
        // libgrpc counts the pause from the beginning of the attempt before.
        copy.initialReconnectBackoff = connectTimeout.within() + .seconds(10)
        copy.maximumReconnectBackoff = copy.initialReconnectBackoff
        return copy
    }
}
