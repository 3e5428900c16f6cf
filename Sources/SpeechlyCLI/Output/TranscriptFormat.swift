import Speechly

/// Turns the events of one file, or of the microphone, into text.
protocol TranscriptFormat: Sendable {
    /// What to write for an event, in pieces that each are written at once.
    ///
    /// - Parameter time: The time since the first audio was sent.
    mutating func lines(_ event: ClientEvent, at time: Duration) -> [String]

    /// What to write for the loudness of the microphone.
    mutating func lines(_ level: AudioLevel) -> [String]

    /// What to write before something else is written to the same terminal.
    mutating func interruption() -> [String]
}

extension TranscriptFormat {
    mutating func lines(_ level: AudioLevel) -> [String] { [] }
    mutating func interruption() -> [String] { [] }
}
