import Foundation

/// A delegate that gets what was captured at once as one piece, of up to 100 ms: each piece that it sends on costs more
/// than all that the recorder does with it.
package protocol CollectingAudioRecorderDelegate: AudioRecorderDelegate {}

extension CaptureDelivery.Message {
    /// The same with audio that follows audio joined to it.
    ///
    /// Levels come behind the audio that they are of; all else stays in its place.
    /// - Parameter limit: the most that one piece is to have, in bytes.
    static func collected(_ messages: [CaptureDelivery.Message], upTo limit: Int) -> [CaptureDelivery.Message] {
        var result: [CaptureDelivery.Message] = []
        var audio = Data()
        var levels: [CaptureDelivery.Message] = []
        func flush() {
            if !audio.isEmpty { result.append(.audio(audio)) }
            result += levels
            audio = Data()
            levels = []
        }
        for message in messages {
            switch message {
            case .audio(let data):
                if audio.count + data.count > limit { flush() }
                audio.append(data)
            case .level: levels.append(message)
            default:
                flush()
                result.append(message)
            }
        }
        flush()
        return result
    }
}
