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
            guard let bytes = FileManager.default.contents(atPath: path) else {
                throw UsageError(arguments.origin(of: Self.roots), "cannot read '\(path)'")
            }
            configuration.tls.rootsPEM = Array(bytes)
        }
        configuration.allowsPlaintextToken = arguments.has(Self.plaintextToken)
        self.configuration = configuration
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
