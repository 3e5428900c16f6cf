import Foundation
import Speechly
import SpeechlyTesting
import XCTest

final class VoiceTests: XCTestCase {
    func testTurnsOnTheLight() async throws {
        let light = SLUEntity(entity: "device", value: "light", startPosition: 3, endPosition: 4)
        let server = try MockSpeechlyServer(streams: [
            .hears("turn on the light", intent: "turn_on", entities: [light])
        ])
        let address = server.address.description
        let client = try Client(
            appId: UUID(), prepareOnInit: false, identityAddr: address, sluAddr: address)

        let speech = try PushAudioSource(sampleRate: 16_000, channels: 1, format: .int16)
        _ = speech.push(Data(count: 32_000))
        speech.finish()
        let context = try await client.transcribe(speech)

        XCTAssertEqual(context.segments.first?.intent.value, "turn_on")
        let received = try await server.received("the stop") { $0.contexts.first?.isStopped == true }
        XCTAssertEqual(received.contexts[0].audio.count, 32_000)
    }
}
