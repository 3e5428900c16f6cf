import Foundation
import Speechly
import SpeechlyService

/// The options that say how a client talks to its service, and the client made by them.
struct ConnectionOptions: Sendable {
    static let language = Option(
        "language", .value("TAG"), environment: "SPEECHLY_LANGUAGE",
        help: "the language of the speech or text, such as en-US; the application's unless given")
    static let timeout = Option(
        "connect-timeout", .value("SECONDS"), help: "how long connecting or logging in may take; 10 unless given")
    static let reconnects = Option(
        "reconnects", .value("N"),
        help: "how many attempts in a row to make to go on where the connection broke; 8 unless given, some 4 s")
    static let pause = Option(
        "pause", .value("MS"),
        help: "a silence this long ends a segment, in milliseconds; 0 for never; as the configuration says unless given"
    )
    static let roots = Option(
        "tls-roots", .value("FILE.pem"), environment: "SPEECHLY_TLS_ROOTS",
        help: "trust these certificates for grpc+tls instead of the system's")
    static let certificate = Option(
        "tls-cert", .value("FILE.pem"), environment: "SPEECHLY_TLS_CERT",
        help: "show this certificate to a service that takes only clients that have one")
    static let key = Option(
        "tls-key", .value("FILE.pem"), environment: "SPEECHLY_TLS_KEY", help: "the private key of the certificate")
    static let tls = [roots, certificate, key]

    static let plaintextToken = Option(
        "allow-plaintext-token", .flag,
        help: "let the access token go over a network in plain text, with grpc:// and another machine")

    let target: ServiceTarget
    var configuration: ClientConfiguration
    /// What each context is started with.
    let contextOptions: ContextOptions

    /// - Parameter target: which service; read by the command, since some need one at an address.
    init(_ arguments: ParsedArguments, target: ServiceTarget) throws(UsageError) {
        self.target = target
        var configuration = ClientConfiguration()
        configuration.languageCode = arguments.value(Self.language)
        if let text = arguments.value(Self.timeout) {
            guard let seconds = Double(text), (0.001...3600).contains(seconds) else {
                throw UsageError(Self.timeout.spelling, "'\(text)' is not a number of seconds from 0.001 to 3600")
            }
            configuration.connectTimeout = .milliseconds(Int64((seconds * 1000).rounded(.up)))
        }
        configuration.maximumReconnects = 8
        if let text = arguments.value(Self.reconnects) {
            guard let count = Int(text), (0...1000).contains(count) else {
                throw UsageError(Self.reconnects.spelling, "'\(text)' is not a number from 0 to 1000")
            }
            configuration.maximumReconnects = count
        }
        var options = ContextOptions()
        if let text = arguments.value(Self.pause) {
            guard let count = Int(text), (0...600_000).contains(count) else {
                throw UsageError(Self.pause.spelling, "'\(text)' is not a number of milliseconds from 0 to 600000")
            }
            options.silenceTriggeredSegmentation = .milliseconds(count)
        }
        contextOptions = options
        configuration.tls.rootsPEM = try Self.pem(Self.roots, arguments, "CERTIFICATE")
        configuration.tls.certificateChainPEM = try Self.pem(Self.certificate, arguments, "CERTIFICATE")
        configuration.tls.privateKeyPEM = try Self.pem(Self.key, arguments, "PRIVATE KEY")
        for (given, needed) in [(Self.certificate, Self.key), (Self.key, Self.certificate)]
        where arguments.value(given) != nil && arguments.value(needed) == nil {
            throw UsageError(needed.spelling, "needed with \(arguments.origin(of: given))")
        }
        configuration.allowsPlaintextToken = arguments.has(Self.plaintextToken)
        self.configuration = configuration
    }

    /// The contents of a file that has to hold something in PEM form.
    private static func pem(
        _ option: Option, _ arguments: ParsedArguments, _ label: String
    ) throws(UsageError) -> [UInt8]? {
        guard let path = arguments.value(option) else { return nil }
        let origin = arguments.origin(of: option)
        let bytes: [UInt8]
        switch readWhole(path) {
        case .success(let read): bytes = read
        case .failure(let reason): throw UsageError(origin, "cannot read '\(path)': \(reason)")
        }
        // 'BEGIN EC PRIVATE KEY' is one too.
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard lines.contains(where: { $0.hasPrefix("-----BEGIN ") && $0.contains("\(label)-----") }) else {
            throw UsageError(
                origin, "'\(path)' has no \(label.lowercased()) in PEM form (-----BEGIN \(label)-----)")
        }
        return bytes
    }

    /// The app to name at each start: with a project login, every one has to.
    var startAppId: String? {
        guard case .remote(let service) = target, service.projectId != nil else { return nil }
        return service.appId?.uuidString.lowercased()
    }

    /// A client that opens no microphone.
    /// - Parameter pause: how long a silence ends a segment where the embedded service's configuration says nothing.
    func makeClient(pause: Duration = .zero) throws(CommandFailure) -> Client {
        switch target {
        case .embedded(let config):
            var service = try embeddedConfiguration(config)
            if service.silenceTriggeredSegmentation == .zero { service.silenceTriggeredSegmentation = pause }
            return try client { try Client(embedded: service, prepareOnInit: false, configuration: configuration) }
        case .remote(let service):
            return try client {
                try Client(
                    appId: service.appId, projectId: service.projectId, prepareOnInit: false,
                    identityAddr: service.identity.description, sluAddr: service.slu.description,
                    configuration: configuration)
            }
        }
    }

    private func embeddedConfiguration(_ path: String?) throws(CommandFailure) -> ServiceConfiguration {
        guard let path else { return ServiceConfiguration() }
        return try SALFile.configuration(path)
    }

    private func client(_ make: () throws -> Client) throws(CommandFailure) -> Client {
        do {
            return try make()
        } catch {
            throw CommandFailure("", String(describing: error))
        }
    }
}

/// Does something with a client, and closes it before it returns or throws: nothing of it outlives the process.
func closing<Result>(
    _ client: Client, _ body: () async throws(CommandFailure) -> Result
) async throws(CommandFailure) -> Result {
    do throws(CommandFailure) {
        let result = try await body()
        await client.close()
        return result
    } catch {
        await client.close()
        throw error
    }
}
