/// What the owner sees of all this.
extension ClientStateMachine {
    var publicState: ClientState {
        if let permanentFailure { return .failed(permanentFailure) }
        guard !utterances.isEmpty else { return link == .up ? .connected : .disconnected }
        guard link == .up else { return .connecting }
        guard let active = utterances.last(where: { $0.capture == .active }) else { return .stopping }
        return active.contextId != nil ? .listening : .connecting
    }

    /// The state, if it has changed since it was last asked for.
    mutating func stateChange() -> ClientStateChange? {
        let state = publicState
        guard state != lastState else { return nil }
        lastState = state
        return ClientStateChange(state: state, reason: reason)
    }

    /// Everything has failed: for good, if trying again cannot mend it.
    mutating func note(_ failure: Failure) {
        reason = .failed(failure)
        permanentFailure = failure.isPermanent ? failure : nil
    }
}
