import Dispatch
import Foundation
import SpeechlySync

/// Saves the audio of each utterance as a WAV file, as it was given to the service. For debugging.
///
/// Files are written on a queue of their own; a problem is logged and does not touch recognition.
final class UtteranceFiles: Sendable {
    private struct File {
        let handle: FileHandle
        let url: URL
        var bytes = 0
    }

    private let directory: URL
    private let sampleRate: Int
    private let channels: Int
    private let logger: Logger
    private let queue = DispatchQueue(label: "speechly.Client.utterances", qos: .utility)
    private let files = Locked<[Int: File]>([:])
    private let prefix: String

    init(directory: URL, sampleRate: Int, channels: Int, logger: Logger) {
        self.directory = directory
        self.sampleRate = sampleRate
        self.channels = channels
        self.logger = logger
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyyMMdd-HHmmss-SSS"
        prefix = formatter.string(from: Date())
    }

    /// Opens the file of an utterance, or goes back in it to where the audio is sent again from.
    ///
    /// - Parameter from: the bytes of audio before what follows.
    func start(_ id: Int, from: Int) {
        queue.async { [self] in
            do {
                if let file = files.withLock({ $0[id] }) {
                    let bytes = min(from, file.bytes)
                    try file.handle.truncate(atOffset: UInt64(header(bytes: 0).count + bytes))
                    return files.withLock { $0[id]?.bytes = bytes }
                }
                try FileManager.default.createDirectory(
                    at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                let url = directory.appendingPathComponent("\(prefix)-\(id).wav")
                guard
                    FileManager.default.createFile(
                        atPath: url.path, contents: header(bytes: 0), attributes: [.posixPermissions: 0o600])
                else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path]) }
                let handle = try FileHandle(forWritingTo: url)
                try handle.seekToEnd()
                files.withLock { $0[id] = File(handle: handle, url: url) }
            } catch {
                logger.log(.warning, "the audio of an utterance cannot be saved in \(directory.path): \(error)")
            }
        }
    }

    func append(_ data: Data, to id: Int) {
        queue.async { [self] in
            guard let file = files.withLock({ $0[id] }) else { return }
            do {
                try file.handle.write(contentsOf: data)
                files.withLock { $0[id]?.bytes += data.count }
            } catch {
                logger.log(.warning, "\(file.url.path) cannot be written: \(error)")
                files.withLock { $0[id] = nil }
            }
        }
    }

    /// Completes the file of an utterance.
    func finish(_ id: Int) {
        queue.async { [self] in
            guard let file = files.withLock({ $0.removeValue(forKey: id) }) else { return }
            do {
                try file.handle.seek(toOffset: 0)
                try file.handle.write(contentsOf: header(bytes: file.bytes))
                try file.handle.close()
                logger.log(.debug, "saved \(file.url.path)")
            } catch {
                logger.log(.warning, "\(file.url.path) cannot be completed: \(error)")
            }
        }
    }

    /// The header of a PCM16 WAV file with so many bytes of audio.
    private func header(bytes: Int) -> Data {
        var data = Data()
        func append<Value: FixedWidthInteger>(_ value: Value) {
            withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
        }
        data.append(contentsOf: "RIFF".utf8)
        append(UInt32(clamping: 36 + bytes))
        data.append(contentsOf: "WAVEfmt ".utf8)
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(clamping: channels))
        append(UInt32(clamping: sampleRate))
        append(UInt32(clamping: sampleRate * channels * 2))
        append(UInt16(clamping: channels * 2))
        append(UInt16(16))
        data.append(contentsOf: "data".utf8)
        append(UInt32(clamping: bytes))
        return data
    }
}
