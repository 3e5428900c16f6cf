import Foundation
import Speechly

/// Plays the user of a host: presses the button, speaks, releases it when the words show, waits for the rest.
final class Session: SpeechlyManager {
    private let ended: (Bool) -> Void
    private var heard = false

    init(appId: UUID, ended: @escaping (Bool) -> Void) throws {
        self.ended = ended
        try super.init(appId: appId)
    }

    override func speechlyClientDidUpdateSegment(_ client: SpeechlyProtocol, segment: Segment) {
        super.speechlyClientDidUpdateSegment(client, segment: segment)
        if !heard, segment.transcripts.count >= 5 {
            heard = true
            stop()
        }
    }

    override func speechlyClientDidStopContext(_ client: SpeechlyProtocol) {
        super.speechlyClientDidStopContext(client)
        ended(true)
    }

    override func speechlyClientDidCatchError(_ client: SpeechlyProtocol, error: SpeechlyError) {
        super.speechlyClientDidCatchError(client, error: error)
        ended(false)
    }
}

@main
struct Consumer {
    static func main() throws {
        let session = try Session(appId: UUID()) { exit($0 ? 0 : 1) }
        session.start()
        // The callbacks come on the main queue, as in an app.
        withExtendedLifetime(session) { dispatchMain() }
    }
}
