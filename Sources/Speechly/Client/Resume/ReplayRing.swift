import Foundation

/// The audio of an utterance that no final segment covers yet, so that it can be sent again.
///
/// Offsets are bytes from the start of the utterance. Audio goes in at the end; it leaves at the start, when it is
/// covered, or when there is more than may be kept.
package struct ReplayRing: Hashable {
    private var chunks: [Data] = []
    /// The chunks before this one are gone; they are cleared away in larger numbers.
    private var head = 0
    /// An empty ring.
    package init() {}

    /// Where the kept audio begins.
    package private(set) var start = 0
    /// Where the audio ends.
    package private(set) var end = 0

    /// How much audio is kept, in bytes.
    package var count: Int { end - start }

    package mutating func append(_ data: Data) {
        chunks.append(data)
        end += data.count
    }

    /// Lets go of audio before an offset, as far as whole chunks go.
    package mutating func release(upTo offset: Int) {
        while head < chunks.count, start + chunks[head].count <= offset { dropFirst() }
        if head > 64, head * 2 > chunks.count {
            chunks.removeFirst(head)
            head = 0
        }
    }

    /// Lets go of the oldest audio until no more than so many bytes are kept.
    package mutating func trim(to limit: Int) {
        if count > limit { release(upTo: end - limit + (chunks[head].count - 1)) }
    }

    /// The audio from an offset on, as far as it is kept.
    package func audio(from offset: Int) -> [Data] {
        var list: [Data] = []
        var position = start
        for chunk in chunks[head...] {
            let skipped = offset - position
            position += chunk.count
            guard skipped < chunk.count else { continue }
            list.append(skipped > 0 ? Data(chunk.dropFirst(skipped)) : chunk)
        }
        return list
    }

    private mutating func dropFirst() {
        start += chunks[head].count
        chunks[head] = Data()
        head += 1
    }
}
