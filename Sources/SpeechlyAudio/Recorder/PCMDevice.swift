import Foundation

/// What a recorder would like a device to capture as.
struct PCMRequest: Hashable, Sendable {
    var device: String
    /// In Hz.
    var sampleRate: Int
    var channels: Int
    var format: AudioSampleFormat
    /// How several channels become one: what is picked has to be among what is captured.
    var selection = ChannelSelection.average
    /// After how much audio the device is to report, in seconds.
    var period: TimeInterval = 0.02
    /// Whether an error for a device that is not there is to say which are.
    var namesOthers = true
}

/// What a device does capture as.
struct PCMParameters: Hashable, Sendable {
    /// In Hz.
    var sampleRate: Int
    var channels: Int
    var format: AudioSampleFormat
    /// After how many frames the device reports.
    var periodFrames: Int
    /// How many frames the device keeps before it overruns.
    var bufferFrames: Int

    /// The size of one sample of every channel, in bytes.
    var bytesPerFrame: Int { channels * format.bytesPerSample }
}

/// An open capture device. Functions return a negative `errno` when they fail. Used by one thread at a time.
protocol PCMDevice: AnyObject {
    var parameters: PCMParameters { get }
    /// What to poll for, to learn that the device has something to say.
    var pollDescriptors: [pollfd] { get }

    /// Makes the device ready to be started.
    func prepare() -> Int32
    /// Begins to capture.
    func start() -> Int32
    /// Goes on after the computer slept.
    func resume() -> Int32
    /// Stops capturing, whatever the state of the device.
    func drop() -> Int32
    /// What a poll of its descriptors means, as `POLLIN` and the like.
    func events(in descriptors: UnsafeMutableBufferPointer<pollfd>) -> Int32
    /// How many frames can be read without waiting.
    func available() -> Int
    /// Reads frames without waiting; returns how many.
    func read(into buffer: UnsafeMutableRawPointer, frames: Int) -> Int
    /// Stops and releases the device.
    func close()
}

/// Where devices come from.
protocol PCMSystem: Sendable {
    /// Opens a device in a format that the one asked for can be made from.
    func open(_ request: PCMRequest) throws(AudioRecorder.AudioRecorderError) -> any PCMDevice
}
