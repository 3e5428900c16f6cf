import Foundation
import Speechly

class SpeechlyManager: SpeechlyDelegate {
    let client: Speechly.Client

    init(appId: UUID) throws {
        client = try Speechly.Client(appId: appId)
        client.delegate = self
    }

    /// Opens the microphone. Call it when the user presses a button.
    func start() {
        client.startContext()
    }

    /// Closes the microphone, half a second later. Call it when the user releases the button.
    func stop() {
        client.stopContext()
    }

    func speechlyClientDidStartContext(_: SpeechlyProtocol) {
        print("listening")
    }

    func speechlyClientDidStopContext(_: SpeechlyProtocol) {
        print("all results are in")
    }

    func speechlyClientDidUpdateSegment(_: SpeechlyProtocol, segment: Segment) {
        let words = segment.transcripts.map(\.value).joined(separator: " ")
        print(segment.isFinal ? "final: \(segment.intent.value): \(words)" : "so far: \(words)")
    }

    func speechlyClientDidCatchError(_: SpeechlyProtocol, error: SpeechlyError) {
        print("error: \(error)")
    }
}
