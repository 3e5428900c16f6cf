import Foundation
import SpeechlyAudio
import SpeechlySync

/// Who a client is, and how it logs in.
final class ClientLogin: Sendable {
    private static let deviceIdKey = "deviceId"

    let appId: UUID?
    let projectId: UUID?
    let identityClient: any IdentityClientProtocol
    let place: String
    private let cache: Locked<CacheProtocol>
    private let device = Locked<UUID?>(nil)

    init(
        appId: UUID?, projectId: UUID?, identityClient: any IdentityClientProtocol, cache: CacheProtocol, place: String
    ) {
        self.appId = appId
        self.projectId = projectId
        self.identityClient = identityClient
        self.cache = Locked(cache)
        self.place = place
    }

    /// The id of this device: made once, and kept in the cache.
    var deviceId: UUID {
        device.withLock { device in
            if let device { return device }
            let id = cache.withLock { cache -> UUID in
                let new = UUID()
                let kept = cache.setValueIfAbsent(new.uuidString.lowercased(), forKey: Self.deviceIdKey) {
                    UUID(uuidString: $0) != nil
                }
                return UUID(uuidString: kept) ?? new
            }
            device = id
            return id
        }
    }

    /// Forgets the kept token, which a service has refused.
    func forgetToken() async throws {
        identityClient.invalidate(token: try await authenticate())
    }

    /// Logs in, or takes a kept token.
    ///
    /// - Throws: `Failure`, or `CancellationError`.
    func authenticate() async throws -> ApiAccessToken {
        do {
            if let projectId {
                return try await identityClient.authenticateProject(projectId: projectId, deviceId: deviceId)
            }
            guard let appId else { throw Client.SpeechlyClientInitError.keysMissing }
            return try await identityClient.authenticate(appId: appId, deviceId: deviceId)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw Failure.login(error, at: place)
        }
    }
}
