import CPocketSphinx

/// The recogniser the service ships: PocketSphinx with a finite-state grammar made from the
/// configuration, or with a language model for anything that may be said.
///
/// Equal audio gives equal words, whatever was heard before and however the audio is cut.
public final class PocketSphinxRecognizer: SpeechRecognizer {
    /// The engine hears blocks of this many samples (50 ms), because its running mean depends on them.
    private static let blockSize = 800
    private static let frameMilliseconds = 10
    private static let searchName = "utterances"

    private static let silenceLog: Void = err_set_logfp(nil)

    private let preparation: PocketSphinxPreparation
    private let decoder: OpaquePointer
    private let initialMean: [mfcc_t]
    private var pending: [Int16] = []
    private var isOpen = false

    /// Makes a recogniser, which takes some ten milliseconds, or a second without a configuration.
    /// - Parameters:
    ///   - task: what to listen for.
    ///   - model: where the model's files are.
    /// - Throws: ``RecognizerError``.
    public convenience init(task: RecognitionTask, model: PocketSphinxModel = .systemEnglish) throws {
        try self.init(PocketSphinxPreparation(task: task, model: model))
    }

    init(_ preparation: PocketSphinxPreparation) throws(RecognizerError) {
        self.preparation = preparation
        _ = Self.silenceLog
        pending.reserveCapacity(Self.blockSize)
        decoder = try Self.makeDecoder(preparation)
        do {
            initialMean = try Self.mean(of: decoder)
            if let grammar = preparation.grammar {
                try Self.setGrammar(grammar, tokens: preparation.tokens, of: decoder)
            }
        } catch {
            ps_free(decoder)
            throw error
        }
    }

    deinit {
        if isOpen { ps_end_utt(decoder) }
        ps_free(decoder)
    }

    // MARK: SpeechRecognizer

    /// Starts an utterance.
    public func begin() throws {
        if isOpen {
            ps_end_utt(decoder)
            isOpen = false
        }
        pending.removeAll(keepingCapacity: true)
        // The running mean of the last utterance must not colour this one.
        if let features = ps_get_feat(decoder), let mean = features.pointee.cmn_struct {
            initialMean.withUnsafeBufferPointer { cmn_live_set(mean, $0.baseAddress) }
        }
        guard ps_start_stream(decoder) == 0, ps_start_utt(decoder) == 0 else {
            throw RecognizerError.engineFailed(step: "start an utterance")
        }
        isOpen = true
    }

    /// Hears more audio.
    public func process(_ samples: UnsafeBufferPointer<Int16>) throws {
        guard isOpen else { throw RecognizerError.engineFailed(step: "hear audio outside an utterance") }
        var rest = samples[...]
        if !pending.isEmpty {
            let head = rest.prefix(Self.blockSize - pending.count)
            pending.append(contentsOf: head)
            rest = rest.dropFirst(head.count)
            guard pending.count == Self.blockSize else { return }
            try pending.withUnsafeBufferPointer(decode)
            pending.removeAll(keepingCapacity: true)
        }
        while rest.count >= Self.blockSize {
            try decode(UnsafeBufferPointer(rebasing: rest.prefix(Self.blockSize)))
            rest = rest.dropFirst(Self.blockSize)
        }
        pending.append(contentsOf: rest)
    }

    /// What has probably been said so far.
    public func hypothesis() -> RecognitionHypothesis {
        guard isOpen else { return RecognitionHypothesis() }
        return currentWords()
    }

    /// Ends the utterance and says what was heard.
    public func end() throws -> RecognitionHypothesis {
        guard isOpen else { throw RecognizerError.engineFailed(step: "end an utterance that was not started") }
        if !pending.isEmpty {
            try pending.withUnsafeBufferPointer(decode)
            pending.removeAll(keepingCapacity: true)
        }
        // Someone who stopped in mid-command said the beginning of it all the same.
        let unfinished = preparation.grammar == nil ? RecognitionHypothesis() : currentWords()
        isOpen = false
        guard ps_end_utt(decoder) == 0 else { throw RecognizerError.engineFailed(step: "end an utterance") }
        let words = currentWords()
        return words.words.isEmpty ? unfinished : words
    }

    // MARK: Engine

    private func decode(_ block: UnsafeBufferPointer<Int16>) throws {
        guard ps_process_raw(decoder, block.baseAddress, block.count, 0, 0) >= 0 else {
            throw RecognizerError.engineFailed(step: "decode audio")
        }
    }

    private func currentWords() -> RecognitionHypothesis {
        // Without a path through the grammar there is nothing to iterate over.
        guard ps_get_hyp(decoder, nil) != nil else { return RecognitionHypothesis() }
        var words: [RecognizedWord] = []
        var segment = ps_seg_iter(decoder)
        while let current = segment {
            if let token = ps_seg_word(current), let text = preparation.word(forToken: String(cString: token)) {
                var first: Int32 = 0
                var last: Int32 = 0
                ps_seg_frames(current, &first, &last)
                let start = Int(first) * Self.frameMilliseconds
                let end = (Int(last) + 1) * Self.frameMilliseconds
                words.append(RecognizedWord(text: text, startTime: start, endTime: max(start, end)))
            }
            segment = ps_seg_next(current)
        }
        return RecognitionHypothesis(words: words)
    }

    private static func makeDecoder(_ preparation: PocketSphinxPreparation) throws(RecognizerError) -> OpaquePointer {
        let model = preparation.model
        guard preparation.grammar != nil else {
            // Keeping fewer paths alive takes a third less time and loses nothing that can be heard.
            return try makeDecoder(
                ["-dict", model.dictionary, "-lm", model.languageModel, "-maxhmmpf", "3000", "-maxwpf", "5"],
                model: model)
        }
        let folder = try temporaryFolder()
        let dictionary = try folder.write(preparation.dictionary, to: "words.dict")
        // The engine has read the file when it is made.
        return try withExtendedLifetime(folder) { () throws(RecognizerError) in
            try makeDecoder(["-dict", dictionary], model: model)
        }
    }

    private static func makeDecoder(
        _ arguments: [String], model: PocketSphinxModel
    ) throws(RecognizerError) -> OpaquePointer {
        // Frames stay on the audio's clock because silence is not cut out. Noise removal made
        // recognition slightly worse, with noise and without.
        let all =
            ["speechly", "-hmm", model.acousticModel] + arguments
            + ["-remove_silence", "no", "-remove_noise", "no", "-dither", "no"]
        var pointers = all.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        guard let configuration = cmd_ln_parse_r(nil, ps_args(), Int32(pointers.count), &pointers, 1) else {
            throw .engineFailed(step: "read its options")
        }
        defer { cmd_ln_free_r(configuration) }
        guard let decoder = ps_init(configuration) else {
            throw .engineFailed(step: "load the model \(model.acousticModel)")
        }
        return decoder
    }

    private static func temporaryFolder() throws(RecognizerError) -> PrivateFolder {
        do throws(PrivateFolderError) {
            return try PrivateFolder()
        } catch {
            throw .temporaryFile(path: error.parent, reason: error.reason)
        }
    }

    private static func setGrammar(
        _ graph: SALGraph, tokens: [String: Int], of decoder: OpaquePointer
    ) throws(RecognizerError) {
        guard let logMath = ps_get_logmath(decoder) else { throw .engineFailed(step: "compute logarithms") }
        let grammar = try FiniteStateGrammar.make(graph: graph, tokens: tokens, logMath: logMath)
        defer { fsg_model_free(grammar) }
        guard ps_set_fsg(decoder, searchName, grammar) == 0, ps_set_search(decoder, searchName) == 0 else {
            throw .engineFailed(step: "take over the grammar")
        }
    }

    private static func mean(of decoder: OpaquePointer) throws(RecognizerError) -> [mfcc_t] {
        guard let features = ps_get_feat(decoder), let mean = features.pointee.cmn_struct,
            let values = mean.pointee.cmn_mean
        else { throw .engineFailed(step: "normalise features") }
        return Array(UnsafeBufferPointer(start: values, count: Int(mean.pointee.veclen)))
    }
}
