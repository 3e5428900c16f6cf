import Foundation
import Speechly
import SpeechlyService

/// The options of `speechly serve` that say how it serves.
struct ServeOptions: Sendable {
    static let listen = Option(
        "listen", .list("ADDR"),
        help: "where to listen: grpc://host:port (port 0 takes a free one), grpc+tls://host:port or "
            + "grpc+unix:///path; grpc://127.0.0.1:0 unless given")
    static let certificate = Option(
        "tls-cert", .value("FILE"), help: "the certificate for grpc+tls://, PEM, followed by those that signed it")
    static let key = Option("tls-key", .value("FILE"), help: "the private key of the certificate, PEM")
    static let clientRoots = Option(
        "tls-client-ca", .value("FILE"), help: "take only clients with a certificate signed by one of these, PEM")
    static let plaintext = Option(
        "allow-plaintext", .flag,
        help: "listen without TLS where other machines can connect; for a place behind a proxy")
    static let tokenKeyFile = Option(
        "token-key-file", .value("FILE"), environment: "SPEECHLY_TOKEN_KEY_FILE",
        help: "the key that signs tokens, in a file that only its owner may read; SPEECHLY_TOKEN_KEY can hold the "
            + "key itself; a new random one unless given")
    static let tokenKey = Option("token-key", .value("KEY"), environment: "SPEECHLY_TOKEN_KEY", help: "")
    static let metrics = Option(
        "metrics", .value("PORT"), help: "serve counters for Prometheus at http://127.0.0.1:PORT/metrics")
    static let logLevel = Option(
        "log-level", .value("LEVEL"),
        help: "log as JSON on standard error: error, warning, info or debug; warning unless given")
    static let streams = Option("max-streams", .value("N"), help: "most streams at a time; 2000 unless given")
    static let streamsPerClient = Option(
        "max-streams-per-client", .value("N"), help: "most streams of one device at a time; 100 unless given")
    static let recognizers = Option(
        "max-recognizers", .value("N"), help: "most streams that are heard at a time; 32 unless given")
    static let grace = Option(
        "grace", .value("SECONDS"), help: "how long running calls may go on after SIGTERM; 10 unless given")

    static let all = [
        listen, certificate, key, clientRoots, plaintext, tokenKeyFile, metrics, logLevel, streams, streamsPerClient,
        recognizers, grace,
    ]

    let addresses: [GRPCAddress]
    let allowsPlaintext: Bool
    let metricsPort: Int?
    let logLevel: LogLevel
    let grace: Duration
    private let files: (certificate: String, key: String, clientRoots: String?)?
    private let tokenKeyFile: String?
    private let tokenKeyText: String?
    private let limits: (streams: Int?, streamsPerClient: Int?, recognizers: Int?)

    /// Whether a port is written in an address that needs one: to listen on the port of the web is nobody's wish.
    private static func hasPort(_ text: String, _ address: GRPCAddress) -> Bool {
        if address.unixPath != nil { return true }
        let authority = text.split(separator: "/").dropFirst().first ?? ""
        // An IPv6 address in brackets has colons of its own.
        return authority.split(separator: "]", omittingEmptySubsequences: false).last?.contains(":") == true
    }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        allowsPlaintext = arguments.has(Self.plaintext)
        switch (arguments.value(Self.certificate), arguments.value(Self.key)) {
        case (let certificate?, let key?): files = (certificate, key, arguments.value(Self.clientRoots))
        case (nil, nil): files = nil
        case (nil, _): throw UsageError(Self.certificate.spelling, "needed with \(Self.key.spelling)")
        case (_, nil): throw UsageError(Self.key.spelling, "needed with \(Self.certificate.spelling)")
        }
        if files == nil, arguments.has(Self.clientRoots) {
            throw UsageError(Self.clientRoots.spelling, "needs \(Self.certificate.spelling) too")
        }
        var addresses: [GRPCAddress] = []
        for text in arguments.list(Self.listen) {
            let address = try ServiceOptions.address(text, origin: Self.listen.spelling)
            guard Self.hasPort(text, address) else {
                throw UsageError(
                    Self.listen.spelling, "'\(text)' has no port: write '\(text):50051', or '\(text):0' for a free one")
            }
            if address.secure, files == nil {
                throw UsageError(
                    Self.listen.spelling,
                    "'\(text)': TLS needs \(Self.certificate.spelling) and \(Self.key.spelling)")
            }
            if !address.secure, !address.isLocal, !allowsPlaintext {
                throw UsageError(
                    Self.listen.spelling,
                    "'\(text)': other machines would reach it in plaintext: write grpc+tls://, or add "
                        + "\(Self.plaintext.spelling) if a proxy protects it")
            }
            addresses.append(address)
        }
        self.addresses = addresses.isEmpty ? [GRPCAddress(host: "127.0.0.1", port: 0, secure: false)] : addresses
        if files != nil, !self.addresses.contains(where: \.secure) {
            throw UsageError(
                Self.certificate.spelling, "no address uses it: write \(Self.listen.spelling) grpc+tls://…")
        }
        // The file wins where it is given as an option; two variables contradict each other.
        tokenKeyFile = arguments.value(Self.tokenKeyFile)
        tokenKeyText = arguments.environmentValue(Self.tokenKey)
        if tokenKeyText != nil, !arguments.has(Self.tokenKeyFile), tokenKeyFile != nil {
            throw UsageError("SPEECHLY_TOKEN_KEY", "SPEECHLY_TOKEN_KEY_FILE is set too: unset one of them")
        }
        metricsPort = try Self.number(Self.metrics, arguments, 0...65_535)
        limits = (
            try Self.number(Self.streams, arguments, 1...1_000_000),
            try Self.number(Self.streamsPerClient, arguments, 1...1_000_000),
            try Self.number(Self.recognizers, arguments, 1...100_000)
        )
        let levels = ["error": LogLevel.error, "warning": .warning, "info": .info, "debug": .debug]
        let level = arguments.value(Self.logLevel) ?? "warning"
        guard let known = levels[level] else {
            throw UsageError(Self.logLevel.spelling, "'\(level)': write error, warning, info or debug")
        }
        logLevel = known
        if let text = arguments.value(Self.grace) {
            guard let seconds = Double(text), (0...86_400).contains(seconds) else {
                throw UsageError(Self.grace.spelling, "'\(text)' is not a number of seconds from 0 to 86400")
            }
            grace = .milliseconds(Int64(seconds * 1000))
        } else {
            grace = .seconds(10)
        }
    }

    private static func number(
        _ option: Option, _ arguments: ParsedArguments, _ range: ClosedRange<Int>
    ) throws(UsageError) -> Int? {
        guard let text = arguments.value(option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                option.spelling, "'\(text)' is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Puts key and limits into a configuration.
    func apply(to configuration: inout ServiceConfiguration) throws(CommandFailure) {
        if let streams = limits.streams { configuration.maximumStreams = streams }
        if let streams = limits.streamsPerClient { configuration.maximumStreamsPerClient = streams }
        if let recognizers = limits.recognizers { configuration.maximumRecognizers = recognizers }
        do throws(TokenKeyError) {
            if let tokenKeyFile {
                configuration.tokenKey = try TokenKey(contentsOfFile: tokenKeyFile)
            } else if let tokenKeyText {
                configuration.tokenKey = try TokenKey(text: tokenKeyText, origin: "SPEECHLY_TOKEN_KEY")
            }
        } catch {
            throw CommandFailure("", error.description)
        }
    }

    /// The transport's settings, with the certificate.
    func settings() throws(CommandFailure) -> Server.Configuration {
        guard let files else { return Server.Configuration() }
        let roots: [UInt8]? = if let path = files.clientRoots { try Self.read(path) } else { nil }
        return Server.Configuration(
            tls: ServerTLS(
                certificateChainPEM: try Self.read(files.certificate), privateKeyPEM: try Self.read(files.key),
                clientRootsPEM: roots))
    }

    private static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        do {
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw CommandFailure(path, "cannot be read")
        }
    }
}
