import Foundation
import SpeechlyAudio
import XCTest

/// A test of audio files, with a folder of its own for them.
class AudioFileTestCase: XCTestCase {
    /// What is to be done after the test. Emptied then, because XCTest never releases its test cases.
    private var cleanups: [() throws -> Void] = []

    override func tearDownWithError() throws {
        let pending = cleanups
        cleanups = []
        for cleanup in pending { try cleanup() }
    }

    /// Writes a file that is removed after the test.
    func file(_ data: Data, named name: String = "audio.wav") throws -> String {
        try folder().appendingPathComponent(name).path.also { try data.write(to: URL(fileURLWithPath: $0)) }
    }

    /// Makes a folder that is removed after the test.
    func folder() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("speechly-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        cleanups.append { try FileManager.default.removeItem(at: url) }
        return url
    }

    /// The path of a pipe that holds `data`, of at most 64 KiB, and then ends.
    func pipe(_ data: Data) throws -> String {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: data)
        try pipe.fileHandleForWriting.close()
        cleanups.append { try pipe.fileHandleForReading.close() }
        return "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    }

    /// Everything that a source delivers.
    func read(_ source: some AudioSource) async throws -> [Int16] {
        var data = Data()
        while let chunk = try await source.nextChunk() {
            XCTAssertFalse(chunk.isEmpty)
            data.append(chunk)
        }
        let afterEnd = try await source.nextChunk()
        XCTAssertNil(afterEnd)
        return data.samples
    }

    /// Everything that a file delivers.
    func read(path: String) async throws -> [Int16] { try await read(AudioFile(path: path)) }

    /// The error of opening or reading a file.
    func failure(path: String, file: StaticString = #filePath, line: UInt = #line) async -> AudioFileError? {
        do {
            _ = try await read(path: path)
            XCTFail("\(path) was read", file: file, line: line)
        } catch {
            XCTAssertTrue(error is AudioFileError, "\(error)", file: file, line: line)
            return error as? AudioFileError
        }
        return nil
    }
}

extension String {
    fileprivate func also(_ body: (String) throws -> Void) rethrows -> String {
        try body(self)
        return self
    }
}
