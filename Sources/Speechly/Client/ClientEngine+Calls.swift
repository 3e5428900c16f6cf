import Dispatch
import Foundation
import SpeechlyAudio
import SpeechlyCore
import SpeechlySync

extension ClientEngine {
    /// Starts an utterance.
    ///
    /// - Parameter source: where its audio comes from; `nil` for the microphone.
    func start(appId: String?, options: ContextOptions, source: (any AudioSource)?) -> UtteranceHandle {
        lookAtConnection()
        return state.withLock { state in
            defer {
                watchConnection(&state)
                notifyState(&state)
            }
            state.nextId += 1
            let id = state.nextId
            state.handles[id] = UtteranceHandle(id: id)
            state.sources[id] = source
            // Handed out before the machine decides: it may end the utterance at once, or join it to another.
            let own = state.handles[id]
            if source == nil {
                if state.voice.controlsListening {
                    perform(.failed(utterance: id, .busy), &state)
                    return own ?? UtteranceHandle(id: id)
                }
                state.lastStart = (appId, options)
            }
            let actions = state.machine.start(
                id: id, appId: appId, options: options, source: source == nil ? .microphone : .external,
                now: clock.now)
            for action in actions { perform(action, &state) }
            let handle = state.handles[id] ?? own ?? UtteranceHandle(id: id)
            // A request that joined another utterance has no life of its own.
            if handle.id != id { state.handles[id] = nil }
            return handle
        }
    }

    /// Asks the utterance under way to stop.
    ///
    /// - Returns: the utterance; `nil` when there is none.
    func stop() -> UtteranceHandle? {
        state.withLock { state in
            stopWaitingForMicrophone(&state)
            let handle = state.machine.stoppable.flatMap { state.handles[$0.id] }
            for action in state.machine.stop(now: clock.now) { perform(action, &state) }
            notifyState(&state)
            return handle
        }
    }

    func suspend() {
        state.withLock { state in
            let wasSuspended = state.machine.isSuspended
            if state.voice.ownsRecorder { awaitRecorder(&state) }
            perform(state.voice.cancel(), &state)
            for action in state.machine.suspend(now: clock.now) { perform(action, &state) }
            notifyState(&state)
            guard !wasSuspended, state.machine.isSuspended else { return }
            state.linkTask?.cancel()
            if let own = ownSluClient { return own.end(suspending: true) }
            chain(&state) { try? await $0.suspend() }
        }
    }

    func resume() throws {
        let wasSuspended = state.withLock { state in
            let wasSuspended = state.machine.resume()
            notifyState(&state)
            guard wasSuspended else { return false }
            if let own = ownSluClient {
                own.allow()
            } else {
                chain(&state) { try? await $0.resume() }
            }
            return true
        }
        guard wasSuspended else { return }
        do {
            // The queue is ours and short of work, and the caller is to have the recorder's error.
            try recorderQueue.sync { try recorder.resume() }
        } catch {
            throw Failure.audio(error, "the microphone cannot be prepared")
        }
    }

    func transcribe(
        _ source: any AudioSource, appId: String?, options: ContextOptions
    ) async throws -> AudioContext {
        guard source.sampleRate == sluConfig.sampleRate, source.channels == sluConfig.channels else {
            source.stop()
            throw Failure(
                code: .unsupported, side: .audio,
                what: "the source has \(source.channels) channels at \(source.sampleRate) Hz, "
                    + "the stream \(sluConfig.channels) at \(sluConfig.sampleRate) Hz",
                remedy: "convert it, or let AudioFile or PushAudioSource do so")
        }
        guard !source.isAtEnd, SourceClaims.shared.claim(source) else { throw Failure.sourceAlreadyRead }
        let handle = start(appId: appId, options: options, source: source)
        do {
            // The service answers a start at once, and only what it has acknowledged can be read once and for all.
            _ = try await handle.started()
            while true {
                await waitForRoom(handle.id)
                guard let chunk = try await source.nextChunk() else { break }
                try await supply(chunk, to: handle.id)
            }
            self.handle { $0.machine.sourceEnded(utterance: handle.id, now: clock.now) }
            return try await handle.stopped()
        } catch {
            source.stop()
            self.handle { state in
                let wasOpen = state.machine.utterances.contains { $0.id == handle.id && $0.capture != .ended }
                let why: ClientStateChange.Reason =
                    error is CancellationError ? .requested : .failed(.audio(error, "the audio source failed"))
                let actions = state.machine.sourceEnded(utterance: handle.id, because: why, now: clock.now)
                guard wasOpen, !(error is CancellationError) else { return actions }
                return [.report(.audio(error, "the audio source failed"))] + actions
            }
            throw error
        }
    }

    /// Hands a chunk over in pieces: a source may give any amount at once, and contexts change between pieces.
    private func supply(_ chunk: Data, to id: Int) async throws {
        let frame = 2 * max(1, Int(sluConfig.channels))
        var rest = chunk[...]
        while !rest.isEmpty {
            let piece = Data(rest.prefix(65_536 / frame * frame))
            rest = rest.dropFirst(piece.count)
            self.handle { $0.machine.supplied(piece, utterance: id) }
            if !rest.isEmpty { await waitForRoom(id) }
            try Task.checkCancellation()
        }
    }

    /// Waits until more audio of an external source may be handed over, or the utterance is over.
    private func waitForRoom(_ id: Int) async {
        while true {
            let mayGoOn = state.withLock { $0.machine.hasRoomForAudio || $0.machine.index(of: id) == nil }
            if mayGoOn || Task.isCancelled { return }
            let waiter = state.withLock { state in
                state.nextWaiter += 1
                return state.nextWaiter
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let waits = state.withLock { state in
                        let mayGoOn = state.machine.hasRoomForAudio || state.machine.index(of: id) == nil
                        guard !mayGoOn, !Task.isCancelled else { return false }
                        state.roomWaiters[waiter] = continuation
                        return true
                    }
                    if !waits { continuation.resume() }
                }
            } onCancel: {
                state.withLock { $0.roomWaiters.removeValue(forKey: waiter) }?.resume()
            }
        }
    }
}
