import CCrypto
import Foundation

/// Issues and checks the service's tokens: JWTs signed with HMAC-SHA256 and a key of its own.
struct TokenAuthority: Sendable {
    /// Old clients take a token with less than an hour left for an expired one, so it lives long.
    static let lifetime = 24 * 60 * 60

    private static let header = Base64URL.encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))
    private static let maximumTokenLength = 4096

    private let key: [UInt8]
    private let now: @Sendable () -> Date

    /// An authority with a new random key of 256 bits.
    init(now: @escaping @Sendable () -> Date = { Date() }) throws(TokenError) {
        self.init(key: try Self.randomBytes(32), now: now)
    }

    /// An authority with a service's key, or a random one.
    init(_ key: TokenKey?) throws(TokenError) {
        if let key { self.init(key: key.bytes) } else { try self.init() }
    }

    /// An authority with a given key.
    init(key: [UInt8], now: @escaping @Sendable () -> Date = { Date() }) {
        self.key = key
        self.now = now
    }

    /// A token for a device that logged in, with what it says.
    func issue(_ scope: TokenClaims.Scope, deviceId: String) throws(TokenError) -> (token: String, claims: TokenClaims)
    {
        let issuedAt = Int(now().timeIntervalSince1970)
        let claims = TokenClaims(
            scope: scope, deviceId: deviceId, issuedAt: issuedAt, expiresAt: issuedAt + Self.lifetime)
        var tokenId = try Self.randomBytes(8).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
        // Old clients decode the payload with the standard alphabet and pad it wrongly when its
        // length leaves 2 bytes after groups of 3: a longer id avoids both.
        var payload = claims.json(tokenId: tokenId)
        var encoded = Base64URL.encode(Array(payload.utf8))
        for _ in 0..<64 where !Self.isSafeForOldClients(encoded) {
            tokenId += "0"
            payload = claims.json(tokenId: tokenId)
            encoded = Base64URL.encode(Array(payload.utf8))
        }
        let signed = Self.header + "." + encoded
        let signature = try signature(of: signed)
        return (signed + "." + Base64URL.encode(signature), claims)
    }

    private static func isSafeForOldClients(_ encoded: String) -> Bool {
        !encoded.contains("-") && !encoded.contains("_") && encoded.utf8.count % 4 != 3
    }

    /// Checks a token.
    /// - Returns: what it says.
    /// - Throws: why it is refused.
    func verify(_ token: String) throws(TokenError) -> TokenClaims {
        guard token.utf8.count <= Self.maximumTokenLength else { throw .malformed }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64URL.decode(parts[2]), !parts[1].isEmpty else {
            throw .malformed
        }
        // The header is never interpreted: what was not signed by this method is not ours.
        guard parts[0] == Self.header else { throw .foreign }
        let expected = try self.signature(of: "\(parts[0]).\(parts[1])")
        guard signature.count == expected.count, CRYPTO_memcmp(signature, expected, expected.count) == 0 else {
            throw .forged
        }
        guard let payload = Base64URL.decode(parts[1]), let claims = TokenClaims(json: payload) else {
            throw .malformed
        }
        guard Int(now().timeIntervalSince1970) < claims.expiresAt else { throw .expired(at: claims.expiresAt) }
        return claims
    }

    private func signature(of text: String) throws(TokenError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        let bytes = Array(text.utf8)
        guard HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &digest, &length) != nil else {
            throw .cryptography
        }
        return Array(digest.prefix(Int(length)))
    }

    private static func randomBytes(_ count: Int) throws(TokenError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard RAND_bytes(&bytes, Int32(count)) == 1 else { throw .cryptography }
        return bytes
    }
}

/// Why a token is refused, or cannot be issued.
enum TokenError: Error, Hashable, Sendable, CustomStringConvertible {
    case missing
    case malformed
    case foreign
    case forged
    case expired(at: Int)
    case cryptography

    /// One word, for counters and logs.
    var name: String {
        switch self {
        case .missing: "missing"
        case .malformed: "malformed"
        case .foreign: "foreign"
        case .forged: "forged"
        case .expired: "expired"
        case .cryptography: "cryptography"
        }
    }

    var description: String {
        switch self {
        case .missing: "no token: send the metadata 'authorization' with 'Bearer ' and the token from Login"
        case .malformed: "the token is malformed: log in again"
        case .foreign: "the token was issued by another service: log in here"
        case .forged:
            "the token's signature is wrong: it was changed, or is from a service with another key; log in again"
        case .expired(let at): "the token expired at \(Timestamp.iso8601(at)): log in again"
        case .cryptography: "libcrypto failed to sign or to make random numbers"
        }
    }
}
