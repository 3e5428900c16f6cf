import SpeechlyProto

/// Hears words in audio: every so many bytes are one, named after its first sample.
struct Dictation: Sendable {
    let wordBytes: Int
    let wordsPerSegment: Int
    /// What has been heard of each context, by its number on the stream.
    private var contexts: [Int: (words: Int, ended: Int, segment: Int32)] = [:]

    init(wordBytes: Int, wordsPerSegment: Int) {
        self.wordBytes = wordBytes
        self.wordsPerSegment = wordsPerSegment
    }

    /// What is to be said after a message.
    ///
    /// - Parameters:
    ///   - event: what has come.
    ///   - audio: the audio of its context so far.
    mutating func actions(for event: StreamScript.Trigger, audio: [UInt8]) -> [StreamScript.Action] {
        switch event {
        case .audio(_, let context?): hear(audio, context)
        case .stop(let context?): hear(audio, context) + end(context)
        default: []
        }
    }

    private mutating func hear(_ audio: [UInt8], _ number: Int) -> [StreamScript.Action] {
        var context = contexts[number] ?? (0, 0, 0)
        var actions: [StreamScript.Action] = []
        while (context.words + 1) * wordBytes <= audio.count {
            actions.append(.send(word(audio, context.words, context.ended).segment(context.segment)))
            context.words += 1
            if context.words - context.ended == wordsPerSegment { actions += end(&context) }
        }
        contexts[number] = context
        return actions
    }

    private mutating func end(_ number: Int) -> [StreamScript.Action] {
        guard var context = contexts[number], context.words > context.ended else { return [] }
        defer { contexts[number] = context }
        return end(&context)
    }

    private func end(_ context: inout (words: Int, ended: Int, segment: Int32)) -> [StreamScript.Action] {
        defer {
            context.ended = context.words
            context.segment += 1
        }
        return [
            .send(MockMessage.intent("").segment(context.segment)),
            .send(MockMessage.segmentEnd.segment(context.segment)),
        ]
    }

    private func word(_ audio: [UInt8], _ number: Int, _ first: Int) -> MockMessage {
        let sample = UInt16(audio[number * wordBytes]) | UInt16(audio[number * wordBytes + 1]) << 8
        func milliseconds(_ bytes: Int) -> Int32 { Int32(clamping: bytes / 32) }
        return MockMessage(
            .transcript(
                SLUTranscript(
                    word: "w\(sample)", index: Int32(clamping: number - first),
                    startTime: milliseconds(number * wordBytes), endTime: milliseconds((number + 1) * wordBytes))))
    }
}
