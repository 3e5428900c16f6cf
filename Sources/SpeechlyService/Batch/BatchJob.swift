import Foundation
import SpeechlyGRPC
import SpeechlyProto

/// A batch job: a file that waits, is heard, or has been heard.
struct BatchJob: Sendable {
    /// Who handed it in; nobody else may ask about it.
    let owner: TokenClaims.Scope
    let application: Application
    var operation: BatchOperation
    /// When it ended.
    var ended: ContinuousClock.Instant?

    var isOver: Bool { operation.status == .done || operation.status == .error }
}

/// The audio of a job on its way in: in a file that only this user can read, so that jobs that wait take no memory.
final class BatchUpload {
    let folder: PrivateFolder
    let path: String
    private let handle: FileHandle
    private let limit: Int
    private var start: [UInt8] = []
    private var isStarted = false
    private(set) var bytes = 0

    /// - Parameter limit: most bytes of audio.
    init(limit: Int) throws {
        folder = try PrivateFolder()
        path = try folder.write("", to: "audio")
        handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        self.limit = limit
    }

    deinit { try? handle.close() }

    /// Adds a piece. What is no audio file by its first bytes is taken as raw PCM, and gets a header.
    func append(_ piece: [UInt8], _ config: BatchAudioConfiguration?) throws(GRPCStatus) {
        bytes += piece.count
        guard bytes <= limit else {
            throw GRPCStatus(code: .resourceExhausted, message: "the file is longer than \(limit) bytes: cut it")
        }
        if isStarted { return try write(piece) }
        start += piece
        if start.count >= 12 { try begin(config) }
    }

    /// Ends the upload.
    func finish(_ config: BatchAudioConfiguration?) throws(GRPCStatus) {
        guard bytes > 0 else { throw .invalid("no audio was sent") }
        if !isStarted { try begin(config) }
    }

    private func begin(_ config: BatchAudioConfiguration?) throws(GRPCStatus) {
        isStarted = true
        if !Self.isFile(start) { try write(Self.header(config)) }
        try write(start)
        start = []
    }

    /// Whether the bytes begin a file that says itself what it holds.
    private static func isFile(_ start: [UInt8]) -> Bool {
        ["RIFF", "RF64", "BW64", "fLaC", "OggS"].contains(String(decoding: start.prefix(4), as: UTF8.self))
    }

    /// The header of a WAV file of unknown length.
    private static func header(_ config: BatchAudioConfiguration?) throws(GRPCStatus) -> [UInt8] {
        guard let config else {
            throw .invalid("the audio has no header: config has to say what it is")
        }
        guard config.encoding == .linear16 else {
            throw .invalid("encoding \(config.encoding.rawValue) is not supported: send LINEAR16 (1), or a WAV file")
        }
        guard (1...8).contains(config.channels) else {
            throw .invalid("\(config.channels) channels are not supported: send 1 to 8")
        }
        guard (8_000...192_000).contains(config.sampleRateHertz) else {
            throw .invalid("a sample rate of \(config.sampleRateHertz) Hz is not supported: send 8000 to 192000 Hz")
        }
        let (rate, channels) = (UInt32(config.sampleRateHertz), UInt16(config.channels))
        func four(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        func two(_ value: UInt16) -> [UInt8] { (0..<2).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        var header = Array("RIFF".utf8) + four(.max) + Array("WAVEfmt ".utf8) + four(16)
        header += two(1) + two(channels) + four(rate) + four(rate * UInt32(channels) * 2) + two(channels * 2) + two(16)
        return header + Array("data".utf8) + four(.max)
    }

    private func write(_ bytes: [UInt8]) throws(GRPCStatus) {
        do {
            try handle.write(contentsOf: bytes)
        } catch {
            throw GRPCStatus(
                code: .resourceExhausted, message: "the file cannot be kept: \(error.localizedDescription)")
        }
    }
}
