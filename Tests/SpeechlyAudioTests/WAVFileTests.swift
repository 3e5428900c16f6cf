import Foundation
import TestSupport
import XCTest

@testable import SpeechlyAudio

final class WAVFileTests: AudioFileTestCase {
    private let samples: [Int16] = [0, 1, -1, 255, -256, 1_000, -32_768, 32_767] + Signals.noise(3_992, seed: 5)

    func testTheGivenRecordingsAreReadExactly() async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: TestCases.url("speech").path)
        let files = names.filter { $0.hasSuffix(".wav") }
        XCTAssertEqual(files.count, 6)
        for name in files {
            let source = try AudioFile(url: TestCases.url("speech/\(name)"))
            let output = try await read(source)
            XCTAssertEqual(output, try TestCases.data("speech/\(name)").dropFirst(44).samples, name)
            XCTAssertEqual(try XCTUnwrap(source.duration), Double(output.count) / 16_000, accuracy: 1e-9)
            XCTAssertEqual(source.warnings, [])
        }
    }

    func testChunksAreATenthOfASecondOrWhatIsAskedFor() async throws {
        let path = try file(WAVBuilder(samples).data)
        for (duration, size) in [(nil, 3_200), (.milliseconds(30), 960), (.zero, 320)] as [(Duration?, Int)] {
            let source = try duration.map { try AudioFile(path: path, chunk: $0) } ?? AudioFile(path: path)
            var sizes: [Int] = []
            while let chunk = try await source.nextChunk() { sizes.append(chunk.count) }
            XCTAssertEqual(sizes.reduce(0, +), 8_000)
            XCTAssertTrue(sizes.dropLast().allSatisfy { $0 == size })
            XCTAssertLessThanOrEqual(sizes.last ?? .max, size)
        }
    }

    func testEveryWidthIsRead() async throws {
        let eight = Data(samples.map { UInt8(truncatingIfNeeded: Int($0 >> 8) + 128) })
        let wide = samples.map { Int32($0) << 16 }
        let packed = wide.flatMap { value in (1...3).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        let single = samples.map { Float($0) / 32_768 }
        let double = samples.map { Double($0) / 32_768 }
        let variants: [(WAVBuilder, [Int16])] = [
            (WAVBuilder(bits: 8, audio: eight), samples.map { ($0 >> 8) << 8 }),
            (WAVBuilder(samples), samples),
            (WAVBuilder(bits: 24, audio: Data(packed)), samples),
            (WAVBuilder(bits: 32, audio: wide.withUnsafeBytes { Data($0) }), samples),
            (WAVBuilder(tag: 3, bits: 32, audio: single.withUnsafeBytes { Data($0) }), samples),
            (WAVBuilder(tag: 3, bits: 64, audio: double.withUnsafeBytes { Data($0) }), samples),
        ]
        for (variant, expected) in variants {
            for isExtensible in [false, true] {
                var builder = variant
                builder.isExtensible = isExtensible
                for path in [try file(builder.data), try pipe(builder.data)] {
                    let output = try await read(path: path)
                    XCTAssertEqual(output, expected, "tag \(builder.tag), \(builder.bits) bits, \(path)")
                }
            }
        }
    }

    /// libsndfile decodes the same codes from a file of Sun's format, which has them too.
    func testTelephoneCodesAreReadAsLibsndfileReadsThem() async throws {
        let codes = Data((0...255).map { UInt8($0) })
        for (tag, sunEncoding) in [(7, 1), (6, 27)] as [(UInt16, UInt32)] {
            var header = Data(".snd".utf8)
            for value in [24, 256, sunEncoding, 16_000, 1] as [UInt32] {
                header += withUnsafeBytes(of: value.bigEndian) { Data($0) }
            }
            let expected = try await read(path: file(header + codes, named: "audio.au"))
            XCTAssertEqual(Set(expected).count, tag == 7 ? 255 : 256)
            let output = try await read(path: file(WAVBuilder(tag: tag, bits: 8, audio: codes).data))
            XCTAssertEqual(output, expected)
        }
    }

    func testChannelsAreAveragedOrPickedAndRatesConverted() async throws {
        var builder = WAVBuilder(samples.flatMap { [$0, 0] })
        builder.channels = 2
        let path = try file(builder.data)
        let averaged = try await read(path: path)
        XCTAssertEqual(averaged, samples.map { Int16((Float($0) / 2).rounded(.toNearestOrEven)) })
        let picked = try await read(AudioFile(path: path, selection: .channel(0)))
        XCTAssertEqual(picked, samples)
        let both = try await read(AudioFile(path: path, channels: 2))
        XCTAssertEqual(both, samples.flatMap { [$0, 0] })
        builder.sampleRate = 8_000
        let doubled = try await read(path: file(builder.data))
        XCTAssertEqual(doubled.count, 8_000)
    }

    func testOnlyTheDataChunkIsAudio() async throws {
        var builder = WAVBuilder(samples)
        builder.chunksBefore = [
            ("JUNK", Data(repeating: 7, count: 27)), ("LIST", Data("odd".utf8)), ("fact", Data(count: 4)),
        ]
        builder.chunksAfter = [
            ("LIST", Data(repeating: 0x55, count: 1_001)), ("id3 ", Data(repeating: 0x55, count: 10)),
        ]
        for path in [try file(builder.data), try pipe(builder.data)] {
            let output = try await read(path: path)
            XCTAssertEqual(output, samples)
        }
    }

    func testASizeThatIsNotKnownMeansUntilTheEnd() async throws {
        for size in [0, 0x7FFF_0000, 0x7FFF_F000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] as [UInt32] {
            for riffSize in [nil, 0, 36, 0xFFFF_FFFF] as [UInt32?] {
                var builder = WAVBuilder(samples)
                builder.dataSize = size
                builder.riffSize = riffSize
                for path in [try file(builder.data), try pipe(builder.data)] {
                    let source = try AudioFile(path: path)
                    let output = try await read(source)
                    XCTAssertEqual(output, samples, "size \(size), \(path)")
                    XCTAssertEqual(source.warnings, [])
                }
            }
        }
    }

    func testAFileWithoutAudioIsNotReadIntoItsOtherChunks() async throws {
        var builder = WAVBuilder()
        let bare = try await read(path: file(builder.data))
        XCTAssertEqual(bare, [])
        builder.chunksAfter = [("LIST", Data(repeating: 0x55, count: 101)), ("id3 ", Data(repeating: 0x55, count: 10))]
        let output = try await read(path: file(builder.data))
        XCTAssertEqual(output, [])
    }

    func testTheWideFormHasItsSizeInAChunkOfItsOwn() async throws {
        var builder = WAVBuilder(samples)
        builder.start = "RF64"
        builder.dataSize = 0xFFFF_FFFF
        builder.riffSize = 0xFFFF_FFFF
        builder.chunksBefore = [
            ("ds64", WAVBuilder.bytes(UInt64(0)) + WAVBuilder.bytes(UInt64(builder.audio.count)) + Data(count: 12))
        ]
        builder.chunksAfter = [("LIST", Data(repeating: 0x55, count: 100))]
        for path in [try file(builder.data), try pipe(builder.data)] {
            let output = try await read(path: path)
            XCTAssertEqual(output, samples)
        }
    }

    func testATruncatedFileGivesWhatIsThereAndAWarning() async throws {
        let whole = WAVBuilder(samples).data
        for path in [try file(whole.prefix(1_045)), try pipe(whole.prefix(1_045))] {
            let source = try AudioFile(path: path)
            let output = try await read(source)
            XCTAssertEqual(output, Array(samples.prefix(500)))
            let warning = try XCTUnwrap(source.warnings.first)
            guard case .truncated(_, 8_000, 1_001) = warning else { return XCTFail("\(warning)") }
        }
    }

    func testAFileCutBeforeItsFirstWholeSampleIsAnError() async throws {
        let whole = WAVBuilder(samples).data
        for length in [44, 45] {
            for path in [try file(whole.prefix(length)), try pipe(whole.prefix(length))] {
                do {
                    let output = try await read(path: path)
                    XCTFail("\(length) bytes gave \(output.count) samples")
                } catch {
                    XCTAssertEqual(error as? AudioFileError, .truncated(file: path))
                }
            }
        }
    }

    func testAWrongFrameSizeIsForgiven() async throws {
        var builder = WAVBuilder(samples)
        for size in [0, 1, 2] as [UInt16] {
            builder.blockSize = size
            let output = try await read(path: file(builder.data))
            XCTAssertEqual(output, samples)
        }
    }

    /// Whatever is in a header: an error or some audio, and an end.
    func testDamagedHeadersDoNoHarm() async throws {
        var builder = WAVBuilder(Array(samples.prefix(200)))
        builder.chunksBefore = [("LIST", Data(repeating: 1, count: 9))]
        builder.isExtensible = true
        let whole = builder.data
        var generator = SeededGenerator(seed: 11)
        var (failures, successes) = (0, 0)
        for _ in 0..<1_500 {
            var data = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                data[Int.random(in: 0..<110, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            do {
                let source = try AudioFile(path: pipe(data))
                while try await source.nextChunk() != nil {}
                successes += 1
            } catch {
                XCTAssertTrue(error is AudioFileError, "\(error)")
                failures += 1
            }
        }
        XCTAssertGreaterThan(failures, 100)
        XCTAssertGreaterThan(successes, 100)
    }
}
