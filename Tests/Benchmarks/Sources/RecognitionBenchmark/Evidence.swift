import Foundation
@_spi(Training) import SpeechlyService

/// Prints what the verification of utterances is learned from, for `train-verification.py`: a line for each sentence of
/// a training configuration, spoken by a voice, clean or with noise, with what was heard and how the sound fits it.
struct Evidence {
    let domain: Domain
    let speaker: Speaker
    let sal: SALConfiguration
    let recognizer: PocketSphinxRecognizer

    init(_ domain: Domain, speaker: Speaker) throws {
        self.domain = domain
        self.speaker = speaker
        sal = try SALCompiler.compile(domain.source, file: domain.name)
        recognizer = try PocketSphinxRecognizer(task: RecognitionTask(grammar: sal.graph))
    }

    /// - Parameter commands: how many different ones.
    func print(commands: Int) throws {
        var seen: Set<[String]> = []
        let all = sal.sample(count: commands * 4, seed: 11).map(plainWords).filter { seen.insert($0).inserted }
        for (number, words) in all.prefix(commands).enumerated() {
            try print("command", words, turns: 3, number)
        }
        for (number, sentence) in domain.nearMisses.enumerated() {
            try print("near", sentence.split(separator: " ").map(String.init), turns: 4, number)
        }
        for (number, sentence) in Domain.unrelatedForTraining.enumerated() {
            try print("unrelated", sentence.split(separator: " ").map(String.init), turns: 2, number)
        }
    }

    private func print(_ kind: String, _ words: [String], turns: Int, _ number: Int) throws {
        let wanted = sal.understand(words).map(\.meaning)
        for turn in 0..<turns {
            let voice = Voice.training[(number + domain.name.count + 3 * turn) % Voice.training.count]
            let spoken = try speaker.samples(of: words.joined(separator: " "), voice: voice)
            for (condition, samples) in [("clean", spoken), ("noisy", noisy(spoken, decibels: 20))] {
                let found = try recognizer.evidence(in: samples)
                let meaning = sal.understand(found.words)
                let fields = [
                    domain.name, kind, voice.rawValue, condition, words.joined(separator: " "),
                    found.words.joined(separator: " "), meaning.map(\.meaning) == wanted ? "right" : "wrong",
                    meaning.contains { !$0.intent.isEmpty } ? "command" : "none",
                    text(found.distance),
                    found.phones.map { $0.map { text(Double($0), 2) }.joined(separator: ",") }.joined(separator: " "),
                ]
                FileHandle.standardOutput.write(Data((fields.joined(separator: "\t") + "\n").utf8))
            }
        }
    }
}

extension SALSegment {
    /// Intent, and types and values of entities.
    var meaning: [String] { [intent] + entities.flatMap { [$0.type, $0.value] } }
}
