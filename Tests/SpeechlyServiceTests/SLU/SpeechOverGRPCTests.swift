import Speechly
import TestSupport
import XCTest

@testable import SpeechlyService

/// Recorded speech through the whole path: a real channel, a stream, the recogniser and back.
final class SpeechOverGRPCTests: XCTestCase {
    private func check(
        _ context: ContextTranscript, _ item: SpeechCase, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        XCTAssertTrue(context.isFinished, item.file, file: file, line: line)
        // What was for a moment taken for a second command, and taken back, is none.
        XCTAssertEqual(
            context.segments.values.count { !$0.words.isEmpty }, 1, item.file, file: file, line: line)
        let segment = try XCTUnwrap(context.segments[0], item.file, file: file, line: line)
        XCTAssertEqual(segment.text, item.text, item.file, file: file, line: line)
        XCTAssertEqual(segment.intent, item.intent, item.file, file: file, line: line)
        let entities = segment.entities.map {
            SpeechCase.Entity(
                type: $0.entity, value: $0.value, start: Int($0.startPosition), end: Int($0.endPosition))
        }
        XCTAssertEqual(entities, item.entities, item.file, file: file, line: line)
        XCTAssertTrue(segment.isFinal, item.file, file: file, line: line)
    }

    func testEveryRecordingOnOneStream() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        let stream = try harness.stream()
        try await stream.configure()
        let cases = try SpeechCase.all()
        // Each start follows the stop before it at once.
        for item in cases { try await stream.sendContext(await item.samples()) }
        stream.closeSend()
        let (responses, status) = await stream.collect()
        XCTAssertEqual(status, .ok)
        let contexts = ContextTranscript.read(responses)
        XCTAssertEqual(contexts.count, cases.count)
        for (context, item) in zip(contexts, cases) { try check(context, item) }
    }

    func testChunksDoNotMatter() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        let item = try SpeechCase.all()[3]
        let samples = try await item.samples()
        var finals: Set<[SLUTranscript]> = []
        for chunk in [480, 512, 1_600, 32_768, samples.count] {
            let stream = try harness.stream()
            try await stream.configure()
            try await stream.sendContext(samples, chunk: chunk)
            stream.closeSend()
            let (responses, status) = await stream.collect()
            XCTAssertEqual(status, .ok)
            let context = try XCTUnwrap(ContextTranscript.read(responses).first)
            try check(context, item)
            finals.insert(context.segments[0]?.words ?? [])
        }
        XCTAssertEqual(finals.count, 1)
    }

    func testStreamsAtOnce() async throws {
        var configuration = try SpeechCase.configuration()
        configuration.maximumRecognizers = 3
        let harness = try ServiceHarness(configuration)
        let cases = try SpeechCase.all()
        try await withThrowingTaskGroup(of: (ContextTranscript?, SpeechCase).self) { group in
            for round in 0..<12 {
                let item = cases[round % cases.count]
                group.addTask {
                    let stream = try harness.stream()
                    try await stream.configure()
                    try await stream.sendContext(await item.samples())
                    stream.closeSend()
                    let (responses, status) = await stream.collect()
                    XCTAssertEqual(status, .ok)
                    return (ContextTranscript.read(responses).first, item)
                }
            }
            for try await (context, item) in group { try check(try XCTUnwrap(context), item) }
        }
    }

    func testOtherSampleRates() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        let item = try XCTUnwrap(SpeechCase.all().last)
        for rate in [44_100, 48_000] {
            let file = try AudioFile(path: TestCases.url("speech/\(item.file)").path, sampleRate: Double(rate))
            var samples: [Int16] = []
            while let chunk = try await file.nextChunk() {
                samples += chunk.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
            }
            let stream = try harness.stream()
            try await stream.configure(sampleRate: Int32(rate))
            try await stream.sendContext(samples)
            stream.closeSend()
            let (responses, status) = await stream.collect()
            XCTAssertEqual(status, .ok)
            try check(XCTUnwrap(ContextTranscript.read(responses).first), item)
        }
    }

    func testTheOlderEventsWork() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        let item = try SpeechCase.all()[5]
        let stream = try harness.stream()
        try await stream.configure()
        try await stream.send(.event(SLUEvent(event: .start)))
        let samples = try await item.samples()
        try await stream.send(.audio(samples.withUnsafeBytes { Array($0) }))
        try await stream.send(.event(SLUEvent(event: .stop)))
        stream.closeSend()
        let (responses, status) = await stream.collect()
        XCTAssertEqual(status, .ok)
        try check(XCTUnwrap(ContextTranscript.read(responses).first), item)
    }

    func testSilenceAndNoAudioHaveNoSegment() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        let stream = try harness.stream()
        try await stream.configure()
        try await stream.sendContext([Int16](repeating: 0, count: 32_000))
        try await stream.sendContext([])
        stream.closeSend()
        let (responses, status) = await stream.collect()
        XCTAssertEqual(status, .ok)
        let contexts = ContextTranscript.read(responses)
        XCTAssertEqual(contexts.map(\.isFinished), [true, true])
        XCTAssertTrue(contexts.allSatisfy(\.segments.isEmpty))
        XCTAssertEqual(responses.count, 4)
    }

    func testTwoCommandsInOneContextAreTwoSegments() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        let cases = try SpeechCase.all()
        let samples = try await cases[0].samples() + cases[1].samples()
        for options in [[], [SLUStart.Option(key: "silence_triggered_segmentation", value: ["240"])]] {
            let stream = try harness.stream()
            try await stream.configure()
            try await stream.sendContext(samples, options: options)
            stream.closeSend()
            let (responses, status) = await stream.collect()
            XCTAssertEqual(status, .ok)
            let context = try XCTUnwrap(ContextTranscript.read(responses).first)
            XCTAssertEqual(context.segments[0]?.text, cases[0].text)
            XCTAssertEqual(context.segments[1]?.text, cases[1].text)
            XCTAssertEqual(context.segments[1]?.intent, cases[1].intent)
            XCTAssertEqual(context.segments[1]?.entities.first?.startPosition, 4)
            let end = try XCTUnwrap(context.segments[0]?.words.last?.endTime)
            XCTAssertGreaterThan(try XCTUnwrap(context.segments[1]?.words.first?.startTime), end)
        }
    }
}
