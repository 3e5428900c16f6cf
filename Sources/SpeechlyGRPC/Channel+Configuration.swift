extension Channel {
    /// How a channel connects and what its calls may use.
    public struct Configuration: Sendable, Hashable {
        /// Pings that find out whether the peer is still there.
        public struct Keepalive: Sendable, Hashable {
            /// Without traffic for this long, a ping is sent. Servers may refuse less than their minimum.
            public var interval: Duration

            /// Without an answer for this long, the connection is given up.
            public var timeout: Duration

            /// Whether to ping while there are no calls.
            public var permitWithoutCalls: Bool

            /// Keepalive from its parts.
            public init(
                interval: Duration = .seconds(20), timeout: Duration = .seconds(5), permitWithoutCalls: Bool = false
            ) {
                self.interval = interval
                self.timeout = timeout
                self.permitWithoutCalls = permitWithoutCalls
            }
        }

        /// How TLS is done if the address asks for it. Not used otherwise.
        public var tls: ClientTLS

        /// Pings; `nil` for none.
        public var keepalive: Keepalive?

        /// A longer message from the server ends its call with ``GRPCStatus/Code/resourceExhausted``. In bytes.
        public var maximumReceiveMessageBytes: Int

        /// As much may be queued or on its way to the network per call before `send` reports
        /// ``SendResult/full``. In bytes.
        public var maximumBytesInFlight: Int

        /// One attempt to connect, TLS included, takes no longer.
        public var connectTimeout: Duration

        /// The pause after the first failed attempt to connect.
        public var initialReconnectBackoff: Duration

        /// The longest pause between attempts.
        public var maximumReconnectBackoff: Duration

        /// Whether the channel has a connection of its own, which no other channel uses.
        public var ownConnection: Bool

        /// Settings for a voice client; every one can be changed.
        public init(
            tls: ClientTLS = .init(), keepalive: Keepalive? = nil, maximumReceiveMessageBytes: Int = 4 << 20,
            maximumBytesInFlight: Int = 1 << 20, connectTimeout: Duration = .seconds(10),
            initialReconnectBackoff: Duration = .milliseconds(250), maximumReconnectBackoff: Duration = .seconds(5),
            ownConnection: Bool = false
        ) {
            self.tls = tls
            self.keepalive = keepalive
            self.maximumReceiveMessageBytes = maximumReceiveMessageBytes
            self.maximumBytesInFlight = maximumBytesInFlight
            self.connectTimeout = connectTimeout
            self.initialReconnectBackoff = initialReconnectBackoff
            self.maximumReconnectBackoff = maximumReconnectBackoff
            self.ownConnection = ownConnection
        }
    }
}
