import Foundation

/// What a token says about its holder.
struct TokenClaims: Sendable, Hashable {
    /// What the holder may use. The ids are spelled as the holder sent them at login.
    enum Scope: Sendable, Hashable {
        case application(String)
        case project(String)
    }

    var scope: Scope
    var deviceId: String
    var issuedAt: Int
    var expiresAt: Int

    /// The claims as JSON: plain ASCII in a fixed order. A token for an application has no
    /// `projectId` and the other way round, because clients compare both, also when absent.
    func json(tokenId: String) -> String {
        let holder =
            switch scope {
            case .application(let id): "\"appId\":\"\(id)\""
            case .project(let id): "\"projectId\":\"\(id)\""
            }
        return "{\(holder),\"deviceId\":\"\(deviceId)\",\"scope\":\"slu wlu\",\"iss\":\"speechly\","
            + "\"aud\":\"https://api.speechly.com\",\"iat\":\(issuedAt),\"exp\":\(expiresAt),\"jti\":\"\(tokenId)\"}"
    }

    private struct Payload: Decodable {
        var appId: String?
        var projectId: String?
        var deviceId: String
        var iat: Int
        var exp: Int
    }

    init(scope: Scope, deviceId: String, issuedAt: Int, expiresAt: Int) {
        self.scope = scope
        self.deviceId = deviceId
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    /// Reads the claims of a payload whose signature has been verified.
    init?(json: [UInt8]) {
        guard let payload = try? JSONDecoder().decode(Payload.self, from: Data(json)) else { return nil }
        switch (payload.appId, payload.projectId) {
        case (let id?, nil): scope = .application(id)
        case (nil, let id?): scope = .project(id)
        default: return nil
        }
        deviceId = payload.deviceId
        issuedAt = payload.iat
        expiresAt = payload.exp
    }
}
