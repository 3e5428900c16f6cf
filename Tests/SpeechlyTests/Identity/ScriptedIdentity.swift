import Foundation
import Speechly
import SpeechlySync
import SpeechlyTesting

/// An identity client that answers as a test says.
final class ScriptedIdentity: IdentityClientProtocol, Sendable {
    private struct State {
        var requests = 0
        var invalidated: [String] = []
    }

    private let state = Locked(State())
    private let answer: @Sendable (Int) async throws -> ApiAccessToken

    /// - Parameter answer: gives the token for the n-th request, counted from 1.
    init(_ answer: @escaping @Sendable (Int) async throws -> ApiAccessToken) {
        self.answer = answer
    }

    var requests: Int { state.withLock { $0.requests } }
    var invalidated: [String] { state.withLock { $0.invalidated } }

    func authenticate(appId: UUID, deviceId: UUID) async throws -> ApiAccessToken { try await next() }
    func authenticateProject(projectId: UUID, deviceId: UUID) async throws -> ApiAccessToken { try await next() }
    func invalidate(token: ApiAccessToken) { state.withLock { $0.invalidated.append(token.tokenString) } }

    private func next() async throws -> ApiAccessToken {
        try await answer(
            state.withLock { state in
                state.requests += 1
                return state.requests
            })
    }
}

extension ApiAccessToken {
    /// A token as a service makes it.
    static func made(
        appId: UUID? = testAppId, projectId: UUID? = nil, issuedAt: Date = Date(), lifetime: TimeInterval = 86400
    ) throws -> ApiAccessToken {
        let text = MockToken.make(
            appId: appId?.uuidString.lowercased(), projectId: projectId?.uuidString.lowercased(),
            deviceId: testDeviceId.uuidString.lowercased(), issuedAt: issuedAt, lifetime: lifetime)
        guard let token = ApiAccessToken(tokenString: text) else { throw CocoaError(.coderInvalidValue) }
        return token
    }
}
