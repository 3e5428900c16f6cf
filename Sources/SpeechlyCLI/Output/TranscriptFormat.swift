import Speechly

/// Turns the events of one file into text.
protocol TranscriptFormat: Sendable {
    /// What to write for an event, in pieces that each are written at once.
    ///
    /// - Parameter time: The time since the file's first audio was sent.
    mutating func lines(_ event: ClientEvent, at time: Duration) -> [String]
}
