import SpeechlyAudio
import SpeechlySync

/// The sources that were given to a client, by any client of the process: each can be read once, and two who read
/// one at a time would each get some of it.
final class SourceClaims: Sendable {
    private struct Claim {
        weak var source: (any AudioSource)?
    }

    static let shared = SourceClaims()

    private let claims = Locked<[ObjectIdentifier: Claim]>([:])

    /// - Returns: `false` when the source was claimed before.
    func claim(_ source: any AudioSource) -> Bool {
        claims.withLock { claims in
            // An identifier is used again once its object is gone.
            claims = claims.filter { $0.value.source != nil }
            return claims.updateValue(Claim(source: source), forKey: ObjectIdentifier(source)) == nil
        }
    }
}
