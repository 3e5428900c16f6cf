import Foundation
import Speechly

/// Which service a command talks to: one inside the process, or one at an address.
enum ServiceTarget: Sendable {
    /// The embedded service with the SAL of a file, or with open vocabulary.
    case embedded(config: String?)
    case remote(RemoteService)
}

/// A service at an address.
struct RemoteService: Sendable {
    let identity: GRPCAddress
    let slu: GRPCAddress
    let appId: UUID?
    let projectId: UUID?
}

/// The options that say which service, and how they are read.
enum ServiceOptions {
    static let config = Option(
        "config", letter: "c", .value("CONFIG"), environment: "SPEECHLY_CONFIG",
        help: "use the embedded service, with what this file describes")
    static let slu = Option(
        "slu-addr", .value("ADDR"), environment: "SPEECHLY_SLU_ADDR",
        help: "use the service at this address: grpc://host:port, grpc+tls://host or grpc+unix:///path")
    static let identity = Option(
        "identity-addr", .value("ADDR"), environment: "SPEECHLY_IDENTITY_ADDR",
        help: "log in at this address; the same as --slu-addr unless given")
    static let app = Option(
        "app-id", .value("UUID"), environment: "SPEECHLY_APP_ID", help: "the application to log in as")
    static let project = Option(
        "project-id", .value("UUID"), environment: "SPEECHLY_PROJECT_ID", help: "the project to log in as")

    /// The project where one of its applications is needed too.
    static let projectOfApp = Option(
        "project-id", .value("UUID"), environment: "SPEECHLY_PROJECT_ID",
        help: "the project to log in as; --app-id then says which of its applications is meant")

    static let all = [config, slu, identity, app, projectOfApp]
    static let remoteOnly = [slu, identity, app, project]

    /// Options win over the environment; without either it is the embedded service with open vocabulary.
    static func target(_ arguments: ParsedArguments) throws(UsageError) -> ServiceTarget {
        let named = [slu, identity].filter(arguments.has)
        if arguments.has(config), let address = named.first {
            throw UsageError(config.spelling, "give either a configuration or \(address.spelling), not both")
        }
        let inEnvironment = [slu, identity].contains { arguments.environmentValue($0) != nil }
        if arguments.has(config) || (named.isEmpty && !inEnvironment) {
            return .embedded(config: arguments.value(config))
        }
        if named.isEmpty, arguments.environmentValue(config) != nil {
            throw UsageError("SPEECHLY_CONFIG", "an address is set in the environment too: unset one of them")
        }
        return .remote(try remote(arguments, needsApp: true))
    }

    /// The service at an address, which must be given.
    ///
    /// - Parameter needsApp: whether a project alone is not enough.
    static func remote(_ arguments: ParsedArguments, needsApp: Bool = false) throws(UsageError) -> RemoteService {
        let slu = try address(slu, arguments)
        let identity = try address(identity, arguments)
        guard let one = slu ?? identity else {
            throw UsageError("--slu-addr", "needed: the address of the service, such as grpc://127.0.0.1:50051")
        }
        let appId = try uuid(app, arguments)
        let projectId = try uuid(project, arguments)
        guard appId != nil || projectId != nil else {
            let alternative = needsApp ? "" : " (or --project-id for a whole project)"
            throw UsageError("--app-id", "needed: the application's UUID\(alternative)")
        }
        return RemoteService(identity: identity ?? one, slu: slu ?? one, appId: appId, projectId: projectId)
    }

    static func address(_ option: Option, _ arguments: ParsedArguments) throws(UsageError) -> GRPCAddress? {
        guard let text = arguments.value(option) else { return nil }
        return try address(text, origin: arguments.origin(of: option))
    }

    static func address(_ text: String, origin: String) throws(UsageError) -> GRPCAddress {
        do {
            return try GRPCAddress(addr: text)
        } catch {
            throw UsageError(origin, "'\(text)': \(error)")
        }
    }

    static func uuid(_ option: Option, _ arguments: ParsedArguments) throws(UsageError) -> UUID? {
        guard let text = arguments.value(option) else { return nil }
        return try uuid(text, origin: arguments.origin(of: option))
    }

    static func uuid(_ text: String, origin: String) throws(UsageError) -> UUID {
        guard let id = UUID(uuidString: text) else {
            throw UsageError(
                origin, "'\(text)' is not a UUID such as 9e1fdd76-1f0b-4b0a-8ad1-5d2f8a9e0c11")
        }
        return id
    }
}
