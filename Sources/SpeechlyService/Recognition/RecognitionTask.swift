/// What a recogniser is to listen for.
public struct RecognitionTask: Sendable {
    /// The utterances of the configuration as an automaton of words; `nil` without a configuration:
    /// anything may be said.
    public var grammar: SALGraph?

    /// The words of the configuration in lower case, sorted; empty without a configuration.
    public var vocabulary: [String]

    /// The language that is spoken, as a BCP 47 tag.
    public var languageCode: String

    /// Makes the description of a recogniser's task.
    public init(grammar: SALGraph? = nil, vocabulary: [String] = [], languageCode: String = "en-US") {
        self.grammar = grammar
        self.vocabulary = vocabulary
        self.languageCode = languageCode
    }
}

/// Makes the recognisers of a service.
public struct RecognizerProvider: Sendable {
    /// Prepares once what all recognisers of a task share, and returns what makes one recogniser.
    let prepare: @Sendable (RecognitionTask) throws -> @Sendable () throws -> any SpeechRecognizer

    /// A provider of the host's own recognisers.
    ///
    /// - Parameter make: makes one recogniser for a task. Called on the service's decoding threads,
    ///   also on several at once, once for each utterance that is heard at the same time as others,
    ///   at most as often as ``ServiceConfiguration/maximumRecognizers`` allows. What it throws ends
    ///   the utterance that needed the recogniser.
    public init(_ make: @escaping @Sendable (RecognitionTask) throws -> any SpeechRecognizer) {
        prepare = { task in { try make(task) } }
    }

    private init(prepare: @escaping @Sendable (RecognitionTask) throws -> @Sendable () throws -> any SpeechRecognizer) {
        self.prepare = prepare
    }

    /// How readily the shipped recogniser hears other speech than the configuration's: not at all.
    public static let standardOtherSpeech = 0.0

    /// PocketSphinx with an acoustic model, by default the US English one of the system's packages.
    ///
    /// - Parameters:
    ///   - model: where the model's files are.
    ///   - otherSpeech: how likely each phone is of speech that the configuration does not describe, from 0 to
    ///     1. Such speech gives no words. A higher value lets fewer false commands through and loses more
    ///     true ones; with 0 it gives the nearest words, which are doubtful (``RecognizedWord/isDoubtful``).
    public static func pocketSphinx(
        model: PocketSphinxModel = .systemEnglish, otherSpeech: Double = standardOtherSpeech
    ) -> RecognizerProvider {
        RecognizerProvider(prepare: { task in
            let preparation = try PocketSphinxPreparation(task: task, model: model, otherSpeech: otherSpeech)
            return { try PocketSphinxRecognizer(preparation) }
        })
    }
}
