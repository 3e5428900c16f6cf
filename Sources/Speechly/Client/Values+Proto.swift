import SpeechlyCore
import SpeechlyProto

extension SpeechlyCore.Transcript {
    /// A word from the wire, where times are milliseconds.
    init(_ message: SLUTranscript, isFinal: Bool) {
        self.init(
            index: Int(message.index), value: message.word, startOffset: Double(message.startTime) / 1000,
            endOffset: Double(message.endTime) / 1000, isFinal: isFinal)
    }
}

extension SpeechlyCore.Entity {
    /// An entity from the wire.
    init(_ message: SLUEntity, isFinal: Bool) {
        self.init(
            value: message.value, type: message.entity, startIndex: Int(message.startPosition),
            endIndex: Int(message.endPosition), isFinal: isFinal)
    }
}
