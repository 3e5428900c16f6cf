import Foundation

/// When and where something is said: what "tomorrow" is relative to.
public struct SALMoment: Sendable, Hashable {
    /// The instant.
    public var date: Date
    /// Where its day begins.
    public var timeZone: TimeZone

    /// Makes a moment.
    /// - Parameters:
    ///   - date: the instant; now unless given.
    ///   - timeZone: the speaker's zone; the one of this machine unless given.
    public init(date: Date = Date(), timeZone: TimeZone = .current) {
        self.date = date
        self.timeZone = timeZone
    }
}
