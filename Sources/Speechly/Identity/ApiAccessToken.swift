import Foundation

/// An access token of the identity service, with what its payload says. It opens the other services.
public struct ApiAccessToken: Hashable, Sendable {
    /// A service that a token may open.
    public enum AuthScope: Hashable, Sendable {
        /// Spoken language understanding: the audio stream.
        case SLU
        /// Written language understanding: text.
        case WLU
    }

    /// What a token was given for.
    public enum TokenType: Hashable, Sendable {
        /// One application.
        case Application
        /// All applications of a project.
        case Project
    }

    /// The application the token was given for.
    public let appId: UUID?

    /// The project the token was given for.
    public let projectId: UUID?

    /// The device the token was given to.
    public let deviceId: UUID

    /// When the token expires.
    public let expiresAt: Date

    /// The services the token opens.
    public let scopes: Set<AuthScope>

    /// The token itself. A secret: never log it.
    public let tokenString: String

    /// How long the token lives from its issue, in seconds; `nil` when neither the token nor the login said.
    public let lifetime: TimeInterval?

    /// Reads a token's payload. Its signature is not verified.
    ///
    /// - Parameter tokenString: the token, as the login returned it.
    /// - Returns: `nil` when it is no JWT, or lacks a device, a scope, an expiry, or both application and project.
    public init?(tokenString: String) {
        guard let payload = TokenPayload(token: tokenString), let deviceId = UUID(uuidString: payload.deviceId)
        else { return nil }
        let appId = payload.appId.flatMap(UUID.init(uuidString:))
        let projectId = payload.projectId.flatMap(UUID.init(uuidString:))
        guard appId != nil || projectId != nil else { return nil }
        self.init(
            appId: appId, projectId: projectId, deviceId: deviceId,
            expiresAt: Date(timeIntervalSince1970: TimeInterval(payload.exp)),
            scopes: AuthScope.parse(payload.scope), tokenString: tokenString,
            lifetime: payload.iat.map { TimeInterval(payload.exp) - TimeInterval($0) })
    }

    /// Creates a token from its parts; `tokenString` is not read.
    ///
    /// - Parameters:
    ///   - appId: the application the token was given for.
    ///   - projectId: the project the token was given for.
    ///   - deviceId: the device the token was given to.
    ///   - expiresAt: when the token expires.
    ///   - scopes: the services the token opens.
    ///   - tokenString: the token itself.
    public init(
        appId: UUID?, projectId: UUID?, deviceId: UUID, expiresAt: Date, scopes: Set<AuthScope>, tokenString: String
    ) {
        self.init(
            appId: appId, projectId: projectId, deviceId: deviceId, expiresAt: expiresAt, scopes: scopes,
            tokenString: tokenString, lifetime: nil)
    }

    private init(
        appId: UUID?, projectId: UUID?, deviceId: UUID, expiresAt: Date, scopes: Set<AuthScope>,
        tokenString: String, lifetime: TimeInterval?
    ) {
        self.appId = appId
        self.projectId = projectId
        self.deviceId = deviceId
        self.expiresAt = expiresAt
        self.scopes = scopes
        self.tokenString = tokenString
        self.lifetime = lifetime
    }

    /// What the token was given for.
    public var type: TokenType { appId == nil ? .Project : .Application }

    /// The application or project the token was given for; all zeros when it has neither.
    public func key() -> UUID {
        appId ?? projectId ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }

    /// Whether the token was given for these identifiers and lasts long enough.
    ///
    /// - Parameters:
    ///   - key: the application or project.
    ///   - deviceId: the device.
    ///   - expiresIn: how long the token must still last, in seconds.
    public func validate(key: UUID, deviceId: UUID, expiresIn: TimeInterval) -> Bool {
        (appId == key || projectId == key) && self.deviceId == deviceId && validateExpiry(expiresIn: expiresIn)
    }

    /// Whether the token lasts long enough.
    ///
    /// - Parameter expiresIn: how long the token must still last, in seconds.
    public func validateExpiry(expiresIn: TimeInterval) -> Bool {
        expiresAt.timeIntervalSinceNow > expiresIn
    }

    /// The token as received now with a stated validity: its expiry by the local clock, whatever the clock of
    /// the service says.
    ///
    /// - Parameters:
    ///   - seconds: how long the token is valid from now, in seconds; 0 when the login did not say.
    ///   - now: the time of receipt.
    func received(validFor seconds: UInt32, now: Date) -> ApiAccessToken {
        guard seconds > 0 else { return self }
        return ApiAccessToken(
            appId: appId, projectId: projectId, deviceId: deviceId,
            expiresAt: now.addingTimeInterval(TimeInterval(seconds)), scopes: scopes, tokenString: tokenString,
            lifetime: lifetime ?? TimeInterval(seconds))
    }

    /// The part of its life that a token must have left to be used again, in seconds.
    private var margin: TimeInterval { min(3600, (lifetime ?? .infinity) / 2) }

    /// In how many seconds the token is to be renewed, so that it never gets too old to be used: a little ahead.
    func renewalDelay(now: Date) -> TimeInterval? {
        let lead = min(600, (lifetime ?? 3600) / 8)
        let delay = expiresAt.timeIntervalSince(now) - margin - lead
        return delay.isFinite ? max(0, delay) : nil
    }

    /// Whether the token is fresh enough to be used again: an hour is left, or half its life if it lives shorter.
    func isReusable(at now: Date) -> Bool {
        expiresAt.timeIntervalSince(now) >= margin && expiresAt > now
    }
}

extension ApiAccessToken: CustomStringConvertible {
    /// Who the token is for and until when; never the token itself.
    public var description: String {
        let owner = appId.map { "app \($0)" } ?? projectId.map { "project \($0)" } ?? "nobody"
        return "token for \(owner.lowercased()), until \(expiresAt)"
    }
}

extension ApiAccessToken.AuthScope {
    /// The scopes in a blank-separated list; unknown ones are ignored.
    static func parse(_ list: String) -> Set<Self> {
        Set(
            list.split(separator: " ").compactMap { name in
                switch name {
                case "slu": return .SLU
                case "wlu": return .WLU
                default: return nil
                }
            })
    }
}

/// The payload of a JWT, as far as clients read it.
private struct TokenPayload: Decodable {
    let appId: String?
    let projectId: String?
    let deviceId: String
    let scope: String
    let exp: Int64
    let iat: Int64?

    init?(token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        // The URL alphabet without padding is what a JWT has; both the plain alphabet and padding are seen.
        var base64 = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        while base64.hasSuffix("=") { base64.removeLast() }
        base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: base64),
            let payload = try? JSONDecoder().decode(TokenPayload.self, from: data)
        else { return nil }
        self = payload
    }
}
