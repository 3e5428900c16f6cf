import Foundation
import SpeechlyAudio
import SpeechlyCore
import SpeechlySync

extension ClientEngine {
    /// Carries out what the voice activity detector wants, under the lock.
    func perform(_ actions: [VoiceControl.Action], _ state: inout State) {
        for action in actions { perform(action, &state) }
    }

    private func perform(_ action: VoiceControl.Action, _ state: inout State) {
        switch action {
        case .startRecorder:
            recorderQueue.async { [self] in
                do { try recorder.start() } catch {
                    handle { state in
                        state.voice.recorderFailedToStart()
                        return [.report(.audio(error, "the microphone cannot be opened"))]
                    }
                }
            }
        case .stopRecorder: recorderQueue.async { [recorder] in recorder.stop() }
        case .open(let appId, let options):
            state.nextId += 1
            state.voiceUtterance = state.nextId
            state.handles[state.nextId] = UtteranceHandle(id: state.nextId)
            let started = state.machine.start(
                id: state.nextId, appId: appId, options: options, source: .detector, now: clock.now)
            for action in started { perform(action, &state) }
            watchConnection(&state)
        case .audio(let data):
            guard let id = state.voiceUtterance else { return }
            for action in state.machine.detected(data, utterance: id, now: clock.now) { perform(action, &state) }
        case .close:
            guard let id = state.voiceUtterance else { return }
            state.voiceUtterance = nil
            for action in state.machine.sourceEnded(utterance: id, now: clock.now) { perform(action, &state) }
        case .speechStarted: notify(.speechStarted, &state)
        case .speechEnded: notify(.speechEnded, &state)
        }
    }

    /// Starts the detector's recording if it waits for the recorder and that is free.
    func letDetectorRecord(_ state: inout State) {
        guard state.voice.waitsForRecorder, state.machine.isRecorderFree else { return }
        perform(state.voice.recorderIsFree(), &state)
    }

    /// A stop also ends the wait for a device that is gone.
    func stopWaitingForMicrophone(_ state: inout State) {
        guard state.isMicrophoneGone, !state.voice.controlsListening else { return }
        state.isMicrophoneGone = false
        recorderQueue.async { [recorder] in recorder.stop() }
    }

    /// Lets the detector open and close contexts.
    func startListening(appId: String?, options: ContextOptions) {
        lookAtConnection()
        state.withLock { state in
            defer { notifyState(&state) }
            if let failure = state.machine.refusal(appId: appId, options: options) {
                return perform(.report(failure), &state)
            }
            let isFree = state.machine.isRecorderFree
            let hadRecorder = state.voice.ownsRecorder
            perform(state.voice.begin(appId: appId, options: options, recorderIsFree: isFree), &state)
            if hadRecorder, !state.voice.ownsRecorder { awaitRecorder(&state) }
        }
    }

    /// The detector's recording is over for us; the recorder has still to say so.
    func awaitRecorder(_ state: inout State) {
        state.machine.expectRecorderStop(clock.now)
        for action in state.machine.finish([]) { perform(action, &state) }
    }

    func stopListening() {
        state.withLock { state in
            let wasStopping = state.voice.isStopping
            perform(state.voice.end(), &state)
            if state.voice.isStopping, !wasStopping { timeRecorderStop(&state) }
            notifyState(&state)
        }
    }

    /// Ends listening without the recorder, which may be of any class, if it does not report its stop. Under the lock.
    private func timeRecorderStop(_ state: inout State) {
        let deadline = clock.now + state.machine.settings.recorderStopTimeout
        state.voiceDeadline = deadline
        clock.schedule(at: deadline) { [weak self] in
            self?.state.withLock { state in
                guard let self, state.voiceDeadline == deadline, let actions = state.voice.recorderIsLate() else {
                    return
                }
                self.perform(actions, &state)
                self.awaitRecorder(&state)
                self.notifyState(&state)
            }
        }
    }
}
