import Foundation
import Speechly

/// Segments for people: one line for each final one, and before it, if asked, the ways it has looked so far.
struct ReadableTranscript: TranscriptFormat {
    /// The file to name above its segments, or nil.
    private let file: String?
    private let showsPartial: Bool
    /// The width of the terminal, where segments that still change overwrite each other; nil elsewhere.
    private let columns: (@Sendable () -> Int)?
    private var last = ""

    init(file: String?, showsPartial: Bool, columns: (@Sendable () -> Int)?) {
        self.file = file
        self.showsPartial = showsPartial
        self.columns = columns
    }

    mutating func lines(_ event: ClientEvent, at time: Duration) -> [String] {
        switch event {
        case .contextStarted: return file.map { ["\($0)\n"] } ?? []
        case .segmentUpdated(let segment): return segment.isFinal ? final(segment) : partial(segment)
        case .contextStopped: return erased()
        default: return []
        }
    }

    private var margin: String { file == nil ? "" : "  " }

    private mutating func final(_ segment: Segment) -> [String] {
        let line = ReadableText.line(segment)
        defer { last = "" }
        // A segment without words and intent says nothing.
        return line.isEmpty ? erased() : erased() + ["\(margin)\(line)\n"]
    }

    private mutating func partial(_ segment: Segment) -> [String] {
        let line = "\(margin)… \(ReadableText.line(segment))"
        guard showsPartial, line != last else { return [] }
        defer { last = line }
        guard let columns else { return ["\(line)\n"] }
        return [StatusLine.drawn(line, columns: columns())]
    }

    private func erased() -> [String] { columns != nil && !last.isEmpty ? [StatusLine.erasure] : [] }
}
