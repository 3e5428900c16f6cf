import Foundation

/// Network to index.
struct SALIndexBuilder {
    private let network: SALNetwork
    private var index = SALIndex.Tables()
    /// Arcs by the state they leave: `arcs[starts[s]..<starts[s + 1]]`.
    private let outgoing: SALOutgoing
    private var kernelOfState: [Int32]
    private var statesOfKernels: [Int] = []
    /// Best score and path to a state within the closure at hand.
    private var scores: [Float]
    private var pathTo: [Int32]
    private var isEnd: [Bool]
    /// Steps of the closure at hand.
    private var words: [SALIndex.WordStep] = []
    private var calls: [SALIndex.CallStep] = []

    private let openings: [Int: [SALNetwork.Opening]]
    private let maximumSteps: Int

    /// `maximumSteps`: size at which building stops.
    init(network: SALNetwork, maximumSteps: Int) {
        self.maximumSteps = maximumSteps
        self.network = network
        outgoing = SALOutgoing(network)
        openings = Dictionary(grouping: network.openings) { $0.from }
        kernelOfState = [Int32](repeating: -1, count: network.stateCount)
        scores = [Float](repeating: -.infinity, count: network.stateCount)
        pathTo = [Int32](repeating: 0, count: network.stateCount)
        isEnd = [Bool](repeating: false, count: network.stateCount)
    }

    /// Nil if the index would become too large.
    mutating func build() -> SALIndex? {
        for rule in network.rules { _ = kernel(of: rule.start) }
        for rule in network.rules { isEnd[rule.end] = true }
        // Breadth first: states that are likely together at a position lie together in memory.
        var next = 0
        while next < statesOfKernels.count {
            addClosure(of: statesOfKernels[next])
            next += 1
            if index.wordSteps.count + index.callSteps.count + index.paths.count > maximumSteps { return nil }
        }
        markJoins()
        addRules()
        for (id, word) in network.words.enumerated() { index.wordIDs[word] = Int32(id) }
        return SALIndex(index)
    }

    private mutating func kernel(of state: Int) -> Int32 {
        if kernelOfState[state] < 0 {
            kernelOfState[state] = Int32(statesOfKernels.count)
            statesOfKernels.append(state)
        }
        return kernelOfState[state]
    }

    private mutating func addClosure(of start: Int) {
        let reached = reach(from: start)
        words.removeAll(keepingCapacity: true)
        calls.removeAll(keepingCapacity: true)
        var endScore = -Float.infinity
        var endPath: Int32 = 0
        for state in reached {
            let score = scores[state]
            let path = pathTo[state]
            if isEnd[state], score > endScore {
                endScore = score
                endPath = path
            }
            for position in outgoing.range(state) {
                let arc = network.arcs[outgoing.arcs[position]]
                let total = score + Float(log(arc.probability))
                guard arc.label != .epsilon else { continue }
                let target = kernel(of: arc.to)
                switch arc.label {
                case .epsilon: break
                case .word(let word):
                    words.append(SALIndex.WordStep(word: Int32(word), target: target, score: total, path: path))
                case .call(let rule):
                    calls.append(SALIndex.CallStep(rule: Int32(rule), target: target, score: total, path: path))
                }
            }
            for opening in openings[state] ?? [] {
                words.append(
                    SALIndex.WordStep(
                        word: SALIndex.anyWord, target: kernel(of: opening.to),
                        score: score + Float(log(opening.probability)), path: path))
            }
            scores[state] = -.infinity
        }
        // Equal ones stay in the order of the source, so that the first line wins a tie: the standard
        // library's sort is stable.
        if words.count > 1 { words.sort { $0.word < $1.word } }
        if calls.count > 1 { calls.sort { $0.rule < $1.rule } }
        let firstWord = Int32(index.wordSteps.count)
        let firstCall = Int32(index.callSteps.count)
        index.wordSteps.append(contentsOf: words)
        index.callSteps.append(contentsOf: calls)
        index.kernels.append(
            SALIndex.Kernel(
                words: firstWord..<Int32(index.wordSteps.count), calls: firstCall..<Int32(index.callSteps.count),
                endScore: endScore, endPath: endPath))
    }

    /// The states reachable without a word, each with its best score and path. The graph has no cycles, so
    /// improving until nothing changes ends.
    private mutating func reach(from start: Int) -> [Int] {
        var reached = [start]
        var queue = [start]
        scores[start] = 0
        pathTo[start] = 0
        var head = 0
        while head < queue.count {
            let state = queue[head]
            head += 1
            for position in outgoing.range(state) {
                let arc = network.arcs[outgoing.arcs[position]]
                guard case .epsilon = arc.label else { continue }
                let score = scores[state] + Float(log(arc.probability))
                guard score > scores[arc.to] else { continue }
                if scores[arc.to] == -.infinity { reached.append(arc.to) }
                scores[arc.to] = score
                pathTo[arc.to] = extend(pathTo[state], by: arc.mark)
                queue.append(arc.to)
            }
        }
        return reached
    }

    private mutating func extend(_ path: Int32, by mark: SALMark) -> Int32 {
        guard mark != .none else { return path }
        index.paths.append(SALIndex.PathStep(parent: path, mark: mark))
        return Int32(index.paths.count - 1)
    }

    private mutating func markJoins() {
        var entries = [Int32](repeating: 0, count: index.kernels.count)
        for step in index.wordSteps { entries[Int(step.target)] += 1 }
        // Calls made at different positions may return at the same one.
        for step in index.callSteps { entries[Int(step.target)] += 2 }
        for kernel in entries.indices { index.kernels[kernel].isJoin = entries[kernel] > 1 }
    }

    private mutating func addRules() {
        // A called rule precedes its callers, so its first words are known.
        for rule in network.rules {
            let start = kernelOfState[rule.start]
            let kernel = index.kernels[Int(start)]
            var words = Set(index.wordSteps[Int(kernel.words.lowerBound)..<Int(kernel.words.upperBound)].map(\.word))
            for call in index.callSteps[Int(kernel.calls.lowerBound)..<Int(kernel.calls.upperBound)] {
                let range = index.rules[Int(call.rule)].firstWords
                words.formUnion(index.firstWords[Int(range.lowerBound)..<Int(range.upperBound)])
            }
            let first = Int32(index.firstWords.count)
            index.firstWords.append(contentsOf: words.sorted())
            index.rules.append(SALIndex.Rule(start: start, firstWords: first..<Int32(index.firstWords.count)))
        }
    }
}

/// The arcs of a network grouped by the state they leave.
struct SALOutgoing: Sendable {
    private let starts: [Int]
    /// Indices of arcs.
    let arcs: [Int]

    init(_ network: SALNetwork) {
        var starts = [Int](repeating: 0, count: network.stateCount + 1)
        for arc in network.arcs { starts[arc.from + 1] += 1 }
        for state in 0..<network.stateCount { starts[state + 1] += starts[state] }
        var next = starts
        var arcs = [Int](repeating: 0, count: network.arcs.count)
        for (index, arc) in network.arcs.enumerated() {
            arcs[next[arc.from]] = index
            next[arc.from] += 1
        }
        self.starts = starts
        self.arcs = arcs
    }

    /// Positions in `arcs` of those that leave a state.
    func range(_ state: Int) -> Range<Int> { starts[state]..<starts[state + 1] }
}
