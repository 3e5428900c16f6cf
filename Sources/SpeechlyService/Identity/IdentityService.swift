import Foundation
import SpeechlyGRPC
import SpeechlyProto

/// Answers the Identity service, and says who sent a call.
struct IdentityService: Sendable {
    let authority: TokenAuthority
    let applications: ApplicationDirectory

    /// Answers `Login`.
    func login(_ request: LoginRequest) throws(GRPCStatus) -> LoginResponse {
        guard UUID(uuidString: request.deviceId) != nil else {
            throw .invalid("device_id '\(ApplicationDirectory.shown(request.deviceId))' is not a UUID")
        }
        let scope: TokenClaims.Scope
        switch request.scope {
        case .application(let application)?:
            try check(application.appId, name: "app_id", kind: "application", known: applications.appIds)
            scope = .application(application.appId)
        case .project(let project)?:
            try check(project.projectId, name: "project_id", kind: "project", known: applications.projectIds)
            scope = .project(project.projectId)
        case nil: throw .invalid("the login names neither an application nor a project")
        }
        do throws(TokenError) {
            let (token, claims) = try authority.issue(scope, deviceId: request.deviceId)
            return LoginResponse(
                token: token, validForS: UInt32(TokenAuthority.lifetime), expiresAtEpoch: UInt64(claims.expiresAt),
                expiresAt: Timestamp.iso8601(claims.expiresAt))
        } catch {
            throw GRPCStatus(code: .internal, message: error.description)
        }
    }

    private func check(_ id: String, name: String, kind: String, known: Set<UUID>?) throws(GRPCStatus) {
        guard let uuid = UUID(uuidString: id) else {
            throw .invalid("\(name) '\(ApplicationDirectory.shown(id))' is not a UUID")
        }
        guard known?.contains(uuid) ?? true else {
            throw GRPCStatus(code: .notFound, message: "there is no \(kind) \(id) on this service")
        }
    }

    /// Says who sent a call, by its metadata.
    func authenticate(_ metadata: Metadata) throws(GRPCStatus) -> TokenClaims {
        guard let authorization = metadata["authorization"] else { throw .denied(.missing) }
        let scheme = authorization.prefix(7)
        guard scheme.lowercased() == "bearer " else { throw .denied(.missing) }
        do throws(TokenError) {
            return try authority.verify(authorization.dropFirst(7).trimmingCharacters(in: .whitespaces))
        } catch {
            throw .denied(error)
        }
    }
}
