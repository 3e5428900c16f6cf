import Foundation
import SpeechlySync

/// Logs in through another client, and keeps the tokens in memory and in a cache.
///
/// A token is used again while at least an hour of it is left, or half its life if it lives shorter. Logins that
/// ask for the same token at the same time share one request.
public final class CachingIdentityClient: IdentityClientProtocol {
    private struct State {
        var cache: CacheProtocol
        var memory: [String: ApiAccessToken] = [:]
        var logins: [String: SharedLogin] = [:]
        /// When a renewal may be tried again.
        var renewals: [String: Date] = [:]
    }

    private enum Lookup {
        case found(ApiAccessToken)
        case join(SharedLogin)
    }

    private let baseClient: IdentityClientProtocol
    private let state: Locked<State>
    private let now: @Sendable () -> Date

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseClient: asks the service for a token when there is none.
    ///   - cache: keeps the tokens from one run of the program to the next.
    public convenience init(baseClient: IdentityClientProtocol, cache: CacheProtocol) {
        self.init(baseClient: baseClient, cache: cache, now: { Date() })
    }

    package init(baseClient: IdentityClientProtocol, cache: CacheProtocol, now: @escaping @Sendable () -> Date) {
        self.baseClient = baseClient
        self.state = Locked(State(cache: cache))
        self.now = now
    }

    /// Logs in for one application, with a kept token when one is fresh enough.
    public func authenticate(appId: UUID, deviceId: UUID) async throws -> ApiAccessToken {
        try await token(key: appId, deviceId: deviceId) { [baseClient] in
            try await baseClient.authenticate(appId: appId, deviceId: deviceId)
        }
    }

    /// Logs in for a project, with a kept token when one is fresh enough.
    public func authenticateProject(projectId: UUID, deviceId: UUID) async throws -> ApiAccessToken {
        try await token(key: projectId, deviceId: deviceId) { [baseClient] in
            try await baseClient.authenticateProject(projectId: projectId, deviceId: deviceId)
        }
    }

    /// Forgets a refused token in memory and in the cache; a newer one in its place stays.
    public func invalidate(token: ApiAccessToken) {
        let key = Self.cacheKey(token.key(), token.deviceId)
        state.withLock { state in
            if state.memory[key]?.tokenString == token.tokenString { state.memory[key] = nil }
            if state.cache.getValue(forKey: key) == token.tokenString { state.cache.removeValue(forKey: key) }
        }
        baseClient.invalidate(token: token)
    }

    private static func cacheKey(_ key: UUID, _ deviceId: UUID) -> String {
        "authToken.\(key.uuidString.lowercased()).\(deviceId.uuidString.lowercased())"
    }

    private func token(
        key: UUID, deviceId: UUID, login: @escaping @Sendable () async throws -> ApiAccessToken
    ) async throws -> ApiAccessToken {
        while true {
            do {
                return try await token(Self.cacheKey(key, deviceId), key: key, deviceId: deviceId, login: login)
            } catch is SharedLogin.Abandoned {
                // Everybody else left between finding the request and joining it: make one of our own.
                continue
            }
        }
    }

    private func token(
        _ cacheKey: String, key: UUID, deviceId: UUID, login: @escaping @Sendable () async throws -> ApiAccessToken
    ) async throws -> ApiAccessToken {
        let lookup = state.withLock { state -> Lookup in
            if let token = fresh(&state, cacheKey: cacheKey, key: key, deviceId: deviceId) { return .found(token) }
            if let login = state.logins[cacheKey], login.isOpen { return .join(login) }
            let login = SharedLogin()
            state.logins[cacheKey] = login
            return .join(login)
        }
        let shared: SharedLogin
        switch lookup {
        case .found(let token):
            renewIfDue(token, cacheKey, login)
            return token
        case .join(let login): shared = login
        }
        return try await request(shared, cacheKey, login)
    }

    /// Asks for a new token while the old one is still good.
    private func renewIfDue(
        _ token: ApiAccessToken, _ cacheKey: String, _ login: @escaping @Sendable () async throws -> ApiAccessToken
    ) {
        guard token.renewalDelay(now: now()) == 0 else { return }
        let renewal = state.withLock { state -> SharedLogin? in
            // One at a time; after a failure not again at once, since the old token still serves.
            guard state.logins[cacheKey] == nil, state.renewals[cacheKey].map({ $0 < now() }) ?? true else {
                return nil
            }
            let renewal = SharedLogin()
            state.logins[cacheKey] = renewal
            state.renewals[cacheKey] = now().addingTimeInterval(30)
            return renewal
        }
        guard let renewal else { return }
        Task { [self] in _ = try? await request(renewal, cacheKey, login) }
    }

    private func request(
        _ shared: SharedLogin, _ cacheKey: String, _ login: @escaping @Sendable () async throws -> ApiAccessToken
    ) async throws -> ApiAccessToken {
        try await shared.value { [self] in
            let result: Result<ApiAccessToken, any Error>
            do { result = .success(try await login()) } catch { result = .failure(error) }
            state.withLock { state in
                if state.logins[cacheKey] === shared { state.logins[cacheKey] = nil }
                guard case .success(let token) = result else { return }
                state.memory[cacheKey] = token
                state.cache.setValue(token.tokenString, forKey: cacheKey)
            }
            return try result.get()
        }
    }

    private func fresh(
        _ state: inout State, cacheKey: String, key: UUID, deviceId: UUID
    ) -> ApiAccessToken? {
        let now = now()
        if let token = state.memory[cacheKey] {
            if token.isReusable(at: now) { return token }
            state.memory[cacheKey] = nil
        }
        guard let stored = state.cache.getValue(forKey: cacheKey),
            let token = ApiAccessToken(tokenString: stored),
            token.appId == key || token.projectId == key, token.deviceId == deviceId, token.isReusable(at: now)
        else { return nil }
        state.memory[cacheKey] = token
        return token
    }
}
