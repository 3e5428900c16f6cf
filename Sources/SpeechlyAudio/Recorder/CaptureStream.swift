import Foundation

/// What a recorder delivers, and how the device's audio becomes that.
struct CaptureOutput: Hashable, Sendable {
    /// In Hz.
    var sampleRate: Int
    var channels: Int
    /// The length of a piece of audio, in seconds.
    var chunk: TimeInterval
    /// How several channels become one.
    var selection = ChannelSelection.average
    /// The name of the device, for messages.
    var device = ""

    /// The size of a full piece, in bytes.
    var bytesPerChunk: Int { max(1, Int((Double(sampleRate) * chunk).rounded())) * channels * 2 }
}

/// The audio of one opening of the device, on its way from the capture thread to the delivery.
///
/// `@unchecked Sendable`: `resampler`, `buffer`, `silence`, `inspector` and `meter` are the delivery's alone.
final class CaptureStream: @unchecked Sendable {
    /// Something that happened between two pieces of audio. Trivial, so that the capture thread need not allocate.
    enum Event: Hashable, Sendable {
        /// So many of the device's frames are missing here.
        case lost(frames: Int)
        /// A recording begins here by itself, because the device is back.
        case restarted
        /// A recording ended here: because of the negative `errno`, or because it was asked for (0).
        case ended(Int32)
        /// The device is gone.
        case unavailable
        case warning(AudioRecorderWarning)
        /// Nothing follows.
        case closed
    }

    let parameters: PCMParameters
    let output: CaptureOutput
    let ring: CaptureRing
    let resampler: Resampler
    /// Converted audio that does not make up a piece yet.
    var buffer = ByteQueue()
    /// Frames of silence that are still to take the place of lost ones.
    var silence = 0
    var inspector: InputInspector
    var meter: LevelMeter
    /// A piece of silence, in the device's format.
    let silentPiece: [UInt8]

    private let marks = CaptureMarks()
    /// How much the ring holds at least, in seconds.
    private static let ringLength = 2.0

    init(_ parameters: PCMParameters, output: CaptureOutput) throws(ResamplerError) {
        self.parameters = parameters
        self.output = output
        resampler = try Resampler(
            inputRate: Double(parameters.sampleRate), outputRate: Double(output.sampleRate),
            inputChannels: parameters.channels, outputChannels: output.channels, selection: output.selection)
        let frames = max(1, Int((Double(parameters.sampleRate) * output.chunk).rounded()))
        ring = CaptureRing(
            slotCount: max(4, Int((Self.ringLength / output.chunk).rounded(.up))),
            slotSize: frames * parameters.bytesPerFrame)
        silentPiece = [UInt8](repeating: 0, count: frames * parameters.bytesPerFrame)
        inspector = InputInspector(parameters)
        meter = LevelMeter(sampleRate: Double(output.sampleRate), channels: output.channels)
    }

    /// Notes that something happened behind all that has been written so far. Returns `false` when there is no room.
    func mark(_ event: Event) -> Bool { marks.add(event, at: ring.writtenCount) }

    /// What happened before the oldest piece that has not been read.
    func takeEvent() -> Event? { marks.take(at: ring.consumedCount) }
}
