extension Server {
    /// What a server asks of its clients and allows them.
    public struct Configuration: Sendable, Hashable {
        /// The server's certificate; needed for, and only for, an address with TLS.
        public var tls: ServerTLS?

        /// A longer message from a client ends its call with ``GRPCStatus/Code/resourceExhausted``. In bytes.
        public var maximumReceiveMessageBytes: Int

        /// The most metadata that a call may come with. In bytes.
        public var maximumMetadataBytes: Int

        /// The most calls at a time on one connection; others wait at the client.
        public var maximumConcurrentStreams: Int

        /// Clients may send keepalive pings this often.
        public var minimumPingInterval: Duration

        /// As much may be queued or on its way to the network per call before `send` reports
        /// ``SendResult/full``. In bytes.
        public var maximumBytesInFlight: Int

        /// Settings for a voice service; every one can be changed.
        public init(
            tls: ServerTLS? = nil, maximumReceiveMessageBytes: Int = 4 << 20, maximumMetadataBytes: Int = 16 << 10,
            maximumConcurrentStreams: Int = 10_000, minimumPingInterval: Duration = .seconds(5),
            maximumBytesInFlight: Int = 1 << 20
        ) {
            self.tls = tls
            self.maximumReceiveMessageBytes = maximumReceiveMessageBytes
            self.maximumMetadataBytes = maximumMetadataBytes
            self.maximumConcurrentStreams = maximumConcurrentStreams
            self.minimumPingInterval = minimumPingInterval
            self.maximumBytesInFlight = maximumBytesInFlight
        }

        var arguments: Arguments {
            let arguments = Arguments()
            arguments.set("grpc.max_receive_message_length", Int32(clamping: maximumReceiveMessageBytes))
            arguments.set("grpc.max_metadata_size", Int32(clamping: maximumMetadataBytes))
            arguments.set("grpc.max_concurrent_streams", Int32(clamping: maximumConcurrentStreams))
            arguments.set("grpc.keepalive_permit_without_calls", 1)
            arguments.set("grpc.http2.min_ping_interval_without_data_ms", minimumPingInterval.positiveMilliseconds)
            // libgrpc's books about every call and connection, which nobody here reads.
            arguments.set("grpc.enable_channelz", 0)
            // Two servers on one port would share its calls at random.
            arguments.set("grpc.so_reuseport", 0)
            return arguments
        }
    }
}
