import Foundation
import SpeechlyCore

/// Reads the API's responses from proto3 JSON, as `Tests/Cases/segments.json` holds them.
enum ResponseJSON {
    struct Malformed: Error {
        let what: String
    }

    /// The message of a response, or `nil` for one that is not about recognition.
    static func message(_ json: [String: Any]) throws -> RecognitionMessage? {
        let contextId = json["audio_context"] as? String ?? ""
        let segmentId = json["segment_id"] as? Int ?? 0
        for (key, value) in json where key != "audio_context" && key != "segment_id" {
            guard let body = value as? [String: Any] else { throw Malformed(what: key) }
            guard let content = try content(key, body) else { return nil }
            return RecognitionMessage(contextId: contextId, segmentId: segmentId, content: content)
        }
        return nil
    }

    private static func content(_ key: String, _ body: [String: Any]) throws -> RecognitionMessage.Content? {
        switch key {
        case "started": return .started
        case "finished": return .finished
        case "segment_end": return .segmentEnd
        case "transcript": return .transcript(transcript(body, isFinal: true))
        case "entity": return .entity(entity(body, isFinal: true))
        case "intent": return .intent(Intent(value: string(body, "intent"), isFinal: true))
        case "tentative_intent": return .tentativeIntent(Intent(value: string(body, "intent"), isFinal: false))
        case "tentative_transcript":
            return .tentativeTranscript(list(body, "tentative_words").map { transcript($0, isFinal: false) })
        case "tentative_entities":
            return .tentativeEntities(list(body, "tentative_entities").map { entity($0, isFinal: false) })
        case "rtt_request": return nil
        default: throw Malformed(what: key)
        }
    }

    private static func transcript(_ body: [String: Any], isFinal: Bool) -> Transcript {
        Transcript(
            index: int(body, "index"), value: string(body, "word"),
            startOffset: Double(int(body, "start_time")) / 1000,
            endOffset: Double(int(body, "end_time")) / 1000, isFinal: isFinal)
    }

    private static func entity(_ body: [String: Any], isFinal: Bool) -> Entity {
        Entity(
            value: string(body, "value"), type: string(body, "entity"),
            startIndex: int(body, "start_position"), endIndex: int(body, "end_position"), isFinal: isFinal)
    }

    private static func string(_ body: [String: Any], _ key: String) -> String { body[key] as? String ?? "" }
    private static func int(_ body: [String: Any], _ key: String) -> Int { body[key] as? Int ?? 0 }
    private static func list(_ body: [String: Any], _ key: String) -> [[String: Any]] {
        body[key] as? [[String: Any]] ?? []
    }
}
