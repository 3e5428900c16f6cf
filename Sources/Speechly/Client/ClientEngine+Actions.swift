import Foundation
import SpeechlyAudio
import SpeechlyCore
import SpeechlyGRPC
import SpeechlySync

extension ClientEngine {
    /// Carries an action out, under the lock: nothing here waits or calls out.
    func perform(_ action: ClientStateMachine.Action, _ state: inout State) {
        switch action {
        case .startRecorder(let id):
            recorderQueue.async { [self] in
                do { try recorder.start() } catch {
                    let failure = Failure.audio(error, "the microphone cannot be opened")
                    handle { $0.machine.recorderFailedToStart(utterance: id, failure, now: clock.now) }
                }
            }
        case .stopRecorder: recorderQueue.async { [recorder] in recorder.stop() }
        case .suspendRecorder:
            recorderQueue.async { [self] in
                do { try recorder.suspend() } catch {
                    handle { _ in [.report(.audio(error, "the microphone cannot be released"))] }
                }
            }
        case .stopSource(let id): state.sources[id]?.stop()
        case .login(let session, let renew): logIn(session, renew: renew, &state)
        case .connect(let session, let fresh): connect(session, fresh: fresh, &state)
        case .disconnect: disconnect(&state)
        case .send(let command, let session): send(SenderItem(command: command, session: session), &state)
        case .roomForAudio: resumeRoomWaiters(&state)
        case .join(let utterance, let request): state.handles[request] = state.handles[utterance]
        case .started(let id, let contextId):
            logger.log(.info, "context \(contextId) started")
            notify(.contextStarted(contextId: contextId), &state)
            state.handles[id]?.resolveStart(contextId)
        case .stopped(let id, let contextId, let outcome): stopped(id, contextId, outcome, &state)
        case .failed(let id, let failure):
            report(failure, &state)
            end(id, .failure(failure), &state)
        case .report(let failure): report(failure, &state)
        case .schedule(let deadline):
            clock.schedule(at: deadline) { [weak self] in
                guard let self else { return }
                handle { $0.machine.timerFired(now: self.clock.now) }
            }
        }
    }

    private func stopped(
        _ id: Int, _ contextId: String, _ outcome: ClientStateMachine.Outcome, _ state: inout State
    ) {
        let context =
            state.finishedContexts.removeValue(forKey: contextId)
            ?? state.recognition.abandonContext(id: contextId) ?? AudioContext(id: contextId)
        logger.log(.info, "context \(contextId) stopped")
        if case .failed(let failure) = outcome { report(failure, &state) }
        notify(.contextStopped(context), &state)
        switch outcome {
        case .complete: end(id, .success(context), &state)
        case .failed(let failure), .ended(let failure): end(id, .failure(failure), &state)
        }
    }

    private func end(_ id: Int, _ result: Result<AudioContext, any Error>, _ state: inout State) {
        state.handles.removeValue(forKey: id)?.resolveEnd(result)
        state.sources[id] = nil
        utterances?.finish(id)
        // Whoever waits for room for this utterance has to see that it is over.
        resumeRoomWaiters(&state)
    }

    private func resumeRoomWaiters(_ state: inout State) {
        for waiter in state.roomWaiters.values { waiter.resume() }
        state.roomWaiters.removeAll()
    }

    private func report(_ failure: Failure, _ state: inout State) {
        logger.log(.error, failure.description)
        notify(.failure(failure), &state)
    }

    // MARK: Link

    private func logIn(_ session: Int, renew: Bool, _ state: inout State) {
        let refused = renew ? state.token : nil
        state.token = nil
        state.linkTask?.cancel()
        state.linkTask = Task { [self] in
            if let refused { login.identityClient.invalidate(token: refused) }
            do {
                let token = try await login.authenticate()
                logger.log(.debug, "logged in")
                handle { state in
                    guard state.machine.session == session else { return [] }
                    state.token = token
                    planRenewal(token, &state)
                    return state.machine.loggedIn(session: session)
                }
            } catch {
                let failure = error as? Failure ?? .login(error, at: login.place)
                handle { $0.machine.linkFailed(session: session, failure, now: clock.now) }
            }
        }
    }

    private func connect(_ session: Int, fresh: Bool, _ state: inout State) {
        guard let token = state.token else { return }
        let previous = state.sluChain
        state.linkTask = Task { [self] in
            await previous?.value
            do {
                try await ConnectPacer.shared.connect { [self] in
                    if let own = ownSluClient {
                        try await own.open(token: token, config: sluConfig, streamId: session, fresh: fresh)
                    } else {
                        try await sluClient.connect(token: token, config: sluConfig)
                    }
                }
                handle { $0.machine.connected(session: session, now: clock.now) }
            } catch {
                let end = ClientStateMachine.StreamEnd(connecting: error, at: place)
                handle { $0.machine.connectFailed(session: session, end, now: clock.now) }
            }
        }
    }

    private func disconnect(_ state: inout State) {
        state.linkTask?.cancel()
        if let own = ownSluClient { return own.end(suspending: false) }
        chain(&state) { try? await $0.disconnect() }
    }

    /// Calls an SLU client that is not ours, after the calls before.
    func chain(_ state: inout State, _ call: @escaping @Sendable (any SluClientProtocol) async -> Void) {
        let previous = state.sluChain
        state.sluChain = Task { [sluClient] in
            await previous?.value
            await call(sluClient)
        }
    }
}
