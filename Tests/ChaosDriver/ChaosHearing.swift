import SpeechlyTesting

/// What a service has got of one session.
package struct ChaosHearing {
    /// The session's streams.
    package let streams: [Received.Stream]

    /// - Parameters:
    ///   - streams: all that have come since the session began. One of the session before may be among them: what a
    ///     client has sent stays on its way when the client is gone, and is read when the service comes to it.
    ///   - mark: what the session's streams say as their language.
    package init(_ streams: [Received.Stream], mark: String) {
        self.streams = streams.filter { $0.config.map { $0.languageCode == mark } ?? true }
    }

    /// What must not be: more than the rules allow, audio that was not said, and in the last attempt of a context
    /// other than all audio from some word on, once.
    ///
    /// - Parameters:
    ///   - spoken: the words of each start, in order.
    ///   - isWhole: whether every context was heard to its end.
    package func problems(spoken: [[Int]], isWhole: Bool) -> [String] {
        // To a server, a connection that is cut within a message looks like the client's last word.
        var problems = streams.flatMap(\.violations).filter { $0 != "half-close within a context" }
            .map { "the service complains: \($0)" }
        var last: [Int: [UInt8]] = [:]
        let all = spoken.map { $0.flatMap(ChaosSpeech.audio) }
        for context in streams.flatMap(\.contexts) where !context.audio.isEmpty {
            let first = Int(context.audio[0]) | Int(context.audio[1]) << 8
            guard let owner = spoken.firstIndex(where: { $0.contains(first) }) else {
                problems.append("audio that was never said: word \(first)")
                continue
            }
            let start = (first - spoken[owner][0]) * ChaosSpeech.wordBytes
            if !all[owner][start...].starts(with: context.audio) {
                problems.append("audio of start \(owner + 1) from word \(first) is not what was said")
            }
            if context.isStopped { last[owner] = context.audio }
        }
        guard isWhole else { return problems }
        for (owner, audio) in last where all[owner].suffix(audio.count) != audio[...] {
            problems.append("the last attempt of start \(owner + 1) does not hold the audio to its end")
        }
        return problems
    }
}
