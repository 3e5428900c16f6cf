/// Merges states that an epsilon arc alone connects. Probabilities of paths stay as they are.
struct SALEpsilonReduction {
    private var arcs: [SALGraphBuilder.Arc]
    private(set) var stateCount: Int
    private let start: Int
    private let final: Int
    /// A state that was merged to the one it became part of, and the factor on arcs that leave it.
    private var parent: [Int]
    private var factor: [Double]

    init(arcs: [SALGraphBuilder.Arc], stateCount: Int, start: Int, final: Int) {
        self.arcs = arcs
        self.stateCount = stateCount
        self.start = start
        self.final = final
        parent = Array(0..<stateCount)
        factor = [Double](repeating: 1, count: stateCount)
    }

    /// The arcs that remain; states are numbered anew, start 0, final 1.
    mutating func run() -> [SALGraphBuilder.Arc] {
        mergeOnlyExits()
        mergeOnlyEntries()
        return renumbered()
    }

    /// A state with nothing but one epsilon arc out is the state behind it.
    private mutating func mergeOnlyExits() {
        var exits = [Int](repeating: 0, count: stateCount)
        for arc in arcs { exits[arc.from] += 1 }
        for arc in arcs where arc.word < 0 && exits[arc.from] == 1 && arc.from != start {
            parent[arc.from] = arc.to
        }
        replaceStates()
    }

    /// A state entered by nothing but one epsilon arc is part of the state before it.
    private mutating func mergeOnlyEntries() {
        var entries = [Int](repeating: 0, count: stateCount)
        for arc in arcs { entries[arc.to] += 1 }
        for arc in arcs where arc.word < 0 && entries[arc.to] == 1 && arc.to != final && arc.to != start {
            parent[arc.to] = arc.from
            factor[arc.to] = arc.probability
        }
        replaceStates()
    }

    private mutating func replaceStates() {
        for index in arcs.indices {
            let from = resolve(arcs[index].from)
            arcs[index].from = from.state
            arcs[index].probability *= from.factor
            arcs[index].to = resolve(arcs[index].to).state
        }
        // There is a word on every cycle: only the arcs that were merged now end where they begin.
        arcs.removeAll { $0.from == $0.to && $0.word < 0 }
        parent = Array(0..<stateCount)
        factor = [Double](repeating: 1, count: stateCount)
    }

    /// Follows merges to their end and shortens the way for the next time.
    private mutating func resolve(_ state: Int) -> (state: Int, factor: Double) {
        var chain: [Int] = []
        var root = state
        while parent[root] != root {
            chain.append(root)
            root = parent[root]
        }
        var product = 1.0
        for link in chain.reversed() {
            product *= factor[link]
            factor[link] = product
            parent[link] = root
        }
        return (root, product)
    }

    private mutating func renumbered() -> [SALGraphBuilder.Arc] {
        var numbers = [Int](repeating: -1, count: stateCount)
        numbers[start] = 0
        numbers[final] = 1
        var next = 2
        for index in arcs.indices {
            for state in [arcs[index].from, arcs[index].to] where numbers[state] < 0 {
                numbers[state] = next
                next += 1
            }
            arcs[index].from = numbers[arcs[index].from]
            arcs[index].to = numbers[arcs[index].to]
        }
        stateCount = next
        return arcs
    }
}
