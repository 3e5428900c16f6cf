/// What all PocketSphinx recognisers of one task share: the checked model, the words, and how they
/// are said.
///
/// The engine knows the words of a configuration only as the tokens `w0`, `w1` …, so that nothing in
/// a configuration can mean something to its loaders, or overflow them.
struct PocketSphinxPreparation: Sendable {
    /// The engine numbers dictionary entries with 16 bits in places.
    static let maximumEntries = 60_000
    static let maximumArcs = 4_000_000
    /// Above this number of transitions a trigram model takes the place of a grammar.
    static let maximumGrammarArcs = 2_000

    let model: PocketSphinxModel

    /// The utterances; `nil` for open vocabulary.
    let grammar: SALGraph?

    /// The word each token stands for, by the token's number.
    let words: [String]

    /// The number of each word's token. Words that nobody can say have none.
    let tokens: [String: Int]

    /// The engine's dictionary of the tokens.
    let dictionary: String

    /// Tells complete utterances of the graph; `nil` for open vocabulary.
    let acceptor: UtteranceAcceptor?

    /// The trigram model of a large graph.
    let languageModel: LanguageModelEstimate?

    /// Finds the utterances of a large graph that are near to what was heard.
    let nearby: NearbyUtterances?

    /// Tells whether what was heard was said; `nil` for open vocabulary.
    let verifier: SoundVerifier?

    /// How likely each phone of speech is that the graph does not describe; 0 if there is none.
    let otherSpeech: Double

    /// Whether the shipped recogniser is for a language, a BCP 47 tag; none means its own.
    static func hears(_ languageCode: String) -> Bool {
        languageCode.isEmpty || languageCode.lowercased().hasPrefix("en")
    }

    init(
        task: RecognitionTask, model: PocketSphinxModel,
        otherSpeech: Double = RecognizerProvider.standardOtherSpeech
    ) throws(RecognizerError) {
        guard Self.hears(task.languageCode) else {
            throw .unsupportedLanguage(task.languageCode)
        }
        try model.check(openVocabulary: task.grammar == nil)
        self.model = model
        self.otherSpeech = otherSpeech
        grammar = task.grammar
        guard let grammar = task.grammar else {
            (words, tokens, dictionary) = ([], [:], "")
            (acceptor, languageModel, nearby, verifier) = (nil, nil, nil, nil)
            return
        }
        guard grammar.arcs.count <= Self.maximumArcs else {
            throw .tooLarge(what: "transitions", count: grammar.arcs.count, limit: Self.maximumArcs)
        }
        let vocabulary = Set(grammar.arcs.compactMap(\.word)).sorted()
        let pronunciations = try Self.pronunciations(of: vocabulary, model: model)
        var words: [String] = []
        var tokens: [String: Int] = [:]
        var dictionary = ""
        var entries = 0
        for word in vocabulary {
            guard let ways = pronunciations[word] else { continue }
            let token = words.count
            tokens[word] = token
            words.append(word)
            for (index, phones) in ways.enumerated() {
                let suffix = index == 0 ? "" : "(\(index + 1))"
                dictionary += "w\(token)\(suffix) \(phones.joined(separator: " "))\n"
                entries += 1
            }
        }
        guard entries <= Self.maximumEntries else {
            throw .tooLarge(what: "ways to say its words", count: entries, limit: Self.maximumEntries)
        }
        self.words = words
        self.tokens = tokens
        self.dictionary = dictionary
        verifier = SoundVerifier.make(folder: model.acousticModel, dictionary: dictionary)
        acceptor = UtteranceAcceptor(grammar) { [tokens] in tokens[$0] != nil }
        guard grammar.arcs.count > Self.maximumGrammarArcs else {
            (languageModel, nearby) = (nil, nil)
            return
        }
        languageModel = LanguageModelEstimate(graph: grammar, tokens: tokens, otherSpeech: otherSpeech)
        nearby = NearbyUtterances(
            graph: grammar,
            phones: pronunciations.compactMapValues { $0.first.map { $0.compactMap(ARPAbet.init(rawValue:)) } })
    }

    /// How a word that no dictionary has is said; `nil` if it cannot be said, or not be named to the engine.
    static func newWord(_ word: String) -> String? {
        guard word.utf8.count <= 100, word.allSatisfy({ ("a"..."z").contains($0) || $0 == "'" }) else { return nil }
        return LetterToSound.phones(for: word)?.joined(separator: " ")
    }

    /// How each word is said: as the dictionary has it, else piece by piece from the dictionary and
    /// the letter-to-sound rules.
    private static func pronunciations(
        of vocabulary: [String], model: PocketSphinxModel
    ) throws(RecognizerError) -> [String: [[String]]] {
        var pieces: [String: [String]] = [:]
        for word in vocabulary { pieces[word] = LetterToSound.spokenPieces(of: word) }
        let file = PronunciationDictionary(path: model.dictionary, package: model.package)
        let known = try file.pronunciations(of: Set(vocabulary).union(pieces.values.joined()))
        var result: [String: [[String]]] = [:]
        for word in vocabulary {
            if let ways = known[word] {
                result[word] = ways
                continue
            }
            var phones: [String] = []
            for piece in pieces[word, default: []] {
                phones += known[piece]?.first ?? LetterToSound.phones(for: piece) ?? []
            }
            if !phones.isEmpty {
                result[word] = [Array(phones.prefix(PronunciationDictionary.maximumPhones))]
            }
        }
        return result
    }

    /// The word that a token of the engine stands for; `nil` for silence and noise.
    func word(forToken token: String) -> String? {
        let base = token.last == ")" ? token.prefix { $0 != "(" } : token[...]
        if grammar == nil {
            guard let first = base.first, first != "<", first != "[", first != "+", base != "(NULL)" else { return nil }
            return base.isEmpty ? nil : base.lowercased()
        }
        guard base.first == "w", let number = Int(base.dropFirst()), words.indices.contains(number) else { return nil }
        return words[number]
    }
}
