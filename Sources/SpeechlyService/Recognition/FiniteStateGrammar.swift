import CPocketSphinx

/// The engine's form of a configuration's utterances, built through its API.
enum FiniteStateGrammar {
    /// How likely another utterance follows the one just heard. Rather low: it takes the acoustic
    /// evidence of a whole command to get past it, so that noise does not become one.
    static let repetition = 1e-20

    /// Builds the grammar of one or more utterances of a graph.
    /// - Parameters:
    ///   - tokens: the number of each word's token.
    ///   - emphasis: by how much a word is more likely than the graph says.
    ///   - otherSpeech: how likely each phone of other speech is; 0 for none.
    /// - Returns: a model the caller has to free with `fsg_model_free`.
    static func make(
        graph: SALGraph, tokens: [String: Int], emphasis: WordEmphasis, otherSpeech: Double, logMath: OpaquePointer
    ) throws(RecognizerError) -> UnsafeMutablePointer<fsg_model_t> {
        guard let model = fsg_model_init("utterances", logMath, 1, Int32(graph.stateCount + 1)) else {
            throw .engineFailed(step: "allocate a grammar of \(graph.stateCount) states")
        }
        model.pointee.start_state = Int32(graph.startState)
        model.pointee.final_state = Int32(graph.finalState)
        let ids = Dictionary(
            uniqueKeysWithValues: tokens.map { ($0.key, fsg_model_word_add(model, "w\($0.value)")) })
        for arc in graph.arcs {
            let from = Int32(arc.from)
            let to = Int32(arc.to)
            let probability = arc.probability * (arc.word.map(emphasis.factor) ?? 1)
            let weight = min(0, logmath_log(logMath, max(probability, 1e-30)))
            // A word that cannot be said is passed over in silence.
            if let word = arc.word, let id = ids[word] {
                fsg_model_trans_add(model, from, to, weight, id)
            } else if from != to {
                fsg_model_null_trans_add(model, from, to, weight)
            }
        }
        if otherSpeech > 0 { add(otherSpeech, to: model, states: graph.stateCount, logMath: logMath) }
        fsg_model_null_trans_add(
            model, model.pointee.final_state, model.pointee.start_state, logmath_log(logMath, repetition))
        glist_free(fsg_model_null_trans_closure(model, nil))
        return model
    }

    private static func add(
        _ otherSpeech: Double, to model: UnsafeMutablePointer<fsg_model_t>, states: Int, logMath: OpaquePointer
    ) {
        let loop = Int32(states)
        let weight = logmath_log(logMath, min(1, max(otherSpeech, 1e-30)))
        for token in OtherSpeech.tokens {
            fsg_model_trans_add(model, loop, loop, weight, fsg_model_word_add(model, token))
        }
        let entry = logmath_log(logMath, OtherSpeech.entry)
        for state in 0..<loop where state != model.pointee.final_state {
            fsg_model_null_trans_add(model, state, loop, entry)
        }
        fsg_model_null_trans_add(model, loop, model.pointee.final_state, 0)
    }
}
