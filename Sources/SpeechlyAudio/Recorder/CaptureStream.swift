import Foundation
import SpeechlySync

/// What a recorder delivers, and how the device's audio becomes that.
struct CaptureOutput: Hashable, Sendable {
    /// In Hz.
    var sampleRate: Int
    var channels: Int
    /// The length of a piece of audio, in seconds.
    var chunk: TimeInterval

    /// The size of a full piece, in bytes.
    var bytesPerChunk: Int { max(1, Int(Double(sampleRate) * chunk)) * channels * 2 }
}

/// The audio of one opening of the device, on its way from the capture thread to the delivery.
///
/// `@unchecked Sendable`: `resampler` and `buffer` are the delivery's alone.
final class CaptureStream: @unchecked Sendable {
    /// Something that happened between two pieces of audio.
    enum Event: Sendable {
        /// So many seconds of audio are missing here.
        case lost(TimeInterval)
        /// A recording ended here, because of the error if there is one.
        case ended(AudioRecorder.AudioRecorderError?)
        /// Nothing follows.
        case closed
    }

    let parameters: PCMParameters
    let output: CaptureOutput
    let ring: CaptureRing
    let resampler: Resampler
    /// Converted audio that does not make up a piece yet.
    var buffer = ByteQueue()

    private let marks = Locked<[(position: Int, event: Event)]>([])
    /// How much the ring holds at least, in seconds.
    private static let ringLength = 2.0

    init(_ parameters: PCMParameters, output: CaptureOutput) throws(ResamplerError) {
        self.parameters = parameters
        self.output = output
        resampler = try Resampler(
            inputRate: Double(parameters.sampleRate), outputRate: Double(output.sampleRate),
            inputChannels: parameters.channels, outputChannels: output.channels)
        let frames = max(1, Int(Double(parameters.sampleRate) * output.chunk))
        ring = CaptureRing(
            slotCount: max(4, Int((Self.ringLength / output.chunk).rounded(.up))),
            slotSize: frames * parameters.bytesPerFrame)
    }

    /// Notes that something happened behind all that has been written so far. Losses in one place add up.
    func mark(_ event: Event) {
        let position = ring.writtenCount
        marks.withLock { marks in
            if case .lost(let more) = event, let last = marks.last, last.position == position,
                case .lost(let seconds) = last.event
            {
                marks[marks.count - 1].event = .lost(seconds + more)
            } else {
                marks.append((position, event))
            }
        }
    }

    /// What happened before the oldest piece that has not been read.
    func takeEvent() -> Event? {
        let position = ring.consumedCount
        return marks.withLock { marks in
            guard let first = marks.first, first.position == position else { return nil }
            marks.removeFirst()
            return first.event
        }
    }
}
