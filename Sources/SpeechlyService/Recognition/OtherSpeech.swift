/// Speech that no configuration describes: any phones in a row, which the recogniser may hear instead of
/// the words of the configuration, from any point of an utterance on.
///
/// Where they fit the sound better than the configuration's words do, what was said is not a command.
enum OtherSpeech {
    /// The tokens of the phones in the engine's dictionary.
    static let tokens = ARPAbet.allCases.indices.map { "g\($0)" }

    /// Lines for the engine's dictionary.
    static let dictionary = zip(tokens, ARPAbet.allCases).map { "\($0) \($1.rawValue)\n" }.joined()

    /// How likely an utterance turns to other speech at each of its words.
    static let entry = 0.1

    /// A silence as long as this, in frames of 10 ms, separates one thing that is said from the next.
    private static let pause = 30

    static func isToken(_ token: String) -> Bool { token.first == "g" }

    /// Leaves out what was said between two pauses if some of it is other speech.
    static func removed(from segments: [PocketSphinxDecoder.Segment]) -> [PocketSphinxDecoder.Segment] {
        segments.split { $0.token == "<sil>" && $0.frames.count >= pause }
            .filter { !$0.contains { isToken($0.token) } }
            .flatMap { $0 }
    }
}
