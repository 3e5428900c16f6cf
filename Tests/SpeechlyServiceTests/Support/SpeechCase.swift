import Foundation
import Speechly
import TestSupport
import XCTest

@testable import SpeechlyService

/// A recording with what is said in it, of `Tests/Cases/speech/speech.json`.
struct SpeechCase: Sendable {
    struct Entity: Hashable, Sendable {
        var type: String
        var value: String
        var start: Int
        var end: Int
    }

    var file: String
    var text: String
    var intent: String
    var entities: [Entity]

    static func all() throws -> [SpeechCase] {
        try TestCases.cases("speech/speech.json").map { item in
            let entities = try XCTUnwrap(item["entities"] as? [[Any]]).map { entity in
                Entity(
                    type: try XCTUnwrap(entity[0] as? String), value: try XCTUnwrap(entity[1] as? String),
                    start: try XCTUnwrap(entity[2] as? Int), end: try XCTUnwrap(entity[3] as? Int))
            }
            return SpeechCase(
                file: try XCTUnwrap(item["file"] as? String), text: try XCTUnwrap(item["text"] as? String),
                intent: try XCTUnwrap(item["intent"] as? String), entities: entities)
        }
    }

    /// The samples: PCM16 at 16 kHz.
    func samples() async throws -> [Int16] {
        let file = try AudioFile(path: TestCases.url("speech/\(file)").path)
        var bytes = Data()
        while let chunk = try await file.nextChunk() { bytes += chunk }
        return bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }

    static func configuration() throws -> ServiceConfiguration {
        try ServiceConfiguration(contentsOfFile: TestCases.url("speech/repos.sal").path)
    }

    static func task() throws -> RecognitionTask {
        let sal = try XCTUnwrap(configuration().sal)
        return RecognitionTask(grammar: sal.graph, vocabulary: sal.vocabulary.sorted())
    }
}

extension SpeechRecognizer {
    /// Hears a whole utterance in pieces of `chunk` samples.
    func recognize(_ samples: [Int16], chunk: Int = 1600) throws -> [RecognizedWord] {
        try begin()
        var rest = samples[...]
        while !rest.isEmpty {
            try Array(rest.prefix(chunk)).withUnsafeBufferPointer { try process($0) }
            rest = rest.dropFirst(chunk)
        }
        return try end().words
    }
}
