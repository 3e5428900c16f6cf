import Foundation
import SpeechlyService

/// What was found about one configuration.
struct Findings {
    var clean = Share()
    var noisy = Share()
    var unrelated = Share()
    var nearMisses = Share()
    var secondsOfAudio = 0.0
    var secondsOfWork = 0.0

    var realTimeFactor: Double { secondsOfWork / max(secondsOfAudio, 1e-9) }
}

struct Share {
    var hits = 0
    var all = 0
    var percent: Double { all == 0 ? 0 : 100 * Double(hits) / Double(all) }
    mutating func count(_ hit: Bool) {
        all += 1
        if hit { hits += 1 }
    }
}

/// Speaks and hears sentences of, and outside, one configuration.
struct Evaluation {
    let domain: Domain
    let sal: SALConfiguration
    let speaker: Speaker
    let recognizer: any SpeechRecognizer
    let isVerbose: Bool

    init(_ domain: Domain, speaker: Speaker, isVerbose: Bool) throws {
        self.domain = domain
        self.speaker = speaker
        self.isVerbose = isVerbose
        sal = try SALCompiler.compile(domain.source, file: domain.name)
        let graph = sal.graph
        let start = ContinuousClock.now
        recognizer = try PocketSphinxRecognizer(task: RecognitionTask(grammar: graph))
        print(
            "\(domain.name): \(domain.templates.count) templates, \(sal.vocabulary.count) words, \(graph.stateCount) states, "
                + "\(graph.arcs.count) transitions, ready in \(text((ContinuousClock.now - start) / .seconds(1))) s")
    }

    /// Distinct utterances of the configuration, as they are spoken.
    func utterances(_ count: Int) -> [[String]] {
        var seen: Set<[String]> = []
        return sal.sample(count: count * 4, seed: 11).map(plainWords).filter { seen.insert($0).inserted }
            .prefix(count).map { $0 }
    }

    func run(commands: Int, others: Int) throws -> Findings {
        var findings = Findings()
        let voices = Voice.allCases
        for (number, words) in utterances(commands).enumerated() {
            let voice = voices[number % voices.count]
            let spoken = try speaker.samples(of: words.joined(separator: " "), voice: voice)
            let wanted = sal.understand(words).map(\.meaning)
            for (name, samples) in [("clean", spoken), ("noisy", noisy(spoken, decibels: 20))] {
                let heard = try hear(samples, &findings)
                let isExact = sal.understand(heard).map(\.meaning) == wanted
                if name == "clean" { findings.clean.count(isExact) } else { findings.noisy.count(isExact) }
                if isVerbose || !isExact { log(isExact ? "right" : "WRONG", name, voice, words, heard) }
            }
        }
        // One after another, each voice says every other.
        for (number, sentence) in Domain.unrelated.prefix(others).enumerated() {
            let voice = voices[(number + domain.name.count) % voices.count]
            findings.unrelated.count(try isCommand(sentence, voice, "unrelated", &findings))
        }
        for (number, sentence) in domain.nearMisses.enumerated() {
            for turn in 0..<3 {
                let voice = voices[(number + 2 * turn) % voices.count]
                findings.nearMisses.count(try isCommand(sentence, voice, "near miss", &findings))
            }
        }
        return findings
    }

    private func isCommand(_ sentence: String, _ voice: Voice, _ kind: String, _ findings: inout Findings) throws
        -> Bool
    {
        let heard = try hear(try speaker.samples(of: sentence, voice: voice), &findings)
        let isCommand = sal.understand(heard).contains { !$0.intent.isEmpty }
        if isVerbose || isCommand {
            log(isCommand ? "FALSE" : "right", kind, voice, sentence.split(separator: " ").map(String.init), heard)
        }
        return isCommand
    }

    private func hear(_ samples: [Int16], _ findings: inout Findings) throws -> [String] {
        let start = processorSeconds()
        try recognizer.begin()
        for offset in stride(from: 0, to: samples.count, by: 1_600) {
            try samples[offset..<min(offset + 1_600, samples.count)].withUnsafeBufferPointer {
                try recognizer.process($0)
            }
            _ = recognizer.hypothesis()
        }
        // Doubtful words are no part of a command.
        let words = try recognizer.end().words.filter { !$0.isDoubtful }.map(\.text)
        findings.secondsOfWork += processorSeconds() - start
        findings.secondsOfAudio += Double(samples.count) / 16_000
        return words
    }

    private func log(_ verdict: String, _ kind: String, _ voice: Voice, _ said: [String], _ heard: [String]) {
        print(
            "  \(verdict) \(kind) \(voice.rawValue): \(said.joined(separator: " ")) -> \(heard.joined(separator: " "))")
    }
}

/// An annotated utterance without its annotation.
func plainWords(_ annotated: String) -> [String] {
    annotated.split(separator: " ").filter { !$0.hasPrefix("*") }.map { word in
        String(word.drop { $0 == "[" }.prefix { $0 != "]" })
    }
}

/// Seconds for which this process has had a processor.
func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

func text(_ value: Double, _ digits: Int = 3) -> String { String(format: "%.\(digits)f", value) }

/// Prints a line at once, also into a file.
func print(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
