import Speechly
import SpeechlySync
import SpeechlyTesting

/// Follows what a client says about its contexts, and finds what must not be.
final class ChaosChecker: Sendable {
    private struct Context {
        var words: [String] = []
        var failures = 0
        var isStopped = false
        var final: [String] = []
    }

    private struct State {
        var contexts: [String: Context] = [:]
        var unstarted = 0
        var violations: [String] = []
        var sabotage: ChaosSabotage?
        var words = 0
    }

    private let state: Locked<State>

    init(sabotage: ChaosSabotage?) {
        state = Locked(State(sabotage: sabotage))
    }

    var violations: [String] { state.withLock { $0.violations } }
    /// How many starts have come to their end, one way or the other.
    var ended: Int { state.withLock { $0.unstarted + $0.contexts.values.filter(\.isStopped).count } }
    var completed: Int { state.withLock { $0.contexts.values.filter { $0.isStopped && $0.failures == 0 }.count } }
    var failed: Int { state.withLock { $0.unstarted + $0.contexts.values.filter { $0.failures > 0 }.count } }
    var words: Int { state.withLock { $0.contexts.values.reduce(0) { $0 + $1.words.count } } }

    func take(_ event: ClientEvent) {
        state.withLock { state in
            switch event {
            case .contextStarted(let id):
                if state.contexts[id] != nil { state.violations.append("context \(id) started twice") }
                state.contexts[id] = Context()
            case .transcript(let id, _, let word) where word.isFinal: hear(word.value, id, &state)
            case .contextStopped(let context):
                guard let known = state.contexts[context.id] else {
                    return state.violations.append("context \(context.id) stopped without a start")
                }
                let isSecond = known.isStopped || state.sabotage == .stopsTwice
                if isSecond { state.violations.append("context \(context.id) stopped twice") }
                state.contexts[context.id]?.isStopped = true
                state.contexts[context.id]?.final = context.segments.flatMap(\.transcripts).map(\.value)
            case .failure(let failure): fail(failure, &state)
            case .dropped(let count): state.violations.append("the reader missed \(count) events")
            default: break
            }
        }
    }

    private func hear(_ word: String, _ id: String, _ state: inout State) {
        state.words += 1
        if state.sabotage == .losesWord, state.words % 7 == 0 { return }
        let copies = state.sabotage == .doublesWord && state.words % 7 == 0 ? 2 : 1
        if state.contexts[id]?.isStopped ?? true {
            state.violations.append("word \(word) outside of context \(id)")
        }
        for _ in 0..<copies { state.contexts[id]?.words.append(word) }
    }

    private func fail(_ failure: Failure, _ state: inout State) {
        if let id = failure.contextId {
            guard failure.side != .parse else { return }
            state.contexts[id]?.failures += 1
            if state.contexts[id]?.isStopped ?? true { state.violations.append("a failure outside of context \(id)") }
            if state.contexts[id]?.failures == 2 { state.violations.append("context \(id) failed twice") }
        } else if ![.audioLost, .audioFailed, .badMessage].contains(failure.code) {
            state.unstarted += 1
        }
    }

    /// Compares with what was said.
    ///
    /// - Parameters:
    ///   - spoken: the words of each start, in order.
    ///   - wasEnded: whether the owner ended something before its results were in.
    func compare(spoken: [[Int]], wasEnded: Bool) {
        state.withLock { state in
            for (id, context) in state.contexts {
                let numbers = context.words.compactMap { Int($0.dropFirst()) }
                guard numbers.count == context.words.count, zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 })
                else {
                    state.violations.append("context \(id): words doubled or out of order: \(context.words)")
                    continue
                }
                guard context.failures == 0, !wasEnded else { continue }
                if context.words != context.final {
                    state.violations.append("context \(id): heard \(context.words), got \(context.final) at the end")
                }
                guard let first = numbers.first else {
                    if !spoken.contains(where: \.isEmpty) {
                        state.violations.append("context \(id): complete without any word of \(spoken)")
                    }
                    continue
                }
                let own = spoken.first { $0.contains(first) } ?? []
                if numbers != own { state.violations.append("context \(id): said \(own), heard \(numbers)") }
            }
        }
    }

    func note(_ violation: String) { state.withLock { $0.violations.append(violation) } }
}

/// What a broken client would do, to see that the driver finds it.
public enum ChaosSabotage: String, CaseIterable, Sendable {
    /// A final word reaches the host twice.
    case doublesWord
    /// A final word does not reach the host.
    case losesWord
    /// Captured audio does not reach the service.
    case losesAudio
    /// A context ends twice.
    case stopsTwice
}
