import Foundation

/// Network to index.
struct SALIndexBuilder {
    private let network: SALNetwork
    private(set) var index = SALIndex()
    /// Arcs by the state they leave: `arcs[starts[s]..<starts[s + 1]]`.
    private let outgoing: SALOutgoing
    private var kernelOfState: [Int32]
    private var statesOfKernels: [Int] = []
    /// Best score and path to a state within the closure at hand.
    private var scores: [Float]
    private var pathTo: [Int32]

    /// Most steps of an index: `{a} {b} {c} …` takes the square of its length.
    static let maximumSteps = 3_000_000

    init(network: SALNetwork) {
        self.network = network
        outgoing = SALOutgoing(network)
        kernelOfState = [Int32](repeating: -1, count: network.stateCount)
        scores = [Float](repeating: -.infinity, count: network.stateCount)
        pathTo = [Int32](repeating: 0, count: network.stateCount)
    }

    /// False if the index would become too large.
    mutating func build() -> Bool {
        for rule in network.rules { _ = kernel(of: rule.start) }
        for arc in network.arcs where arc.label != .epsilon { _ = kernel(of: arc.to) }
        index.kernels.reserveCapacity(statesOfKernels.count)
        let ends = Set(network.rules.map(\.end))
        for state in statesOfKernels {
            addClosure(of: state, ends: ends)
            if index.wordSteps.count + index.callSteps.count + index.paths.count > Self.maximumSteps { return false }
        }
        addRules()
        for (id, word) in network.words.enumerated() { index.wordIDs[word] = Int32(id) }
        return true
    }

    private mutating func kernel(of state: Int) -> Int32 {
        if kernelOfState[state] < 0 {
            kernelOfState[state] = Int32(statesOfKernels.count)
            statesOfKernels.append(state)
        }
        return kernelOfState[state]
    }

    private mutating func addClosure(of start: Int, ends: Set<Int>) {
        let reached = reach(from: start)
        let firstWord = index.wordSteps.count
        let firstCall = index.callSteps.count
        var endScore = -Float.infinity
        var endPath: Int32 = 0
        for state in reached {
            let score = scores[state]
            let path = pathTo[state]
            if ends.contains(state), score > endScore {
                endScore = score
                endPath = path
            }
            for position in outgoing.range(state) {
                let arc = network.arcs[outgoing.arcs[position]]
                let total = score + Float(log(arc.probability))
                let target = kernelOfState[arc.to]
                switch arc.label {
                case .epsilon: break
                case .word(let word):
                    index.wordSteps.append(
                        SALIndex.WordStep(word: Int32(word), target: target, score: total, path: path))
                case .call(let rule):
                    index.callSteps.append(
                        SALIndex.CallStep(rule: Int32(rule), target: target, score: total, path: path))
                }
            }
            scores[state] = -.infinity
        }
        // Equal ones stay in the order of the source, so that the first line wins a tie.
        stableSort(&index.wordSteps, from: firstWord) { $0.word < $1.word }
        stableSort(&index.callSteps, from: firstCall) { $0.rule < $1.rule }
        index.kernels.append(
            SALIndex.Kernel(
                words: Int32(firstWord)..<Int32(index.wordSteps.count),
                calls: Int32(firstCall)..<Int32(index.callSteps.count), endScore: endScore, endPath: endPath))
    }

    private func stableSort<Step>(
        _ steps: inout ContiguousArray<Step>, from first: Int, by less: (Step, Step) -> Bool
    ) {
        guard steps.count - first > 1 else { return }
        // The standard library's sort is stable, though its documentation does not promise it yet.
        steps[first...].sort(by: less)
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
