import Foundation
import TestSupport
import XCTest

@testable import SpeechlyAudio

final class AudioFileErrorTests: AudioFileTestCase {
    private let flac = "speech/show-me-only-typescript-items.rms.44100-stereo-24bit.flac"

    func testWhatIsNoAudioFileIsSaidToBeWhatItIs() async throws {
        let folder = try folder()
        let missing = folder.appendingPathComponent("missing.wav").path
        let text = try file(Data("hello world, this is text".utf8), named: "text.wav")
        let short = try file(Data("RIFF".utf8))
        let empty = try file(Data())
        let cases: [(String, AudioFileError)] = [
            (missing, .notFound(file: missing)), (text + "/x", .notFound(file: text + "/x")),
            (folder.path, .isDirectory(file: folder.path)), ("/dev/zero", .notAFile(file: "/dev/zero")),
            (empty, .empty(file: empty)), (text, .unknownFormat(file: text)), (short, .unknownFormat(file: short)),
        ]
        for (path, expected) in cases {
            let error = await failure(path: path)
            XCTAssertEqual(error, expected)
            XCTAssertTrue(expected.description.hasPrefix(path + ": "))
        }
        let emptyPipe = try pipe(Data())
        let error = await failure(path: emptyPipe)
        XCTAssertEqual(error, .empty(file: emptyPipe))
    }

    /// The system would open the file before the NUL.
    func testAPathIsWholeOrRefused() throws {
        let path = try file(WAVBuilder([1, 2, 3]).data)
        XCTAssertThrowsError(try AudioFile(path: path + "\0.flac")) {
            XCTAssertEqual(
                "\($0)", "\(path)\\0.flac: cannot be read: it has a NUL character, which no path or name has")
        }
        XCTAssertThrowsError(try AudioFile(path: "")) {
            XCTAssertEqual("\($0)", "\"\": cannot be read: the path is empty")
        }
    }

    func testPermissionDenied() throws {
        let path = try file(WAVBuilder([1, 2, 3]).data)
        XCTAssertEqual(chmod(path, 0), 0)
        // For this thread alone: root may read everything otherwise. Swift's Glibc module leaves the call out.
        let symbol = try XCTUnwrap(dlsym(nil, "setfsuid"))
        let setfsuid = unsafeBitCast(symbol, to: (@convention(c) (UInt32) -> Int32).self)
        let user = setfsuid(65_534)
        defer { _ = setfsuid(UInt32(user)) }
        XCTAssertThrowsError(try AudioFile(path: path)) {
            XCTAssertEqual($0 as? AudioFileError, .permissionDenied(file: path))
        }
    }

    func testHeadersThatSayTheImpossible() async throws {
        var builder = WAVBuilder([1, 2, 3])
        builder.channels = 0
        let noChannels = await failure(path: try file(builder.data))
        XCTAssertTrue("\(try XCTUnwrap(noChannels))".hasSuffix("damaged audio file: the header says 0 channels"))
        builder = WAVBuilder([1, 2, 3])
        builder.sampleRate = 0
        let noRate = await failure(path: try file(builder.data))
        XCTAssertTrue("\(try XCTUnwrap(noRate))".hasSuffix("the header says 0 Hz"))
        builder.sampleRate = 3
        let slow = await failure(path: try pipe(builder.data))
        XCTAssertTrue("\(try XCTUnwrap(slow))".hasSuffix("unsupported audio: 3 Hz; 1000 to 768000 Hz can be read"))
        builder = WAVBuilder([1, 2, 3])
        builder.channels = 1_025
        let wide = await failure(path: try file(builder.data))
        XCTAssertTrue("\(try XCTUnwrap(wide))".hasSuffix("unsupported audio: 1025 channels; up to 1024 can be read"))
        let noAudio = await failure(path: try file(WAVBuilder([1]).data.prefix(36)))
        XCTAssertTrue("\(try XCTUnwrap(noAudio))".contains("no audio ('data') chunk"))
        let noFormat = await failure(path: try file(Data("RIFF\0\0\0\0WAVEdata\0\0\0\0".utf8)))
        XCTAssertTrue("\(try XCTUnwrap(noFormat))".contains("audio comes before its format"))
        builder = WAVBuilder([1])
        builder.chunksBefore = Array(repeating: ("JUNK", Data()), count: 2_000)
        let endless = await failure(path: try file(builder.data))
        XCTAssertTrue("\(try XCTUnwrap(endless))".contains("damaged"))
    }

    func testUnknownEncodings() async throws {
        var builder = WAVBuilder([1, 2, 3])
        builder.tag = 0x1234
        for path in [try file(builder.data), try pipe(builder.data)] {
            let error = await failure(path: path)
            XCTAssertTrue("\(try XCTUnwrap(error))".hasPrefix(path))
        }
        let piped = await failure(path: try pipe(try TestCases.data(flac).prefix(60_000)))
        XCTAssertTrue("\(try XCTUnwrap(piped))".contains("FLAC from a pipe"))
    }

    func testATruncatedFLACIsOneErrorBeforeAnyAudio() throws {
        let whole = try TestCases.data(flac)
        for count in [60_000, whole.count - 20] {
            let path = try file(whole.prefix(count), named: "cut.flac")
            XCTAssertThrowsError(try AudioFile(path: path)) {
                XCTAssertEqual($0 as? AudioFileError, .truncated(file: path))
            }
        }
        let header = try file(whole.prefix(30), named: "header.flac")
        XCTAssertThrowsError(try AudioFile(path: header)) { XCTAssertTrue($0 is AudioFileError) }
    }

    func testADamagedFLACEndsInAnError() async throws {
        var data = try TestCases.data(flac)
        data.replaceSubrange(50_000..<52_000, with: Data(repeating: 0xA5, count: 2_000))
        let path = try file(data, named: "damaged.flac")
        let source = try AudioFile(path: path)
        do {
            _ = try await read(source)
            XCTFail("read to the end")
        } catch {
            guard case .malformed(path, _)? = error as? AudioFileError else { return XCTFail("\(error)") }
        }
        let afterError = try await source.nextChunk()
        XCTAssertNil(afterError)
    }

    func testHugeSparseFilesAreRefusedAtOnce() throws {
        var endless = WAVBuilder([1, 2, 3])
        endless.dataSize = 0
        endless.riffSize = 0
        for (name, start) in [("zeros.wav", Data()), ("endless.wav", endless.data), ("zeros.flac", Data())] {
            let path = try file(start, named: name)
            XCTAssertEqual(truncate(path, 5 << 30), 0)
            XCTAssertThrowsError(try AudioFile(path: path)) { error in
                switch error as? AudioFileError {
                case .unknownFormat where name.hasPrefix("zeros"), .tooLong where name == "endless.wav": break
                default: XCTFail("\(name): \(error)")
                }
            }
        }
    }

    func testOtherURLsAreRefused() throws {
        let url = try XCTUnwrap(URL(string: "http://localhost/a.wav"))
        XCTAssertThrowsError(try AudioFile(url: url)) { XCTAssertTrue($0 is AudioFileError) }
    }
}
