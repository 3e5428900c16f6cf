import CgRPCShim

/// An address and its settings in libgrpc's terms.
struct ChannelTarget: Sendable {
    let address: GRPCAddress
    let configuration: Channel.Configuration

    init(address: GRPCAddress, configuration: Channel.Configuration) throws {
        guard address.unixPath != nil || !address.endpoints.isEmpty else {
            throw GRPCStatus(code: .invalidArgument, message: "\(address): the address has no host")
        }
        for endpoint in address.endpoints where !(0...65_535 ~= endpoint.port) || endpoint.host.isEmpty {
            throw GRPCStatus(code: .invalidArgument, message: "\(address): '\(endpoint)' is not a host and a port")
        }
        self.address = address
        self.configuration = configuration
    }

    /// The target, unless names have to be looked up first: libgrpc takes lists of IP addresses only.
    var name: String? {
        if let path = address.unixPath { return "unix:" + path.percentEncodedForTarget }
        if address.endpoints.count == 1 { return address.endpoints[0].target }
        guard address.endpoints.allSatisfy({ GRPCAddress.isIPv4($0.host) || GRPCAddress.isIPv6($0.host) }) else {
            return nil
        }
        return Self.list(address.endpoints)
    }

    /// A list has one family; among IPv6 addresses, IPv4 ones are written as IPv6 does.
    static func list(_ endpoints: [GRPCAddress.Endpoint]) -> String {
        guard !endpoints.allSatisfy({ GRPCAddress.isIPv4($0.host) }) else {
            return "ipv4:" + endpoints.map(\.description).joined(separator: ",")
        }
        let addresses = endpoints.map { endpoint in
            let host = GRPCAddress.isIPv4(endpoint.host) ? "::ffff:\(endpoint.host)" : endpoint.host
            return "[\(host)]:\(endpoint.port)".percentEncodedForTarget
        }
        return "ipv6:" + addresses.joined(separator: ",")
    }

    /// A C channel to a target in the words of ``name``.
    func makeChannel(_ name: String) throws -> OpaquePointer? {
        let arguments = makeArguments()
        guard address.secure else { return spg_channel_create(name, nil, arguments.handle) }
        return try configuration.tls.withShim { spg_channel_create(name, $0, arguments.handle) }
    }

    /// The same for a C channel that was waiting for it.
    func set(_ name: String, on channel: OpaquePointer) throws -> Bool {
        let arguments = makeArguments()
        guard address.secure else { return spg_channel_set_target(channel, name, nil, arguments.handle) }
        return try configuration.tls.withShim { spg_channel_set_target(channel, name, $0, arguments.handle) }
    }

    private func makeArguments() -> Arguments {
        let arguments = Arguments()
        // A stream that has begun is never resumed by libgrpc, and keeping what was sent costs memory.
        arguments.set("grpc.enable_retries", 0)
        // libgrpc's books about every call and connection, which nobody here reads.
        arguments.set("grpc.enable_channelz", 0)
        arguments.set("grpc.service_config_disable_resolution", 1)
        arguments.set("grpc.max_receive_message_length", Int32(clamping: configuration.maximumReceiveMessageBytes))
        // Despite its name, this is how long one attempt to connect may take.
        arguments.set("grpc.min_reconnect_backoff_ms", configuration.connectTimeout.positiveMilliseconds)
        arguments.set("grpc.dns_ares_query_timeout", configuration.connectTimeout.positiveMilliseconds)
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
        if address.endpoints.count > 1 {
            arguments.set("grpc.service_config", #"{"loadBalancingConfig":[{"round_robin":{}}]}"#)
            arguments.set("grpc.default_authority", address.endpoints[0].description)
            arguments.set("grpc.enable_http_proxy", 0)
        }
        if address.secure, let name = configuration.tls.serverName ?? (address.endpoints.count > 1 ? address.host : nil)
        {
            arguments.set("grpc.ssl_target_name_override", name)
        }
        return arguments
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
