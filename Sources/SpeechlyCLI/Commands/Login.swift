import Foundation
import Speechly

/// `speechly login`: shows whether a service lets this device in.
struct Login: Command {
    private static let json = Option("json", .flag, help: "print one JSON object")
    private static let showToken = Option("show-token", .flag, help: "print the access token too; it is a secret")

    static let syntax = CommandSyntax(
        words: ["login"],
        summary: "log in at a service and show what the token allows",
        details: """
            Logs in as an application or a project, anew each time, and prints what the access token says.
            """,
        operands: .none,
        options: ServiceOptions.remoteOnly + [ConnectionOptions.timeout] + ConnectionOptions.tls + [
            ConnectionOptions.plaintextToken, json, showToken,
        ])

    let service: RemoteService
    let connection: ConnectionOptions
    let json: Bool
    let showsToken: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        service = try ServiceOptions.remote(arguments)
        connection = try ConnectionOptions(arguments, target: .remote(service))
        json = arguments.has(Self.json)
        showsToken = arguments.has(Self.showToken)
    }

    func run(output: StandardStream, error: StandardStream) async throws(CommandFailure) -> ExitStatus {
        let client = try connection.makeClient()
        let deviceId = client.deviceId
        await client.close()
        let token: ApiAccessToken
        do {
            let channel = try Channel(
                address: service.identity, configuration: Channel.Configuration(tls: connection.configuration.tls))
            defer { channel.close() }
            let identity = IdentityClient(
                channel: channel, timeout: connection.configuration.connectTimeout,
                allowsPlaintextToken: connection.configuration.allowsPlaintextToken)
            if let projectId = service.projectId {
                token = try await identity.authenticateProject(projectId: projectId, deviceId: deviceId)
            } else {
                token = try await identity.authenticate(appId: service.appId ?? UUID(), deviceId: deviceId)
            }
        } catch {
            throw CommandFailure("", Failure.login(error, at: service.identity.description).description)
        }
        try output.write((json ? jsonLine(token) : text(token)) + "\n")
        return .done
    }

    private func subject(_ token: ApiAccessToken) -> (key: String, id: String) {
        let id = (token.appId ?? token.projectId ?? token.key()).uuidString.lowercased()
        return (token.appId == nil ? "projectId" : "appId", id)
    }

    private func scopes(_ token: ApiAccessToken) -> [String] { token.scopes.map { "\($0)".lowercased() }.sorted() }

    private func jsonLine(_ token: ApiAccessToken) -> String {
        let subject = subject(token)
        var members = [
            JSON.Member(key: "event", value: "login"),
            JSON.Member(key: subject.key, value: .string(subject.id)),
            JSON.Member(key: "deviceId", value: .string(token.deviceId.uuidString.lowercased())),
            JSON.Member(key: "scopes", value: .array(scopes(token).map(JSON.string))),
            JSON.Member(key: "expiresAt", value: .string(token.expiresAt.formatted(.iso8601))),
        ]
        if showsToken { members.append(JSON.Member(key: "token", value: .string(token.tokenString))) }
        return JSON.object(members).text
    }

    private func text(_ token: ApiAccessToken) -> String {
        let subject = subject(token)
        let kind = subject.key == "appId" ? "application" : "project"
        var lines = [
            "logged in as \(kind) \(subject.id)",
            "device: \(token.deviceId.uuidString.lowercased())",
            "allows: \(scopes(token).joined(separator: ", "))",
            "valid until: \(token.expiresAt.formatted(.iso8601))",
        ]
        if showsToken { lines.append("token: \(token.tokenString)") }
        return lines.joined(separator: "\n")
    }
}
