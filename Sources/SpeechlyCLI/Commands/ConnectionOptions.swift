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
        help: "how many attempts in a row to make to go on where the connection broke; 5 unless given, some 3 s")
    static let roots = Option(
        "tls-roots", .value("FILE.pem"), environment: "SPEECHLY_TLS_ROOTS",
        help: "trust these certificates for grpc+tls instead of the system's")

    static let plaintextToken = Option(
        "allow-plaintext-token", .flag,
        help: "let the access token go over a network in plain text, with grpc:// and another machine")

    let target: ServiceTarget
    var configuration: ClientConfiguration

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
        configuration.maximumReconnects = 5
        if let text = arguments.value(Self.reconnects) {
            guard let count = Int(text), (0...1000).contains(count) else {
                throw UsageError(Self.reconnects.spelling, "'\(text)' is not a number from 0 to 1000")
            }
            configuration.maximumReconnects = count
        }
        if let path = arguments.value(Self.roots) {
            configuration.tls.rootsPEM = try Self.certificates(path, origin: arguments.origin(of: Self.roots))
        }
        configuration.allowsPlaintextToken = arguments.has(Self.plaintextToken)
        self.configuration = configuration
    }

    private static func certificates(_ path: String, origin: String) throws(UsageError) -> [UInt8] {
        let bytes: [UInt8]
        switch readWhole(path) {
        case .success(let read): bytes = read
        case .failure(let reason): throw UsageError(origin, "cannot read '\(path)': \(reason)")
        }
        guard String(decoding: bytes, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----") else {
            throw UsageError(origin, "'\(path)' has no certificate in PEM form (-----BEGIN CERTIFICATE-----)")
        }
        return bytes
    }

    /// The app to name at each start: with a project login, every one has to.
    var startAppId: String? {
        guard case .remote(let service) = target, service.projectId != nil else { return nil }
        return service.appId?.uuidString.lowercased()
    }

    /// A client that opens no microphone.
    func makeClient() throws(CommandFailure) -> Client {
        switch target {
        case .embedded(let config):
            let service = try embeddedConfiguration(config)
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
