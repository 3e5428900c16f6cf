/// Turns speech into words: what the service needs from a recognition engine.
///
/// The service ships one engine, ``PocketSphinxRecognizer``. To bring another, conform one type and
/// pass a ``RecognizerProvider`` that makes it:
///
/// ```swift
/// func use(
///     _ makeRecognizer: @escaping @Sendable (_ words: [String]) throws -> any SpeechRecognizer,
///     in configuration: inout ServiceConfiguration
/// ) {
///     configuration.recognizer = RecognizerProvider { task in try makeRecognizer(task.vocabulary) }
/// }
/// ```
///
/// A recogniser hears one utterance at a time: ``begin()`` (behind ``favor(_:bias:)`` at the start of a
/// context), then ``process(_:)`` and ``hypothesis()``
/// any number of times, then ``end()``; then the next ``begin()`` may follow. The service keeps
/// recognisers in a pool and gives each to one utterance at a time. It calls them on its decoding
/// threads, on different ones over time but never on two at once, so a conforming type needs no lock,
/// may block for as long as its work takes, and need not be `Sendable`.
public protocol SpeechRecognizer: AnyObject {
    /// Forgets everything heard and starts an utterance whose first sample has the time 0.
    ///
    /// It is also called after an utterance that was abandoned without ``end()``.
    /// - Throws: what makes the engine unusable; the service then discards the recogniser.
    func begin() throws

    /// Is told which words to hear more readily, or less, than others; before ``begin()``, once for every
    /// context, and with no words if a client has no wish. By default nothing happens.
    /// - Parameters:
    ///   - words: as the client sends them, in lower case; one may be several words with blanks between them.
    ///   - bias: how much; 0 for not at all, negative values avoid the words. Clients send -4 to 4.
    /// - Throws: what makes the engine unusable; the service then discards the recogniser.
    func favor(_ words: [String], bias: Double) throws

    /// Hears more audio.
    ///
    /// What is recognised must not depend on how the audio is cut into calls.
    /// - Parameter samples: PCM, 16-bit signed in the machine's byte order, one channel, 16,000 Hz;
    ///   any number of samples, valid during the call only.
    /// - Throws: what makes the engine unusable; the utterance then ends with an error.
    func process(_ samples: UnsafeBufferPointer<Int16>) throws

    /// What has probably been said so far. Words may still change or disappear.
    func hypothesis() -> RecognitionHypothesis

    /// Ends the utterance and says what was heard.
    /// - Returns: the words that stay; none if there was no speech.
    /// - Throws: what makes the engine unusable.
    func end() throws -> RecognitionHypothesis
}

extension SpeechRecognizer {
    /// Does nothing.
    public func favor(_ words: [String], bias: Double) throws {}
}

/// A word that was heard, and when.
public struct RecognizedWord: Sendable, Hashable {
    /// The word in lower case, as the vocabulary has it.
    public var text: String

    /// When the word begins, in milliseconds from the utterance's first sample.
    public var startTime: Int

    /// When the word ends, in milliseconds from the utterance's first sample.
    public var endTime: Int

    /// Whether something else was probably said. Such words are passed on, but are no part of a command.
    public var isDoubtful = false

    /// Makes a word, not a doubtful one, with its times in milliseconds from the utterance's first sample.
    public init(text: String, startTime: Int, endTime: Int) {
        self.text = text
        self.startTime = startTime
        self.endTime = endTime
    }
}

/// The words of an utterance, or of what has been heard of it.
public struct RecognitionHypothesis: Sendable, Hashable {
    /// The words in the order in which they were said.
    public var words: [RecognizedWord]

    /// Makes a hypothesis of words in the order in which they were said.
    public init(words: [RecognizedWord] = []) {
        self.words = words
    }
}
