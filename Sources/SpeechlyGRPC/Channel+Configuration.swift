import CgRPCShim

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

    static func makeHandle(address: GRPCAddress, configuration: Configuration) throws -> OpaquePointer {
        let arguments = Arguments()
        arguments.set("grpc.enable_retries", 0)
        arguments.set("grpc.max_receive_message_length", Int32(clamping: configuration.maximumReceiveMessageBytes))
        arguments.set("grpc.min_reconnect_backoff_ms", configuration.connectTimeout.positiveMilliseconds)
        arguments.set("grpc.initial_reconnect_backoff_ms", configuration.initialReconnectBackoff.positiveMilliseconds)
        arguments.set("grpc.max_reconnect_backoff_ms", configuration.maximumReconnectBackoff.positiveMilliseconds)
        if let keepalive = configuration.keepalive {
            arguments.set("grpc.keepalive_time_ms", keepalive.interval.positiveMilliseconds)
            arguments.set("grpc.keepalive_timeout_ms", keepalive.timeout.positiveMilliseconds)
            arguments.set("grpc.keepalive_permit_without_calls", keepalive.permitWithoutCalls ? 1 : 0)
            arguments.set("grpc.http2.max_pings_without_data", 0)
        }
        if configuration.ownConnection { arguments.set("grpc.use_local_subchannel_pool", 1) }
        if address.isLocal { arguments.set("grpc.enable_http_proxy", 0) }
        if let name = configuration.tls.serverName, address.secure {
            arguments.set("grpc.ssl_target_name_override", name)
        }
        let target: String
        if let path = address.unixPath {
            target = "unix:" + path.percentEncodedForTarget
        } else if let endpoint = address.endpoints.first {
            target = endpoint.target
        } else {
            throw GRPCStatus(code: .invalidArgument, message: "\(address): the address has no host")
        }
        let handle =
            try address.secure
            ? configuration.tls.withShim { spg_channel_create(target, $0, arguments.handle) }
            : spg_channel_create(target, nil, arguments.handle)
        guard let handle else {
            throw GRPCStatus(code: .invalidArgument, message: "\(address): libgrpc does not take this address")
        }
        return handle
    }
}

extension GRPCAddress {
    /// Whether every host is this machine: then a proxy would only be in the way.
    var isLocal: Bool {
        endpoints.allSatisfy {
            $0.host == "localhost" || $0.host.hasPrefix("127.") || $0.host == "::1" || $0.host == "0.0.0.0"
                || $0.host == "::"
        }
    }
}

extension GRPCAddress.Endpoint {
    /// As libgrpc wants it: literals go past its name resolver.
    var target: String {
        if GRPCAddress.isIPv4(host) { return "ipv4:\(description)" }
        if GRPCAddress.isIPv6(host) { return "ipv6:\(description.percentEncodedForTarget)" }
        return "dns:///\(description)"
    }
}

extension String {
    /// libgrpc reads targets as URIs.
    var percentEncodedForTarget: String {
        var result = ""
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let hex = String(byte, radix: 16, uppercase: true)
                result += hex.count == 1 ? "%0\(hex)" : "%\(hex)"
            }
        }
        return result
    }
}

/// Owns the settings that libgrpc gets with a channel or a server.
final class Arguments {
    let handle: OpaquePointer

    init() { handle = spg_arguments_new() }

    deinit { spg_arguments_free(handle) }

    func set(_ name: String, _ value: Int32) { spg_arguments_set_integer(handle, name, value) }

    func set(_ name: String, _ value: String) { spg_arguments_set_string(handle, name, value) }
}
