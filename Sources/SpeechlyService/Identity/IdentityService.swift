import Foundation
import SpeechlyGRPC
import SpeechlyProto

/// Answers the Identity services, and says who sent a call.
struct IdentityService: Sendable {
    let authority: TokenAuthority
    let catalog: ApplicationCatalog
    let monitor: ServiceMonitor

    /// Answers `Login`.
    func login(_ request: LoginRequest) throws(GRPCStatus) -> LoginResponse {
        try counted { () throws(GRPCStatus) in
            switch request.scope {
            case .application(let scope)?: try issue(application: scope.appId, device: request.deviceId)
            case .project(let scope)?: try issue(project: scope.projectId, device: request.deviceId)
            case nil: throw .invalid("the login names neither an application nor a project")
            }
        }
    }

    /// Answers `Login` of older clients.
    func login(_ request: IdentityV1LoginRequest) throws(GRPCStatus) -> IdentityV1LoginResponse {
        try counted { () throws(GRPCStatus) in
            let response = try issue(
                application: request.appId, device: request.deviceId, language: request.languageCode)
            return IdentityV1LoginResponse(token: response.token)
        }
    }

    private func counted<Response>(_ body: () throws(GRPCStatus) -> Response) throws(GRPCStatus) -> Response {
        do throws(GRPCStatus) {
            let response = try body()
            monitor.login(.ok, message: nil)
            return response
        } catch {
            monitor.login(error.code, message: error.message)
            throw error
        }
    }

    private func issue(
        application id: String, device: String, language: String = ""
    ) throws(GRPCStatus) -> LoginResponse {
        let uuid = try read(id, "app_id")
        guard let application = catalog.current.application(uuid) else {
            throw GRPCStatus(code: .notFound, message: "there is no application \(id) on this service")
        }
        try application.checkLanguage(language)
        return try issue(.application(id), device: device)
    }

    private func issue(project id: String, device: String) throws(GRPCStatus) -> LoginResponse {
        guard catalog.current.hasProject(try read(id, "project_id")) else {
            throw GRPCStatus(code: .notFound, message: "there is no project \(id) on this service")
        }
        return try issue(.project(id), device: device)
    }

    private func issue(_ scope: TokenClaims.Scope, device: String) throws(GRPCStatus) -> LoginResponse {
        _ = try read(device, "device_id")
        do throws(TokenError) {
            let (token, claims) = try authority.issue(scope, deviceId: device)
            return LoginResponse(
                token: token, validForS: UInt32(TokenAuthority.lifetime), expiresAtEpoch: UInt64(claims.expiresAt),
                expiresAt: Timestamp.iso8601(claims.expiresAt))
        } catch {
            throw GRPCStatus(code: .internal, message: error.description)
        }
    }

    private func read(_ id: String, _ name: String) throws(GRPCStatus) -> UUID {
        guard let uuid = UUID(uuidString: id) else {
            throw .invalid("\(name) '\(ApplicationDirectory.shown(id))' is not a UUID")
        }
        return uuid
    }

    /// Says who sent a call.
    func authenticate(_ context: ServerCallContext) throws(GRPCStatus) -> TokenClaims {
        do throws(TokenError) {
            guard let authorization = context.metadata["authorization"],
                authorization.prefix(7).lowercased() == "bearer "
            else { throw .missing }
            return try authority.verify(authorization.dropFirst(7).trimmingCharacters(in: .whitespaces))
        } catch {
            monitor.tokenRefused(error, peer: context.peer)
            throw .denied(error)
        }
    }
}
