import Foundation

/// The places of a network that words and calls lead to, each with the words and calls that can come next
/// and the best probability to get there: epsilon arcs are gone.
struct SALPlaces {
    struct Step {
        /// A word, or the rule of a call.
        var label: Int32
        /// Place behind it.
        var target: Int32
        var score: Float
        /// Marks before it.
        var path: Int32
    }

    struct Place {
        var words: [Step]
        var calls: [Step]
        var endScore: Float
        var endPath: Int32
    }

    private let network: SALNetwork
    private let outgoing: SALOutgoing
    private let openings: [Int: [SALNetwork.Opening]]
    private(set) var places: [Place] = []
    private(set) var paths: ContiguousArray<SALIndex.PathStep> = [SALIndex.PathStep(parent: 0, mark: .none)]
    private(set) var stepCount = 0
    private var placeOfState: [Int32]
    private var states: [Int] = []
    /// Best score and path to a state within the closure at hand.
    private var scores: [Float]
    private var pathTo: [Int32]
    private var isEnd: [Bool]

    init(network: SALNetwork) {
        self.network = network
        outgoing = SALOutgoing(network)
        openings = Dictionary(grouping: network.openings) { $0.from }
        placeOfState = [Int32](repeating: -1, count: network.stateCount)
        scores = [Float](repeating: -.infinity, count: network.stateCount)
        pathTo = [Int32](repeating: 0, count: network.stateCount)
        isEnd = [Bool](repeating: false, count: network.stateCount)
    }

    /// Finds all places. Stops, with false, if there would be more than a number of steps.
    mutating func find(maximumSteps: Int) -> Bool {
        for rule in network.rules { _ = place(of: rule.start) }
        for rule in network.rules { isEnd[rule.end] = true }
        var next = 0
        while next < states.count {
            addClosure(of: states[next])
            next += 1
            if stepCount + paths.count > maximumSteps { return false }
        }
        return true
    }

    func start(of rule: SALNetwork.Rule) -> Int32 { placeOfState[rule.start] }

    private mutating func place(of state: Int) -> Int32 {
        if placeOfState[state] < 0 {
            placeOfState[state] = Int32(states.count)
            states.append(state)
        }
        return placeOfState[state]
    }

    /// Rounded to parts that add up without an error: equally probable ways have equal scores.
    private static func score(_ probability: Double) -> Float { Float((log(probability) * 4096).rounded() / 4096) }

    private mutating func addClosure(of start: Int) {
        let reached = reach(from: start)
        var place = Place(words: [], calls: [], endScore: -.infinity, endPath: 0)
        for state in reached {
            let score = scores[state]
            let path = pathTo[state]
            if isEnd[state], score > place.endScore {
                place.endScore = score
                place.endPath = path
            }
            for position in outgoing.range(state) {
                let arc = network.arcs[outgoing.arcs[position]]
                let total = score + Self.score(arc.probability)
                switch arc.label {
                case .epsilon: break
                case .word(let word):
                    place.words.append(
                        Step(label: Int32(word), target: self.place(of: arc.to), score: total, path: path))
                case .call(let rule):
                    place.calls.append(
                        Step(label: Int32(rule), target: self.place(of: arc.to), score: total, path: path))
                }
            }
            for opening in openings[state] ?? [] {
                place.words.append(
                    Step(
                        label: SALIndex.anyWord, target: self.place(of: opening.to),
                        score: score + Self.score(opening.probability), path: path))
            }
            scores[state] = -.infinity
        }
        stepCount += place.words.count + place.calls.count
        places.append(place)
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
                let score = scores[state] + Self.score(arc.probability)
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
        paths.append(SALIndex.PathStep(parent: path, mark: mark))
        return Int32(paths.count - 1)
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
