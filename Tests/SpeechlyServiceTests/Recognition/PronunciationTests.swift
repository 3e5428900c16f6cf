import XCTest

@testable import SpeechlyService

final class PronunciationTests: XCTestCase {
    func testLetterToSound() {
        XCTAssertEqual(LetterToSound.phones(for: "typescript")?.joined(separator: " "), "T AY P EH S K R IH P T")
        XCTAssertEqual(LetterToSound.phones(for: "xqzt")?.joined(separator: " "), "Z K Z T")
        XCTAssertNil(LetterToSound.phones(for: ""))
    }

    func testEveryPhoneIsOneOfTheModel() {
        for word in ["a", "schwa", "beige", "thither", "boyhood", "o'brien", "'", "zzyzx", "kubernetes"] {
            for phone in LetterToSound.phones(for: word) ?? [] {
                XCTAssertNotNil(ARPAbet(rawValue: phone), "\(word): \(phone)")
            }
        }
    }

    func testSpokenPieces() {
        XCTAssertEqual(LetterToSound.spokenPieces(of: "typescript"), ["typescript"])
        XCTAssertEqual(LetterToSound.spokenPieces(of: "mp3"), ["mp", "three"])
        XCTAssertEqual(LetterToSound.spokenPieces(of: "what's"), ["what's"])
        XCTAssertEqual(LetterToSound.spokenPieces(of: "a.m"), ["a", "m"])
        XCTAssertEqual(LetterToSound.spokenPieces(of: "r&b"), ["r", "and", "b"])
        XCTAssertEqual(LetterToSound.spokenPieces(of: "Zürich"), ["zurich"])
        XCTAssertEqual(LetterToSound.spokenPieces(of: "what\u{2019}s"), ["what's"])
        XCTAssertEqual(LetterToSound.spokenPieces(of: "→"), [])
        XCTAssertEqual(LetterToSound.spokenPieces(of: "'"), [])
        XCTAssertEqual(LetterToSound.spokenPieces(of: String(repeating: "a", count: 10_000)).first?.count, 48)
    }

    func testDictionaryHasEveryWayToSayAWord() throws {
        let model = PocketSphinxModel.systemEnglish
        let dictionary = PronunciationDictionary(path: model.dictionary, package: model.package)
        let found = try dictionary.pronunciations(of: ["the", "python", "notaword"])
        XCTAssertEqual(found["the"], [["DH", "AH"], ["DH", "IY"]])
        XCTAssertEqual(found["python"], [["P", "AY", "TH", "AA", "N"]])
        XCTAssertNil(found["notaword"])
    }

    func testUnsayableAndHostileWordsDoNotBreakTheGrammar() throws {
        let words = ["<s>", "[NOISE]", "the(2)", "w0", "→", String(repeating: "word", count: 5_000), "a\nb", "#", "go"]
        let arcs = words.map { SALGraph.Arc(from: 0, to: 1, word: $0, probability: 0.1) }
        let task = RecognitionTask(
            grammar: SALGraph(stateCount: 2, startState: 0, finalState: 1, arcs: arcs, isExact: true),
            vocabulary: words)
        let preparation = try PocketSphinxPreparation(task: task, model: .systemEnglish)
        for line in preparation.dictionary.split(separator: "\n") {
            XCTAssertNotNil(line.wholeMatch(of: #/w[0-9]+(\([0-9]+\))?( [A-Z]{1,2})+/#), "\(line.prefix(100))")
        }
        XCTAssertNil(preparation.tokens["→"])
        XCTAssertNoThrow(try PocketSphinxRecognizer(preparation))
    }

    func testTheDictionaryFileIsPrivateAndRemoved() throws {
        var privateFolder: PrivateFolder? = try PrivateFolder()
        let folder = try XCTUnwrap(privateFolder?.path)
        let path = try XCTUnwrap(privateFolder?.write("w0 AA\n", to: "words.dict"))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        XCTAssertEqual(attributes[.posixPermissions] as? Int, 0o600)
        XCTAssertEqual(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int, 0o700)
        XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "w0 AA\n")
        privateFolder = nil
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder))
    }
}
