import Foundation
import SpeechlyGRPC
import SpeechlyProto

/// Logs in at an identity service.
public final class IdentityClient: IdentityClientProtocol {
    /// What can be wrong with the answer to a login.
    public enum IdentityClientError: Error, Hashable, Sendable {
        /// The access token cannot be read.
        case invalidTokenPayload
    }

    private static let path = "/speechly.identity.v2.IdentityAPI/Login"

    private let channel: RenewableChannel
    private let timeout: Duration
    private let allowsPlaintextToken: Bool
    private let now: @Sendable () -> Date

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - addr: the address of the identity service, as `GRPCAddress` reads it.
    ///   - allowsPlaintextToken: whether the access token may come over a network in plain text.
    /// - Throws: `GRPCAddress.ParseError`.
    public convenience init(addr: String, allowsPlaintextToken: Bool = false) throws {
        let address = try GRPCAddress(addr: addr)
        self.init(
            channel: try RenewableChannel(address: address, watch: SystemWatch.watch(for: address)),
            timeout: .seconds(10), allowsPlaintextToken: allowsPlaintextToken)
    }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - channel: the channel to the identity service.
    ///   - allowsPlaintextToken: whether the access token may come over a network in plain text.
    public convenience init(channel: Channel, allowsPlaintextToken: Bool = false) {
        self.init(channel: channel, timeout: .seconds(10), allowsPlaintextToken: allowsPlaintextToken)
    }

    package convenience init(
        channel: Channel, timeout: Duration, allowsPlaintextToken: Bool = false,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(
            channel: RenewableChannel(channel), timeout: timeout, allowsPlaintextToken: allowsPlaintextToken, now: now)
    }

    init(
        channel: RenewableChannel, timeout: Duration, allowsPlaintextToken: Bool = false,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.channel = channel
        self.allowsPlaintextToken = allowsPlaintextToken
        self.timeout = timeout
        self.now = now
    }

    /// Logs in for one application.
    ///
    /// - Parameters:
    ///   - appId: the application.
    ///   - deviceId: this device.
    /// - Throws: `GRPCStatus`, `IdentityClientError`, or a `Failure` when the token would come in plain text.
    public func authenticate(appId: UUID, deviceId: UUID) async throws -> ApiAccessToken {
        try await login(
            LoginRequest(
                deviceId: deviceId.uuidString.lowercased(),
                scope: .application(ApplicationScope(appId: appId.uuidString.lowercased()))))
    }

    /// Logs in for all applications of a project.
    ///
    /// - Parameters:
    ///   - projectId: the project.
    ///   - deviceId: this device.
    /// - Throws: `GRPCStatus`, `IdentityClientError`, or a `Failure` when the token would come in plain text.
    public func authenticateProject(projectId: UUID, deviceId: UUID) async throws -> ApiAccessToken {
        try await login(
            LoginRequest(
                deviceId: deviceId.uuidString.lowercased(),
                scope: .project(ProjectScope(projectId: projectId.uuidString.lowercased()))))
    }

    private func login(_ request: LoginRequest) async throws -> ApiAccessToken {
        try TokenSafety.check(channel.address, allowsPlaintext: allowsPlaintextToken)
        let answer = try await channel.unary(
            path: Self.path, request: request.serializedBytes(), options: CallOptions(timeout: timeout))
        let response = try LoginResponse(serializedBytes: answer.message)
        guard let token = ApiAccessToken(tokenString: response.token) else {
            throw IdentityClientError.invalidTokenPayload
        }
        return token.received(validFor: response.validForS, now: now())
    }
}

extension IdentityClient.IdentityClientError: CustomStringConvertible, LocalizedError {
    /// What is wrong.
    public var description: String { "the access token in the answer to the login cannot be read" }

    /// The same as `description`.
    public var errorDescription: String? { description }
}
