import CSoundModel
import Foundation
import XCTest

@testable import SpeechlyService

final class SoundVerifierTests: XCTestCase {
    private static let folder = PocketSphinxModel.systemEnglish.acousticModel

    func testTheBestGaussiansAreFound() {
        let (frames, phones, streams, width, gaussians, top) = (3, 2, 2, 3, 16, 4)
        var state: UInt32 = 1
        func numbers(_ count: Int) -> [Float] {
            (0..<count).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return Float(state >> 16) / 32_768 - 1
            }
        }
        let squares = numbers(phones * streams * width * gaussians)
        let values = numbers(phones * streams * width * gaussians)
        let constants = numbers(phones * streams * gaussians)
        let features = numbers(streams * frames * width)
        var best = [UInt8](repeating: 0, count: frames * phones * streams * top)
        var fits = [Float](repeating: 0, count: best.count)
        var shape = speechly_sound_shape(
            frames: frames, phones: phones, streams: streams, width: width, gaussians: gaussians, top: top)
        speechly_sound_best(&shape, squares, values, constants, features, &best, &fits)
        for frame in 0..<frames {
            for block in 0..<phones * streams {
                let densities = (0..<gaussians).map { gaussian in
                    (0..<width).reduce(constants[block * gaussians + gaussian]) { sum, index in
                        let value = features[(block % streams * frames + frame) * width + index]
                        let place = (block * width + index) * gaussians + gaussian
                        return sum + squares[place] * value * value + values[place] * value
                    }
                }
                let expected = (0..<gaussians).sorted { densities[$0] > densities[$1] }.prefix(top)
                let start = (frame * phones * streams + block) * top
                XCTAssertEqual(best[start..<start + top].map(Int.init), Array(expected))
                for (fit, gaussian) in zip(fits[start..<start + top], expected) {
                    XCTAssertEqual(fit, densities[gaussian], accuracy: 1e-4)
                }
            }
        }
    }

    func testTheModelHasItsPhones() throws {
        let model = try AcousticModel(folder: Self.folder)
        XCTAssertEqual(model.phoneNames[model.silence], "SIL")
        for phone in ARPAbet.allCases {
            let number = try XCTUnwrap(model.phone(phone.rawValue), phone.rawValue)
            XCTAssertEqual(model.senones(of: number).count, AcousticModel.states, phone.rawValue)
            let between = model.senones(of: number, left: model.silence, right: model.silence, place: .alone)
            XCTAssertEqual(between.count, AcousticModel.states, phone.rawValue)
        }
    }

    /// Whatever is cut off a file of a model, it is refused and nothing is read beyond its end.
    func testFilesThatAreNoModelAreRefused() throws {
        XCTAssertThrowsError(try AcousticModel(folder: "/nonexistent"))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for cut in ["mdef", "means", "variances", "sendump"] {
            let whole = try Data(contentsOf: URL(fileURLWithPath: Self.folder + "/" + cut))
            for length in [0, 3, 40, 200, whole.count / 2] {
                for name in ["mdef", "means", "variances", "sendump"] {
                    let file = folder.appendingPathComponent(name)
                    try? FileManager.default.removeItem(at: file)
                    if name == cut {
                        try whole.prefix(length).write(to: file)
                    } else {
                        try FileManager.default.createSymbolicLink(
                            atPath: file.path, withDestinationPath: Self.folder + "/" + name)
                    }
                }
                XCTAssertThrowsError(try AcousticModel(folder: folder.path), "\(length) bytes of \(cut)")
            }
        }
    }

    /// The words that were said fit the sound better than others do.
    func testAModelOfAnotherKindIsUsedWithoutTheCheck() throws {
        XCTAssertNotNil(SoundVerifier.make(folder: Self.folder, dictionary: "w0 HH AH\n"))
        XCTAssertNil(SoundVerifier.make(folder: "/usr/share", dictionary: "w0 HH AH\n"))
    }

    func testTheSoundSpeaksForWhatWasSaid() async throws {
        let preparation = try PocketSphinxPreparation(task: SpeechCase.task(), model: .systemEnglish)
        let recognizer = try PocketSphinxRecognizer(preparation)
        let verifier = try XCTUnwrap(preparation.verifier)
        let cases = try SpeechCase.all()
        for (item, other) in zip(cases, cases.dropFirst() + cases.prefix(1)) {
            let samples = NoiseReduction.cleaned(try await item.samples())
            let cepstra = try samples.withUnsafeBufferPointer(recognizer.decoder.cepstra)
            func score(_ text: String) throws -> Float {
                let segments = try text.split(separator: " ").map { word in
                    PocketSphinxDecoder.Segment(
                        token: "w\(try XCTUnwrap(preparation.tokens[String(word)]))", frames: 0..<1)
                }
                return try XCTUnwrap(verifier.evidence(of: segments, cepstra: cepstra)).score
            }
            XCTAssertGreaterThan(try score(item.text), 0, item.file)
            XCTAssertLessThan(try score(other.text), 0, item.file)
        }
    }

    func testWithoutWordsOrWithTooLittleSoundThereIsNoEvidence() throws {
        let verifier = try SoundVerifier(folder: Self.folder, dictionary: "w0 G OW\n")
        let sound = [Float](repeating: 1, count: 10 * AcousticModel.width)
        let word = PocketSphinxDecoder.Segment(token: "w0", frames: 0..<10)
        let silence = PocketSphinxDecoder.Segment(token: "<sil>", frames: 0..<10)
        XCTAssertNil(verifier.evidence(of: [], cepstra: sound))
        XCTAssertNil(verifier.evidence(of: [silence], cepstra: sound))
        // Two phones and two silences take twelve frames.
        XCTAssertNil(verifier.evidence(of: [word], cepstra: sound))
        XCTAssertNotNil(verifier.evidence(of: [word], cepstra: sound + sound))
    }
}
