import Foundation
import SpeechlyAudio
import SpeechlyGRPC
import SpeechlyProto

/// What the client's own recorder reports. A host with another kind of recorder may call these as well.
extension Client: AudioRecorderDelegate {
    /// Reports a failure of the recorder.
    public func audioRecorderDidCatchError(_ audioRecorder: AudioRecorderProtocol, error: Error) {
        engine.audioRecorderDidCatchError(audioRecorder, error: error)
    }

    /// Takes captured audio.
    public func audioRecorderDidReceiveData(_ audioRecorder: AudioRecorderProtocol, audioData: Data) {
        engine.audioRecorderDidReceiveData(audioRecorder, audioData: audioData)
    }

    /// Takes the end of a recording.
    public func audioRecorderDidStop(_ audioRecorder: AudioRecorderProtocol) {
        engine.audioRecorderDidStop(audioRecorder)
    }

    /// Takes a loss of audio.
    public func audioRecorderDidLoseAudio(_ audioRecorder: AudioRecorderProtocol, seconds: TimeInterval) {
        engine.audioRecorderDidLoseAudio(audioRecorder, seconds: seconds)
    }

    /// Takes a warning.
    public func audioRecorderDidWarn(_ audioRecorder: AudioRecorderProtocol, warning: AudioRecorderWarning) {
        engine.audioRecorderDidWarn(audioRecorder, warning: warning)
    }

    /// Takes a level.
    public func audioRecorderDidMeasureLevel(_ audioRecorder: AudioRecorderProtocol, level: AudioLevel) {
        engine.audioRecorderDidMeasureLevel(audioRecorder, level: level)
    }

    /// Takes a change of the device's availability.
    public func audioRecorderDidChangeAvailability(_ audioRecorder: AudioRecorderProtocol, isAvailable: Bool) {
        engine.audioRecorderDidChangeAvailability(audioRecorder, isAvailable: isAvailable)
    }

    /// Takes a recording that has begun by itself.
    public func audioRecorderDidRestart(_ audioRecorder: AudioRecorderProtocol) {
        engine.audioRecorderDidRestart(audioRecorder)
    }
}

/// What the client's own SLU client reports. A host with another kind of SLU client may call these as well.
extension Client: SluClientDelegate {
    /// Reports a message that makes no sense.
    public func sluClientDidCatchError(_ sluClient: SluClientProtocol, error: Error) {
        engine.sluClientDidCatchError(sluClient, error: error)
    }

    /// Takes the end of a stream.
    public func sluClientDidStopStream(_ sluClient: SluClientProtocol, status: GRPCStatus) {
        engine.sluClientDidStopStream(sluClient, status: status)
    }

    /// Takes the start of a context.
    public func sluClientDidReceiveContextStart(_ sluClient: SluClientProtocol, contextId: String) {
        engine.sluClientDidReceiveContextStart(sluClient, contextId: contextId)
    }

    /// Takes the end of a context.
    public func sluClientDidReceiveContextStop(_ sluClient: SluClientProtocol, contextId: String) {
        engine.sluClientDidReceiveContextStop(sluClient, contextId: contextId)
    }

    /// Takes the end of a segment.
    public func sluClientDidReceiveSegmentEnd(_ sluClient: SluClientProtocol, contextId: String, segmentId: Int) {
        engine.sluClientDidReceiveSegmentEnd(sluClient, contextId: contextId, segmentId: segmentId)
    }

    /// Takes words that may still change.
    public func sluClientDidReceiveTentativeTranscript(
        _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, transcript: TentativeTranscript
    ) {
        engine.sluClientDidReceiveTentativeTranscript(
            sluClient, contextId: contextId, segmentId: segmentId, transcript: transcript)
    }

    /// Takes entities that may still change.
    public func sluClientDidReceiveTentativeEntities(
        _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, entities: TentativeEntities
    ) {
        engine.sluClientDidReceiveTentativeEntities(
            sluClient, contextId: contextId, segmentId: segmentId, entities: entities)
    }

    /// Takes an intent that may still change.
    public func sluClientDidReceiveTentativeIntent(
        _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, intent: TentativeIntent
    ) {
        engine.sluClientDidReceiveTentativeIntent(
            sluClient, contextId: contextId, segmentId: segmentId, intent: intent)
    }

    /// Takes a final word.
    public func sluClientDidReceiveTranscript(
        _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, transcript: SLUTranscript
    ) {
        engine.sluClientDidReceiveTranscript(
            sluClient, contextId: contextId, segmentId: segmentId, transcript: transcript)
    }

    /// Takes a final entity.
    public func sluClientDidReceiveEntity(
        _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, entity: SLUEntity
    ) {
        engine.sluClientDidReceiveEntity(sluClient, contextId: contextId, segmentId: segmentId, entity: entity)
    }

    /// Takes a final intent.
    public func sluClientDidReceiveIntent(
        _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, intent: SLUIntent
    ) {
        engine.sluClientDidReceiveIntent(sluClient, contextId: contextId, segmentId: segmentId, intent: intent)
    }
}
