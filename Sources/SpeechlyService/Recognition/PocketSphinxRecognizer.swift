import CPocketSphinx
import Foundation

/// The recogniser the service ships: PocketSphinx with a finite-state grammar made from the
/// configuration, with a trigram model of a large one, or with a language model for anything that may
/// be said.
///
/// Equal audio gives equal words, whatever was heard before and however the audio is cut.
public final class PocketSphinxRecognizer: SpeechRecognizer {
    private static let frameMilliseconds = 10
    static let searchName = "utterances"
    /// An utterance up to this long, in samples, is heard once more when it has ended, with the mean of its
    /// sound known: ten seconds, which takes a fraction of one. In longer ones the running mean is as good.
    private static let longestSecondHearing = 160_000

    let preparation: PocketSphinxPreparation
    let decoder: PocketSphinxDecoder
    private(set) var emphasis = WordEmphasis()
    private var pending: [Int16] = []
    private var heard: [Int16] = []
    private var isTooLong = false

    /// Makes a recogniser, which takes some ten milliseconds, or a second without a configuration.
    /// - Parameters:
    ///   - task: what to listen for.
    ///   - model: where the model's files are.
    ///   - otherSpeech: see ``RecognizerProvider/pocketSphinx(model:otherSpeech:)``.
    /// - Throws: ``RecognizerError``.
    public convenience init(
        task: RecognitionTask, model: PocketSphinxModel = .systemEnglish,
        otherSpeech: Double = RecognizerProvider.standardOtherSpeech
    ) throws {
        try self.init(PocketSphinxPreparation(task: task, model: model, otherSpeech: otherSpeech))
    }

    init(_ preparation: PocketSphinxPreparation) throws(RecognizerError) {
        self.preparation = preparation
        pending.reserveCapacity(PocketSphinxDecoder.blockSize)
        let model = preparation.model
        guard preparation.grammar != nil else {
            // Keeping fewer paths alive takes a third less time and loses nothing that can be heard.
            decoder = try PocketSphinxDecoder(
                ["-dict", model.dictionary, "-lm", model.languageModel, "-maxhmmpf", "3000", "-maxwpf", "5"],
                model: model)
            return
        }
        let folder = try Self.temporaryFolder()
        let dictionary = try folder.write(preparation.dictionary + OtherSpeech.dictionary, to: "words.dict")
        // A second pass over the words of the first one costs time and finds nothing else here.
        // Commands are shorter than the five seconds after which the engine first learns how loud and how noisy
        // it is: half of those in noise were lost by that.
        decoder = try PocketSphinxDecoder(["-dict", dictionary, "-fwdflat", "no"], model: model, meanWeight: 50)
        // The engine has read the file when it is made.
        withExtendedLifetime(folder) {}
        try listen()
    }

    // MARK: SpeechRecognizer

    /// Makes words more likely, or less, from the next utterance on. Without a configuration, words that no
    /// dictionary has are learned; others stay as likely as they are.
    public func favor(_ words: [String], bias: Double) throws {
        guard preparation.grammar != nil else { return try learn(words, bias: bias) }
        let wanted = WordEmphasis(words, bias: bias)
        guard wanted != emphasis else { return }
        emphasis = wanted
        try listen()
    }

    /// Starts an utterance.
    public func begin() throws {
        pending.removeAll(keepingCapacity: true)
        heard.removeAll(keepingCapacity: true)
        isTooLong = false
        try decoder.begin()
    }

    /// Hears more audio.
    public func process(_ samples: UnsafeBufferPointer<Int16>) throws {
        guard decoder.isOpen else { throw RecognizerError.engineFailed(step: "hear audio outside an utterance") }
        remember(samples)
        var rest = samples[...]
        if !pending.isEmpty {
            let head = rest.prefix(PocketSphinxDecoder.blockSize - pending.count)
            pending.append(contentsOf: head)
            rest = rest.dropFirst(head.count)
            guard pending.count == PocketSphinxDecoder.blockSize else { return }
            try pending.withUnsafeBufferPointer(decoder.decode)
            pending.removeAll(keepingCapacity: true)
        }
        while rest.count >= PocketSphinxDecoder.blockSize {
            try decoder.decode(UnsafeBufferPointer(rebasing: rest.prefix(PocketSphinxDecoder.blockSize)))
            rest = rest.dropFirst(PocketSphinxDecoder.blockSize)
        }
        pending.append(contentsOf: rest)
    }

    /// What has probably been said so far.
    public func hypothesis() -> RecognitionHypothesis {
        guard decoder.isOpen else { return RecognitionHypothesis() }
        return words(of: decoder.segments())
    }

    /// Ends the utterance and says what was heard.
    public func end() throws -> RecognitionHypothesis {
        guard decoder.isOpen else { throw RecognizerError.engineFailed(step: "end an utterance that was not started") }
        if !pending.isEmpty {
            try pending.withUnsafeBufferPointer(decoder.decode)
            pending.removeAll(keepingCapacity: true)
        }
        let hasGrammar = preparation.grammar != nil
        let unfinished = hasGrammar ? decoder.segments() : []
        try decoder.end()
        var segments = decoder.segments()
        if hasGrammar, !isTooLong, !heard.isEmpty { segments = try hearAgain(segments) }
        // Someone who stopped in mid-command said the beginning of it all the same.
        if segments.isEmpty { segments = try isTooLong ? unfinished : verified(unfinished, in: cleanedSound()) }
        return words(of: OtherSpeech.removed(from: segments))
    }

    /// Hears an utterance that has ended once more, each part of it for itself.
    private func hearAgain(_ segments: [PocketSphinxDecoder.Segment]) throws -> [PocketSphinxDecoder.Segment] {
        let borders = UtteranceParts.borders(in: segments) { part in
            if part.contains(where: { OtherSpeech.isToken($0.token) }) { return true }
            let words = part.compactMap { preparation.word(forToken: $0.token) }
            return !words.isEmpty && preparation.acceptor?.accepts(words) == true
        }.map { min($0 * SpokenPart.frame, heard.count) }
        var result: [PocketSphinxDecoder.Segment] = []
        for (start, end) in zip([0] + borders, borders + [heard.count]) {
            let part = heard[start..<end]
            let spoken = SpokenPart.range(in: part)
            let cleaned = NoiseReduction.cleaned(Array(part[spoken]))
            try cleaned.withUnsafeBufferPointer(decoder.decodeWhole)
            result += try verified(hearNearby(cleaned, first: decoder.segments()), in: cleaned).map {
                $0.later(by: spoken.lowerBound / SpokenPart.frame)
            }
        }
        return result
    }

    /// All that was said, without noise.
    private func cleanedSound() -> [Int16] {
        NoiseReduction.cleaned(Array(heard[SpokenPart.range(in: heard[...])]))
    }

    /// Doubts what was heard where the sound speaks against it.
    private func verified(
        _ segments: [PocketSphinxDecoder.Segment], in sound: [Int16]
    ) throws -> [PocketSphinxDecoder.Segment] {
        guard !segments.isEmpty, let verifier = preparation.verifier else { return segments }
        let cepstra = try sound.withUnsafeBufferPointer(decoder.cepstra)
        if verifier.evidence(of: segments, cepstra: cepstra)?.isConvincing == true { return segments }
        return segments.map { segment in
            var segment = segment
            segment.isDoubtful = true
            return segment
        }
    }

    /// What the verification of an utterance is learned from: the words that are heard in the whole of it, how far the
    /// first hearing was from the nearest utterance of a large configuration, and for each phone the number of its word
    /// (-1 for silence), its own, and what ``SoundEvidence/Phone`` says of it.
    @_spi(Training) public func evidence(in samples: [Int16]) throws -> (
        words: [String], distance: Double, phones: [[Float]]
    ) {
        let cleaned = NoiseReduction.cleaned(Array(samples[SpokenPart.range(in: samples[...])]))
        try cleaned.withUnsafeBufferPointer(decoder.decodeWhole)
        let first = decoder.segments()
        let distance = preparation.nearby?.neighbourhood(of: words(of: first).words.map(\.text))?.distance ?? 0
        let segments = try hearNearby(cleaned, first: first)
        let cepstra = try cleaned.withUnsafeBufferPointer(decoder.cepstra)
        let evidence = preparation.verifier?.evidence(of: segments, cepstra: cepstra)
        let phones = evidence?.phones.map {
            [
                Float($0.word ?? -1), Float($0.phone), Float($0.frames), $0.againstLoop, $0.againstBest, Float($0.same),
                Float($0.silent), $0.loudness,
            ]
        }
        return (words(of: segments).words.map(\.text), distance, phones ?? [])
    }

    private func remember(_ samples: UnsafeBufferPointer<Int16>) {
        guard preparation.grammar != nil, !isTooLong else { return }
        if heard.count + samples.count > Self.longestSecondHearing {
            isTooLong = true
            heard = []
        } else {
            heard += samples
        }
    }

    func words(of segments: [PocketSphinxDecoder.Segment]) -> RecognitionHypothesis {
        RecognitionHypothesis(
            words: segments.compactMap { segment in
                preparation.word(forToken: segment.token).map {
                    var word = RecognizedWord(
                        text: $0, startTime: segment.frames.lowerBound * Self.frameMilliseconds,
                        endTime: segment.frames.upperBound * Self.frameMilliseconds)
                    word.isDoubtful = segment.isDoubtful
                    return word
                }
            })
    }

    // MARK: What to listen for

    private func listen() throws(RecognizerError) {
        if let model = preparation.languageModel {
            let folder = try Self.temporaryFolder()
            let file = try folder.write(model.arpa(emphasis: emphasis), to: "words.lm")
            guard ps_set_lm_file(decoder.handle, Self.searchName, file) == 0 else {
                throw .engineFailed(step: "take over the language model")
            }
            withExtendedLifetime(folder) {}
        } else if let grammar = preparation.grammar {
            guard let logMath = ps_get_logmath(decoder.handle) else {
                throw .engineFailed(step: "compute logarithms")
            }
            let model = try FiniteStateGrammar.make(
                graph: grammar, tokens: preparation.tokens, emphasis: emphasis, otherSpeech: preparation.otherSpeech,
                logMath: logMath)
            defer { fsg_model_free(model) }
            guard ps_set_fsg(decoder.handle, Self.searchName, model) == 0 else {
                throw .engineFailed(step: "take over the grammar")
            }
        }
        guard ps_set_search(decoder.handle, Self.searchName) == 0 else {
            throw .engineFailed(step: "search for the configuration's words")
        }
    }

    private func learn(_ words: [String], bias: Double) throws(RecognizerError) {
        guard bias >= 0 else { return }
        for word in Set(words.flatMap { $0.split(whereSeparator: \.isWhitespace) }.map { $0.lowercased() }) {
            guard let phones = PocketSphinxPreparation.newWord(word) else { continue }
            if let known = ps_lookup_word(decoder.handle, word) {
                free(known)
            } else {
                _ = ps_add_word(decoder.handle, word, phones, 1)
            }
        }
    }

    private static func temporaryFolder() throws(RecognizerError) -> PrivateFolder {
        do throws(PrivateFolderError) {
            return try PrivateFolder()
        } catch {
            throw .temporaryFile(path: error.parent, reason: error.reason)
        }
    }
}
