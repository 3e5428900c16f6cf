import Foundation
import SpeechlyAudio

extension ClientEngine: CollectingAudioRecorderDelegate {
    func audioRecorderDidStop(_ audioRecorder: AudioRecorderProtocol) {
        handle { state in
            if state.voice.ownsRecorder {
                perform(state.voice.recorderStopped(), &state)
                return []
            }
            perform(state.voice.observedEnd(), &state)
            return state.machine.recorderStopped(now: clock.now)
        }
    }

    func audioRecorderDidReceiveData(_ audioRecorder: AudioRecorderProtocol, audioData: Data) {
        handle { state in
            if state.voice.ownsRecorder {
                perform(state.voice.recorded(audioData), &state)
                return []
            }
            perform(state.voice.observed(audioData), &state)
            return state.machine.recorded(audioData, now: clock.now)
        }
    }

    func audioRecorderDidLoseAudio(_ audioRecorder: AudioRecorderProtocol, seconds: TimeInterval) {
        var gap = LostAudio()
        gap.add(seconds: seconds)
        let failure = Failure(
            code: .audioLost, side: .audio,
            what: "\(gap.duration.text) of audio is missing, and is silence in the recording",
            remedy: "the machine was too busy to read the microphone in time")
        handle { state in
            state.lostAudio.add(seconds: gap.duration / .seconds(1))
            return [.report(failure)]
        }
    }

    func audioRecorderDidCatchError(_ audioRecorder: AudioRecorderProtocol, error: any Error) {
        handle { _ in [.report(.audio(error, "the microphone failed"))] }
    }

    func audioRecorderDidWarn(_ audioRecorder: AudioRecorderProtocol, warning: AudioRecorderWarning) {
        logger.log(.error, warning.description)
        state.withLock { notify(.warning(warning), &$0) }
    }

    func audioRecorderDidMeasureLevel(_ audioRecorder: AudioRecorderProtocol, level: AudioLevel) {
        levels.publish(level)
        guard state.withLock({ $0.delegate != nil }) else { return }
        deliveryQueue.async { [weak self] in
            guard let (client, delegate) = self?.state.withLock({ ($0.client, $0.delegate) }) else { return }
            if let client { delegate?.speechlyClientDidMeasureLevel(client, level: level) }
        }
    }

    func audioRecorderDidChangeAvailability(_ audioRecorder: AudioRecorderProtocol, isAvailable: Bool) {
        state.withLock { state in
            state.isMicrophoneGone = !isAvailable
            notify(.availabilityChanged(isAvailable), &state)
        }
    }

    /// Goes on after the device was lost: as the detector, or with a context like the last one.
    func audioRecorderDidRestart(_ audioRecorder: AudioRecorderProtocol) {
        state.withLock { state in
            if state.voice.recorderRestarted() { return }
            guard let last = state.lastStart else { return }
            state.nextId += 1
            let actions = state.machine.start(
                id: state.nextId, appId: last.appId, options: last.options, source: .microphone, now: clock.now)
            for action in actions {
                // It records already.
                if case .startRecorder = action { continue }
                perform(action, &state)
            }
        }
    }
}
