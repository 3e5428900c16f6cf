import SpeechlyProto

/// The messages that are measured.
enum Messages {
    private static let contextId = "0b7c35e6-3d1f-4a8e-9d0e-5f6a7b8c9d0e"
    private static let words = [
        "show", "me", "all", "public", "repositories", "written", "in", "python", "and", "sorted", "by", "stars",
    ]

    /// A tentative transcript of twelve words.
    static let tentative: SLUResponse = {
        let transcripts = words.enumerated().map { index, word in
            SLUTranscript(
                word: word, index: Int32(index), startTime: Int32(300 + 240 * index), endTime: Int32(510 + 240 * index)
            )
        }
        let content = SLUTentativeTranscript(
            tentativeTranscript: words.joined(separator: " "), tentativeWords: transcripts
        )
        return SLUResponse(audioContext: contextId, segmentId: 1, streamingResponse: .tentativeTranscript(content))
    }()

    /// One final word.
    static let word = SLUResponse(
        audioContext: contextId, segmentId: 1,
        streamingResponse: .transcript(SLUTranscript(word: "repositories", index: 4, startTime: 1260, endTime: 1470))
    )

    /// 100 ms of audio at 16 kHz.
    static let audio: [UInt8] = (0..<3200).map { UInt8(truncatingIfNeeded: $0 &* 37) }
}
