/// A device that audio can be captured from.
public struct AudioDevice: Hashable, Sendable, Codable, Identifiable {
    /// The name of the ALSA device, as ``AudioRecorder`` takes it.
    public let id: String
    /// What it is, for people.
    public let name: String
    /// Whether it is the one that is used when none is named.
    public let isDefault: Bool
    /// The fewest channels it captures; `nil` when the device could not be asked, because it is busy for instance.
    public let minimumChannels: Int?
    /// The most channels it captures; `nil` when the device could not be asked.
    public let maximumChannels: Int?
    /// Which of the usual sample rates it captures at, in Hz, ascending; empty when it could not be asked.
    public let sampleRates: [Int]

    /// Creates a description.
    ///
    /// - Parameters:
    ///   - id: The name of the ALSA device.
    ///   - name: What it is, for people.
    ///   - isDefault: Whether it is used when none is named.
    ///   - minimumChannels: The fewest channels it captures.
    ///   - maximumChannels: The most channels it captures.
    ///   - sampleRates: The usual sample rates it captures at, in Hz.
    public init(
        id: String, name: String, isDefault: Bool = false, minimumChannels: Int? = nil, maximumChannels: Int? = nil,
        sampleRates: [Int] = []
    ) {
        self.id = id
        self.name = name
        self.isDefault = isDefault
        self.minimumChannels = minimumChannels
        self.maximumChannels = maximumChannels
        self.sampleRates = sampleRates
    }
}

extension AudioDevice {
    /// The devices there are now, the default first. Opens each for a moment, to learn what it can do; takes some
    /// hundredths of a second, and as long as a sound server takes to answer.
    public static func all() -> [AudioDevice] { DeviceList.current() }

    /// The devices there are now, and again whenever they change. The sequence never ends by itself.
    ///
    /// - Parameter interval: How often to look; at least a tenth of a second.
    public static func changes(interval: Duration = .seconds(2)) -> AsyncStream<[AudioDevice]> {
        DeviceMonitor.changes(interval: interval, clock: ContinuousClock(), of: all)
    }

    /// Whether there is any device to capture from now, and again whenever that changes. The sequence never ends by
    /// itself.
    ///
    /// - Parameter interval: How often to look; at least a tenth of a second.
    public static func availability(interval: Duration = .seconds(2)) -> AsyncStream<Bool> {
        DeviceMonitor.changes(interval: interval, clock: ContinuousClock()) {
            all().contains { !$0.sampleRates.isEmpty }
        }
    }
}
