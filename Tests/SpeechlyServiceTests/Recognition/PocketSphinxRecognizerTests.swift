import Speechly
import TestSupport
import XCTest

@testable import SpeechlyService

final class PocketSphinxRecognizerTests: XCTestCase {
    func testHearsEveryRecording() async throws {
        let recognizer = try PocketSphinxRecognizer(task: SpeechCase.task())
        for item in try SpeechCase.all() {
            let samples = try await item.samples()
            let words = try recognizer.recognize(samples)
            XCTAssertEqual(words.map(\.text).joined(separator: " "), item.text, item.file)
            var last = 0
            for word in words {
                XCTAssertGreaterThanOrEqual(word.startTime, last, "\(item.file): \(word)")
                XCTAssertGreaterThan(word.endTime, word.startTime, "\(item.file): \(word)")
                last = word.endTime
            }
            XCTAssertLessThanOrEqual(last, samples.count / 16 + 10, item.file)
        }
    }

    func testResultDependsNeitherOnChunksNorOnTheUtteranceBefore() async throws {
        let task = try SpeechCase.task()
        let used = try PocketSphinxRecognizer(task: task)
        let cases = try SpeechCase.all()
        let item = cases[1]
        let samples = try await item.samples()
        let expected = try PocketSphinxRecognizer(task: task).recognize(samples, chunk: samples.count)
        XCTAssertEqual(expected.map(\.text).joined(separator: " "), item.text)
        _ = try used.recognize(await cases[0].samples())
        for chunk in [1, 7, 160, 480, 1023, 1600, 4096, 32_768] {
            XCTAssertEqual(try used.recognize(samples, chunk: chunk), expected, "\(chunk) samples a chunk")
        }
    }

    func testHypothesisGrowsWhileAudioComes() async throws {
        let recognizer = try PocketSphinxRecognizer(task: SpeechCase.task())
        let samples = try await SpeechCase.all()[0].samples()
        try recognizer.begin()
        XCTAssertEqual(recognizer.hypothesis().words, [])
        var firstWordAt: Int?
        for start in stride(from: 0, to: samples.count, by: 1600) {
            let end = min(start + 1600, samples.count)
            try samples[start..<end].withUnsafeBufferPointer { try recognizer.process($0) }
            if firstWordAt == nil, !recognizer.hypothesis().words.isEmpty { firstWordAt = end }
        }
        XCTAssertLessThan(try XCTUnwrap(firstWordAt), samples.count * 6 / 10)
        XCTAssertEqual(try recognizer.end().words.count, 5)
    }

    func testSilenceNoAudioAndNoiseHaveNoWords() throws {
        let recognizer = try PocketSphinxRecognizer(task: SpeechCase.task())
        XCTAssertEqual(try recognizer.recognize([]), [])
        XCTAssertEqual(try recognizer.recognize([Int16](repeating: 0, count: 48_000)), [])
        var state: UInt64 = 42
        let noise = (0..<48_000).map { _ -> Int16 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int16(truncatingIfNeeded: Int(state >> 33)) / 64
        }
        XCTAssertEqual(try recognizer.recognize(noise), [])
    }

    func testAnAbandonedUtteranceLeavesNothingBehind() async throws {
        let recognizer = try PocketSphinxRecognizer(task: SpeechCase.task())
        let item = try SpeechCase.all()[2]
        let samples = try await item.samples()
        try recognizer.begin()
        try samples.prefix(20_001).withUnsafeBufferPointer { try recognizer.process($0) }
        let words = try recognizer.recognize(samples)
        XCTAssertEqual(words.map(\.text).joined(separator: " "), item.text)
    }

    func testCallsOutOfOrderAreErrors() throws {
        let recognizer = try PocketSphinxRecognizer(task: SpeechCase.task())
        XCTAssertThrowsError(try recognizer.end())
        let samples: [Int16] = [1, 2, 3]
        XCTAssertThrowsError(try samples.withUnsafeBufferPointer { try recognizer.process($0) })
    }

    /// Each is heard as it is alone: neither may spoil what is known of the other's sound.
    func testSeveralCommandsInOneUtterance() async throws {
        let recognizer = try PocketSphinxRecognizer(task: SpeechCase.task())
        let cases = try SpeechCase.all()
        for (index, first) in cases.enumerated() {
            let second = cases[(index + 1) % cases.count]
            for pause in [4800, 16_000] {
                let head = try await first.samples() + [Int16](repeating: 0, count: pause)
                let tail = try await second.samples() + [Int16](repeating: 0, count: 8000)
                let words = try recognizer.recognize(head + tail)
                XCTAssertEqual(words.map(\.text).joined(separator: " "), first.text + " " + second.text)
                let count = first.text.split(separator: " ").count
                XCTAssertLessThanOrEqual(words[..<count].last?.endTime ?? .max, head.count / 16, first.file)
                XCTAssertGreaterThan(words[count...].first?.startTime ?? 0, (head.count - pause) / 16, second.file)
            }
        }
    }

    func testMissingModelNamesThePackage() throws {
        var model = PocketSphinxModel.systemEnglish
        model.acousticModel = "/nonexistent/model"
        XCTAssertThrowsError(try PocketSphinxRecognizer(task: SpeechCase.task(), model: model)) { error in
            XCTAssertEqual(
                error as? RecognizerError,
                .modelMissing(path: "/nonexistent/model/mdef", package: "pocketsphinx-en-us"))
            XCTAssertTrue("\(error)".contains("install the package pocketsphinx-en-us"), "\(error)")
        }
        model = .systemEnglish
        model.dictionary = "/nonexistent/words.dict"
        XCTAssertThrowsError(try PocketSphinxRecognizer(task: SpeechCase.task(), model: model))
    }

    func testAnotherLanguageIsRefused() throws {
        var task = try SpeechCase.task()
        task.languageCode = "fi-FI"
        XCTAssertThrowsError(try PocketSphinxRecognizer(task: task)) { error in
            XCTAssertEqual(error as? RecognizerError, .unsupportedLanguage("fi-FI"))
        }
    }
}

/// Large configurations, speech outside the configuration, and favoured words.
final class PocketSphinxTaskTests: XCTestCase {
    func testALargeConfigurationIsHeardThroughALanguageModel() async throws {
        let item = try SpeechCase.all()[5]
        let lines = (0..<40).map { "*line\($0) take the [1..60](n) from [61..99](m) and wait \($0 % 9 + 1) times" }
        let sal = try SALCompiler.compile(
            (["*sort [sort | order] {the results} by [name | stars | forks](field)"] + lines).joined(separator: "\n"),
            file: "large.sal")
        let preparation = try PocketSphinxPreparation(
            task: RecognitionTask(grammar: sal.graph), model: .systemEnglish)
        XCTAssertNotNil(preparation.languageModel)
        let words = try PocketSphinxRecognizer(preparation).recognize(await item.samples())
        XCTAssertEqual(words.map(\.text).joined(separator: " "), item.text)
    }

    /// What a first hearing has found is an order of words that the configuration does not have, or words that sound
    /// alike; the sound says which of the utterances nearby it was.
    func testTheSoundDecidesBetweenUtterancesNearby() async throws {
        let item = try SpeechCase.all()[5]
        let lines = (0..<40).map { "*line\($0) take the [1..60](n) from [61..99](m) and wait \($0 % 9 + 1) times" }
        let sorting =
            "*sort [sort | order | shorten] {the results} [by | my] [name | stars | starts | forks](field)"
        let sal = try SALCompiler.compile(([sorting] + lines).joined(separator: "\n"), file: "large.sal")
        let preparation = try PocketSphinxPreparation(task: RecognitionTask(grammar: sal.graph), model: .systemEnglish)
        let recognizer = try PocketSphinxRecognizer(preparation)
        let samples = try await item.samples()
        func segments(_ text: String) throws -> [PocketSphinxDecoder.Segment] {
            try text.split(separator: " ").enumerated().map { index, word in
                let token = try XCTUnwrap(preparation.tokens[String(word)])
                return .init(token: "w\(token)", frames: index * 20..<index * 20 + 20)
            }
        }
        func text(_ segments: [PocketSphinxDecoder.Segment]) -> String {
            segments.compactMap { preparation.word(forToken: $0.token) }.joined(separator: " ")
        }
        let wrong = item.text.split(separator: " ").dropLast().joined(separator: " ") + " starts name"
        for first in [wrong, item.text + " the"] {
            XCTAssertEqual(text(try recognizer.hearNearby(samples, first: segments(first))), item.text, first)
        }
        // What is far from every utterance stays what it is.
        let far = "wait times from wait take"
        XCTAssertEqual(text(try recognizer.hearNearby(samples, first: segments(far))), far)
        // And the recogniser listens for everything again.
        XCTAssertEqual(try recognizer.recognize(samples).map(\.text).joined(separator: " "), item.text)
    }

    func testCommandsAreNotDoubted() async throws {
        let recognizer = try PocketSphinxRecognizer(task: SpeechCase.task())
        for item in try SpeechCase.all() {
            let words = try recognizer.recognize(await item.samples())
            XCTAssertEqual(words.map(\.text).joined(separator: " "), item.text)
            XCTAssertFalse(words.contains(where: \.isDoubtful), item.file)
        }
    }

    /// What is heard of speech that the configuration does not have is kept, and doubted.
    func testOtherSpeechIsDoubted() async throws {
        let sal = try SALCompiler.compile(
            """
            *light [turn | switch] [on | off](state) the [lights | heater | radio](device)
            *alarm wake me up at [5..11](hour) {in the morning}
            *blinds [open | close] the blinds {in the [kitchen | office](room)}
            """, file: "home.sal")
        let recognizer = try PocketSphinxRecognizer(task: RecognitionTask(grammar: sal.graph))
        for item in try SpeechCase.all() {
            let words = try recognizer.recognize(await item.samples())
            XCTAssertTrue(words.allSatisfy(\.isDoubtful), "\(item.file): \(words)")
        }
    }

    func testOtherSpeechIsNoCommandWhereThatIsAskedFor() async throws {
        // "show me go repositories" against a configuration that has nothing of the kind.
        let item = try XCTUnwrap(SpeechCase.all().first { $0.file.hasPrefix("show-me-go") })
        let samples = try await item.samples()
        let sal = try SALCompiler.compile("*sort [sort | order] {the results} by [name | stars](field)", file: "a.sal")
        let task = RecognitionTask(grammar: sal.graph)
        XCTAssertEqual(try PocketSphinxRecognizer(task: task, otherSpeech: 0.003).recognize(samples), [])
        let credulous = try PocketSphinxRecognizer(task: task)
        XCTAssertNotEqual(try credulous.recognize(samples), [])
    }

    func testFavouredWordsAreForgottenWithTheNextContext() async throws {
        let recognizer = try PocketSphinxRecognizer(task: SpeechCase.task())
        let item = try SpeechCase.all()[5]
        let samples = try await item.samples()
        let expected = try recognizer.recognize(samples)
        try recognizer.favor(["forks", "pull request"], bias: 4)
        _ = try recognizer.recognize(samples)
        try recognizer.favor([], bias: 0)
        XCTAssertEqual(try recognizer.recognize(samples), expected)
    }
}

/// Grammars at the edge, and no grammar.
final class PocketSphinxGrammarTests: XCTestCase {
    private func task(_ arcs: [SALGraph.Arc]) -> RecognitionTask {
        RecognitionTask(
            grammar: SALGraph(stateCount: 3, startState: 0, finalState: 2, arcs: arcs, isExact: true),
            vocabulary: arcs.compactMap(\.word))
    }

    private func arc(_ from: Int, _ to: Int, _ word: String?) -> SALGraph.Arc {
        SALGraph.Arc(from: from, to: to, word: word, probability: 1)
    }

    func testGrammarsWithoutAWordHearNothing() async throws {
        let samples = try await SpeechCase.all()[5].samples()
        let grammars = [
            [], [arc(0, 2, nil)], [arc(0, 1, "→"), arc(1, 2, "…")], [arc(0, 1, "show")],
            [arc(0, 1, nil), arc(1, 0, nil), arc(1, 2, nil)],
        ]
        for arcs in grammars {
            let recognizer = try PocketSphinxRecognizer(task: task(arcs))
            let words = try recognizer.recognize(samples).map(\.text)
            XCTAssertTrue(words.isEmpty || words == ["show"], "\(arcs): \(words)")
        }
    }

    func testAWordThatCannotBeSaidIsPassedOver() async throws {
        let item = try SpeechCase.all()[5]
        let graph = SALGraph(
            stateCount: 5, startState: 0, finalState: 4,
            arcs: [arc(0, 1, "order"), arc(1, 2, "→"), arc(2, 3, "by"), arc(3, 4, "stars")], isExact: true)
        let samples = try await item.samples()
        let words = try PocketSphinxRecognizer(task: RecognitionTask(grammar: graph)).recognize(samples)
        XCTAssertEqual(words.map(\.text).joined(separator: " "), item.text)
    }

    func testOpenVocabulary() async throws {
        let item = try SpeechCase.all()[2]
        let recognizer = try PocketSphinxRecognizer(task: RecognitionTask())
        let words = try recognizer.recognize(await item.samples())
        XCTAssertEqual(words.map(\.text).joined(separator: " "), item.text)
        XCTAssertEqual(try recognizer.recognize([Int16](repeating: 0, count: 8_000)), [])
    }
}
