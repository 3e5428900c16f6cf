import Foundation

/// Makes access tokens as the identity service issues them, for tests.
///
/// The signature is a dummy: clients never check it.
public enum MockToken {
    /// A token with the claims given.
    ///
    /// - Parameters:
    ///   - appId: The application it is for; leave it out for a project's token.
    ///   - projectId: The project it is for; leave it out for an application's token.
    ///   - deviceId: The device that logged in.
    ///   - scopes: What it allows, `slu` and `wlu` unless given.
    ///   - issuedAt: The start of its life.
    ///   - lifetime: Seconds until it expires; a negative number makes a token that has expired.
    /// - Returns: Three parts of base64url without padding, separated by dots.
    public static func make(
        appId: String? = nil, projectId: String? = nil, deviceId: String, scopes: [String] = ["slu", "wlu"],
        issuedAt: Date = Date(), lifetime: TimeInterval = 24 * 3600
    ) -> String {
        var claims: [String: any Sendable] = [
            "deviceId": deviceId,
            "scope": scopes.joined(separator: " "),
            "iss": "https://api.speechly.com/",
            "aud": "https://api.speechly.com",
            "iat": Int(issuedAt.timeIntervalSince1970.rounded(.down)),
            "exp": Int((issuedAt.timeIntervalSince1970 + lifetime).rounded(.down)),
        ]
        claims["appId"] = appId
        claims["projectId"] = projectId
        return make(claims: claims)
    }

    /// A token with exactly these claims, however little sense they make.
    ///
    /// - Parameter claims: Values that JSON can hold; others are left out.
    public static func make(claims: [String: any Sendable]) -> String {
        let valid = claims.filter { JSONSerialization.isValidJSONObject([$0.value]) }
        let payload = (try? JSONSerialization.data(withJSONObject: valid, options: .sortedKeys)) ?? Data("{}".utf8)
        let header = Data(#"{"alg":"HS256","typ":"JWT"}"#.utf8)
        return [header, payload, Data("not a signature".utf8)].map(base64url).joined(separator: ".")
    }

    private static func base64url(_ data: Data) -> String {
        data.base64EncodedString()
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
