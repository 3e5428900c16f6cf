import Foundation
import SpeechlyGRPC

/// The options of one audio context. Unknown keys are ignored, values that do not parse refused.
struct ContextSettings: Hashable, Sendable {
    private static let maximumVocabulary = 10_000

    /// The speaker's time zone.
    var timeZone: TimeZone?
    /// Words to favour, in lower case.
    var vocabulary: [String] = []
    /// How much to favour them; negative values avoid them.
    var vocabularyBias = 0.0
    /// How long a silence ends a segment, in milliseconds; 0 for never, nil for the service's default.
    var silenceTriggeredSegmentation: Int?
    /// Intent and entities are wanted only when a segment is final.
    var nonStreamingNLU = false

    init() {}

    /// Reads options in order; a later value replaces an earlier one of the same key.
    init(_ options: some Sequence<(key: String, values: [String])>) throws(GRPCStatus) {
        for (key, values) in options {
            switch key {
            case "timezone":
                let name = try Self.single(values, of: key)
                guard let zone = TimeZone(identifier: name) else {
                    throw Self.refused(name, of: key, expected: "a name of the tz database such as Europe/Helsinki")
                }
                timeZone = zone
            case "vocabulary":
                let words = values.flatMap { $0.split(whereSeparator: \.isNewline) }.map { $0.lowercased() }
                guard words.count <= Self.maximumVocabulary else {
                    throw .invalid("option vocabulary has \(words.count) words: at most \(Self.maximumVocabulary)")
                }
                vocabulary = words
            case "vocabulary_bias":
                let text = try Self.single(values, of: key)
                guard let bias = Double(text), (-4...4).contains(bias) else {
                    throw Self.refused(text, of: key, expected: "a number from -4 to 4")
                }
                vocabularyBias = bias
            case "silence_triggered_segmentation":
                let text = try Self.single(values, of: key)
                guard let milliseconds = Double(text), (0...600_000).contains(milliseconds) else {
                    throw Self.refused(text, of: key, expected: "milliseconds up to 600000, 0 for off")
                }
                silenceTriggeredSegmentation = Int(milliseconds)
            case "non_streaming_nlu":
                switch try Self.single(values, of: key) {
                case "yes": nonStreamingNLU = true
                case "no": nonStreamingNLU = false
                case let text: throw Self.refused(text, of: key, expected: "yes or no")
                }
            default: break
            }
        }
    }

    private static func single(_ values: [String], of key: String) throws(GRPCStatus) -> String {
        guard values.count == 1, let value = values.first else {
            throw .invalid("option \(key) has \(values.count) values: send one")
        }
        return value
    }

    private static func refused(_ value: String, of key: String, expected: String) -> GRPCStatus {
        .invalid("option \(key) has the value '\(ApplicationDirectory.shown(value))': expected \(expected)")
    }
}
