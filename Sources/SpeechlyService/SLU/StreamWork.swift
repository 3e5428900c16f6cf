import SpeechlyGRPC

/// What a stream's job has to do next.
enum StreamItem {
    case open(id: String, options: ContextSettings, application: Application)
    case audio(ArraySlice<UInt8>)
    case close
    case end
    case fail(GRPCStatus)
}

/// The work of a stream in the order in which it came, bounded by stopping the peer.
struct StreamInbox {
    /// The peer is stopped above this many bytes of audio, and let go below the lower number.
    static let upperLimit = 256 * 1024
    static let lowerLimit = 64 * 1024

    private var items: [StreamItem] = []
    private var head = 0
    private(set) var bytes = 0

    var isEmpty: Bool { head == items.count }

    mutating func append(_ item: StreamItem) {
        if case .audio(let audio) = item { bytes += audio.count }
        items.append(item)
    }

    /// Takes the next item, of audio at most `limit` bytes.
    mutating func next(limit: Int) -> StreamItem? {
        guard head < items.count else { return nil }
        let item = items[head]
        if case .audio(let audio) = item {
            let part = audio.prefix(limit)
            bytes -= part.count
            guard part.count == audio.count else {
                items[head] = .audio(audio.dropFirst(part.count))
                return .audio(part)
            }
        }
        head += 1
        if head == items.count {
            items.removeAll(keepingCapacity: true)
            head = 0
        }
        return item
    }

    /// Puts audio back that was taken last.
    mutating func putBack(_ audio: ArraySlice<UInt8>) {
        bytes += audio.count
        if head > 0 {
            head -= 1
            items[head] = .audio(audio)
        } else {
            items.insert(.audio(audio), at: 0)
        }
    }

    /// Drops what belongs to the context that is still open.
    /// - Returns: whether that context is the one being decoded, because no complete one is waiting.
    mutating func dropOpenContext() -> Bool {
        let rest = items[head...]
        guard let last = rest.lastIndex(where: { if case .close = $0 { true } else { false } }) else {
            removeAll()
            return true
        }
        items.removeSubrange((last + 1)...)
        bytes = items[head...].reduce(0) { sum, item in
            if case .audio(let audio) = item { sum + audio.count } else { sum }
        }
        return false
    }

    mutating func removeAll() {
        items.removeAll()
        head = 0
        bytes = 0
    }
}

/// Messages that wait for the peer to read.
struct StreamOutbox {
    private var messages: [[UInt8]] = []

    var isEmpty: Bool { messages.isEmpty }

    /// Queues a message behind those that wait.
    mutating func send(_ message: [UInt8], over transport: some StreamTransport) {
        guard messages.isEmpty, transport.send(message) != .full else {
            messages.append(message)
            return
        }
    }

    /// Queues what waits, as far as the peer reads.
    mutating func flush(over transport: some StreamTransport) {
        var sent = 0
        while sent < messages.count, transport.send(messages[sent]) != .full { sent += 1 }
        messages.removeFirst(sent)
    }

    mutating func removeAll() { messages.removeAll() }
}
