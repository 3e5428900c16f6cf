import SpeechlyService

/// A recogniser as a host would bring it: hears one word of a script in every 100 ms of audio.
final class ScriptedRecognizer: SpeechRecognizer {
    struct Failure: Error, CustomStringConvertible {
        var description: String { "the engine lost its model" }
    }

    static let samplesPerWord = 1_600

    private let script: [String]
    private let failsAt: Int?
    private var samples = 0

    /// - Parameter failsAt: the number of samples after which the engine fails.
    init(script: [String], failsAt: Int? = nil) {
        self.script = script
        self.failsAt = failsAt
    }

    func begin() throws { samples = 0 }

    func process(_ samples: UnsafeBufferPointer<Int16>) throws {
        self.samples += samples.count
        if let failsAt, self.samples > failsAt { throw Failure() }
    }

    func hypothesis() -> RecognitionHypothesis {
        let words = script.prefix(samples / Self.samplesPerWord)
        return RecognitionHypothesis(
            words: words.enumerated().map {
                RecognizedWord(text: $0.element, startTime: $0.offset * 100, endTime: $0.offset * 100 + 100)
            })
    }

    func end() throws -> RecognitionHypothesis { hypothesis() }
}
