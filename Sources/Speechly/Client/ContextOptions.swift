import Foundation
import SpeechlySync

/// What the service should know when a context starts. A start with values out of their range fails with the code
/// ``Failure/Code/invalidOption``.
public struct ContextOptions: Sendable, Hashable {
    /// The time zone that dates in the speech refer to, as a tz database name such as `Europe/Helsinki`;
    /// `nil` for the system's.
    public var timezone: String?

    /// Words to favour (or to avoid, with a negative bias).
    public var vocabulary: [String]

    /// How strongly `vocabulary` is favoured, −4 to 4; negative avoids it; `nil` for the service's default.
    public var vocabularyBias: Double?

    /// Ends a segment after this much silence; zero for never, `nil` for the app's configuration, which knows no
    /// such silence unless it names one: then nothing is final before the context is stopped. For a context that stays
    /// open, 500 to 1,000 ms make a result of each thing that is said. At most ten minutes; the service counts in whole
    /// milliseconds.
    public var silenceTriggeredSegmentation: Duration?

    /// Whether intents and entities come only when a segment ends; `nil` for the app's configuration.
    public var nonStreamingNLU: Bool?

    /// Further options by name. One with the name of an option above takes its place.
    public var custom: [String: [String]]

    /// Creates options; those left out are the service's defaults.
    ///
    /// - Parameters:
    ///   - timezone: a tz database name; `nil` for the system's time zone.
    ///   - vocabulary: words to favour.
    ///   - vocabularyBias: how strongly, −4 to 4.
    ///   - silenceTriggeredSegmentation: ends a segment after this much silence.
    ///   - nonStreamingNLU: whether intents and entities come only at a segment's end.
    ///   - custom: further options by name.
    public init(
        timezone: String? = nil, vocabulary: [String] = [], vocabularyBias: Double? = nil,
        silenceTriggeredSegmentation: Duration? = nil, nonStreamingNLU: Bool? = nil,
        custom: [String: [String]] = [:]
    ) {
        self.timezone = timezone
        self.vocabulary = vocabulary
        self.vocabularyBias = vocabularyBias
        self.silenceTriggeredSegmentation = silenceTriggeredSegmentation
        self.nonStreamingNLU = nonStreamingNLU
        self.custom = custom
    }

    /// What is wrong with them, so that no service would take them.
    var failure: Failure? {
        if let vocabularyBias, !Self.biases.contains(vocabularyBias) {
            return .invalidOption("vocabularyBias", "\(vocabularyBias)", allowed: "-4 to 4")
        }
        if let silence = silenceTriggeredSegmentation, !Self.silences.contains(silence) {
            return .invalidOption("silenceTriggeredSegmentation", "\(silence)", allowed: "0 to 10 minutes")
        }
        return nil
    }

    private static let biases = -4.0...4.0
    private static let silences = Duration.zero...Duration.seconds(600)

    /// The options as the service takes them, in a fixed order.
    ///
    /// - Parameter systemTimezone: the time zone to send when none is set; `nil` for none, as on a stream.
    func values(systemTimezone: String?) -> [(key: String, values: [String])] {
        var list: [(key: String, values: [String])] = []
        func add(_ key: String, _ values: [String]?) {
            if let values, !values.isEmpty, custom[key] == nil { list.append((key, values)) }
        }
        add("timezone", (timezone ?? systemTimezone).map { [$0] })
        add("vocabulary", vocabulary)
        add("vocabulary_bias", vocabularyBias.map { ["\($0)".hasSuffix(".0") ? "\(Int($0))" : "\($0)"] })
        add(
            "silence_triggered_segmentation",
            silenceTriggeredSegmentation.map {
                ["\(Int64(($0.within(.zero - .longest ... .longest).seconds * 1000).rounded()))"]
            })
        add("non_streaming_nlu", nonStreamingNLU.map { [$0 ? "yes" : "no"] })
        for (key, values) in custom.sorted(by: { $0.key < $1.key }) { list.append((key, values)) }
        return list
    }
}
