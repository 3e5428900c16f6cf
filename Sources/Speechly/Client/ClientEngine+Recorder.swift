import Foundation
import SpeechlyAudio

extension ClientEngine: AudioRecorderDelegate {
    func audioRecorderDidStop(_ audioRecorder: AudioRecorderProtocol) {
        handle { $0.machine.recorderStopped(now: clock.now) }
    }

    func audioRecorderDidReceiveData(_ audioRecorder: AudioRecorderProtocol, audioData: Data) {
        handle { $0.machine.recorded(audioData, now: clock.now) }
    }

    func audioRecorderDidLoseAudio(_ audioRecorder: AudioRecorderProtocol, seconds: TimeInterval) {
        let failure = Failure(
            code: .audioLost, side: .audio, what: "\(Duration.seconds(seconds).text) of audio is missing",
            remedy: "the machine was too busy to read the microphone in time")
        handle { _ in [.report(failure)] }
    }

    func audioRecorderDidCatchError(_ audioRecorder: AudioRecorderProtocol, error: any Error) {
        handle { _ in [.report(.audio(error, "the microphone failed"))] }
    }
}
