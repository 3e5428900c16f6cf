import Foundation

/// What the voice activity detector needs of the client's rules.
extension ClientStateMachine {
    /// Whether nobody records, and no end of a recording is still to be reported.
    var isRecorderFree: Bool { !isRecording && handover == nil && expectedRecorderStops.isEmpty }

    /// Why a start for an app would be refused.
    func refusal(appId: String?, options: ContextOptions) -> Failure? {
        if isClosed { return .clientClosed }
        if isSuspended { return .clientSuspended }
        if settings.needsAppId, appId?.isEmpty != false { return .appIdMissing }
        return options.failure
    }

    /// The detector has speech for an utterance of its own.
    mutating func detected(_ data: Data, utterance id: Int, now: Duration) -> [Action] {
        guard let index = index(of: id), utterances[index].capture != .ended, !data.isEmpty else { return [] }
        var actions: [Action] = []
        add(data, to: id, &actions)
        giveUpWhatIsTooLong(&actions, now: now)
        return finish(actions)
    }
}
