import Speechly

/// Segments of the microphone for people: one line for each final one. On a terminal the last line shows how loud the
/// microphone is and, if asked, the segment that is still changing.
struct ListenTranscript: TranscriptFormat {
    private let showsPartial: Bool
    /// The width of the terminal; nil elsewhere.
    private let columns: (@Sendable () -> Int)?
    private var meter = ""
    private var partial = ""
    private var last = ""

    init(showsPartial: Bool, columns: (@Sendable () -> Int)?) {
        self.showsPartial = showsPartial
        self.columns = columns
    }

    mutating func lines(_ event: ClientEvent, at time: Duration) -> [String] {
        switch event {
        case .segmentUpdated(let segment) where segment.isFinal:
            partial = ""
            let line = ReadableText.line(segment)
            // A segment without words and intent says nothing.
            return line.isEmpty ? status() : interruption() + ["\(line)\n"] + status()
        case .segmentUpdated(let segment):
            let line = "… \(ReadableText.line(segment))"
            guard showsPartial, line != partial else { return [] }
            partial = line
            return columns == nil ? ["\(line)\n"] : status()
        case .contextStopped:
            partial = ""
            meter = ""
            return interruption()
        default: return []
        }
    }

    mutating func lines(_ level: AudioLevel) -> [String] {
        meter = Self.meter(level)
        return status()
    }

    mutating func interruption() -> [String] {
        defer { last = "" }
        return columns != nil && !last.isEmpty ? [StatusLine.erasure] : []
    }

    private mutating func status() -> [String] {
        guard let columns else { return [] }
        let line = StatusLine.drawn(partial, behind: meter, columns: columns())
        guard line != last else { return [] }
        last = line
        return [line]
    }

    /// Ten steps from −60 dBFS to full scale; what clips ends in `!`.
    static func meter(_ level: AudioLevel) -> String {
        let steps = max(0, min(10, Int(((level.rms + 60) / 6).rounded())))
        let bar = String(repeating: "█", count: steps) + String(repeating: "·", count: 10 - steps)
        return bar + (level.peak >= -0.1 ? "!" : " ")
    }
}
