import Foundation

/// Logs in: exchanges identifiers for an access token.
public protocol IdentityClientProtocol: Sendable {
    /// Logs in for one application.
    ///
    /// - Parameters:
    ///   - appId: the application.
    ///   - deviceId: this device.
    /// - Returns: a token for the application.
    func authenticate(appId: UUID, deviceId: UUID) async throws -> ApiAccessToken

    /// Logs in for all applications of a project.
    ///
    /// - Parameters:
    ///   - projectId: the project.
    ///   - deviceId: this device.
    /// - Returns: a token for the project.
    func authenticateProject(projectId: UUID, deviceId: UUID) async throws -> ApiAccessToken

    /// Forgets a token that a service has refused, so that the next login asks for a new one.
    ///
    /// - Parameter token: the refused token.
    func invalidate(token: ApiAccessToken)
}

extension IdentityClientProtocol {
    /// Does nothing: there is no memory to forget it from.
    public func invalidate(token: ApiAccessToken) {}
}
