/// Says whether words are utterances of a graph, complete and one after the other.
struct UtteranceAcceptor: Sendable {
    private let graph: SALGraph
    /// The numbers of the graph's arcs, in the order of the states that they leave.
    private let arcs: [Int32]
    /// Where in `arcs` those of each state begin, and the end of them all.
    private let firstArc: [Int32]
    private let canBeSaid: @Sendable (String) -> Bool

    /// - Parameter canBeSaid: whether a word is ever heard; one that is not is passed over in silence.
    init(_ graph: SALGraph, canBeSaid: @escaping @Sendable (String) -> Bool) {
        self.graph = graph
        self.canBeSaid = canBeSaid
        var counts = [Int32](repeating: 0, count: graph.stateCount + 1)
        for arc in graph.arcs { counts[arc.from + 1] += 1 }
        for state in 0..<graph.stateCount { counts[state + 1] += counts[state] }
        firstArc = counts
        var order = [Int32](repeating: 0, count: graph.arcs.count)
        for (number, arc) in graph.arcs.enumerated() {
            order[Int(counts[arc.from])] = Int32(number)
            counts[arc.from] += 1
        }
        arcs = order
    }

    /// Whether words are one utterance or several, to the last word.
    func accepts(_ words: [String]) -> Bool {
        var states = closure([graph.startState])
        for word in words {
            var next: Set<Int> = []
            for state in states {
                for arc in arcs(from: state) where arc.word == word { next.insert(arc.to) }
            }
            states = closure(next)
            guard !states.isEmpty else { return false }
        }
        return states.contains(graph.finalState)
    }

    private func arcs(from state: Int) -> some Sequence<SALGraph.Arc> {
        arcs[Int(firstArc[state])..<Int(firstArc[state + 1])].lazy.map { graph.arcs[Int($0)] }
    }

    /// States and those that are reached from them without a word.
    private func closure(_ states: Set<Int>) -> Set<Int> {
        var result = states
        var open = Array(states)
        func reach(_ state: Int) { if result.insert(state).inserted { open.append(state) } }
        while let state = open.popLast() {
            for arc in arcs(from: state) where arc.word.map({ !canBeSaid($0) }) ?? true { reach(arc.to) }
            if state == graph.finalState { reach(graph.startState) }
        }
        return result
    }
}
