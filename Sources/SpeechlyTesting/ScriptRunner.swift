/// Finds the actions that an event sets off: each rule once per context.
struct ScriptRunner {
    private struct Firing: Hashable {
        let rule: Int
        let context: Int?
    }

    let script: StreamScript
    private var fired: Set<Firing> = []
    private var dictation: Dictation?

    init(_ script: StreamScript) {
        self.script = script
        dictation = script.dictation
    }

    /// - Parameters:
    ///   - event: What happened, with its context counted from 1 where it has one; audio with the bytes so far.
    ///   - audio: The audio so far of the context that the event is about.
    mutating func actions(for event: StreamScript.Trigger, audio: [UInt8] = []) -> [StreamScript.Action] {
        var actions = dictation?.actions(for: event, audio: audio) ?? []
        for (index, rule) in script.rules.enumerated() where matches(rule.trigger, event) {
            if fired.insert(Firing(rule: index, context: context(of: event))).inserted { actions += rule.actions }
        }
        guard script.automatic else { return actions }
        switch event {
        case .start: return [.send(.started)] + actions
        case .stop: return actions + [.send(.finished)]
        case .halfClose: return actions + [.end(.ok)]
        default: return actions
        }
    }

    private func matches(_ rule: StreamScript.Trigger, _ event: StreamScript.Trigger) -> Bool {
        switch (rule, event) {
        case (.start(let wanted), .start(let context)), (.stop(let wanted), .stop(let context)):
            wanted == nil || wanted == context
        case (.audio(let wantedBytes, let wanted), .audio(let bytes, let context)):
            bytes >= wantedBytes && (wanted == nil || wanted == context)
        default: rule == event
        }
    }

    private func context(of event: StreamScript.Trigger) -> Int? {
        switch event {
        case .start(let context), .stop(let context), .audio(_, let context): context
        default: nil
        }
    }
}
