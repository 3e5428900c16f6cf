/// Network to index: joins places that the same words lead to, as long as that does not take too much.
struct SALIndexBuilder {
    private struct Member: Hashable {
        var place: Int32
        /// How much less probable it is than the best member.
        var score: Float
    }

    private struct Candidate {
        var step: SALPlaces.Step
        /// Member of the kernel at hand.
        var member: Int32
    }

    private let network: SALNetwork
    private let maximumSteps: Int
    private var places: SALPlaces
    private var index = SALIndex.Tables()
    private var members: [[Member]] = []
    /// Kernels of one place.
    private var single: [Int32] = []
    private var joined: [[Member]: Int32] = [:]
    /// How many steps joining may still make, and how many steps those kernels may have to look through that it makes:
    /// few steps can come of many.
    private var room: Int
    private var effort: Int
    /// How many steps have been looked through, which is what building costs.
    private(set) var examinedSteps = 0

    /// `maximumSteps`: size at which building stops.
    init(network: SALNetwork, maximumSteps: Int) {
        self.network = network
        self.maximumSteps = maximumSteps
        places = SALPlaces(network: network)
        room = 0
        effort = 0
    }

    /// Nil if the index would become too large.
    mutating func build() -> SALIndex? {
        guard places.find(maximumSteps: maximumSteps) else { return nil }
        // Joining may multiply places: parts that can be left out in many ways do so.
        room = min(places.stepCount * 4 + 20_000, maximumSteps)
        effort = room * 4
        single = [Int32](repeating: -1, count: places.places.count)
        for rule in network.rules { _ = kernel(places.start(of: rule)) }
        // Breadth first: kernels that are likely together at a position lie together in memory.
        var next = 0
        while next < members.count {
            addKernel(members[next])
            next += 1
        }
        index.paths = places.paths
        markJoins()
        addRules()
        for (id, word) in network.words.enumerated() { index.wordIDs[word] = Int32(id) }
        return SALIndex(index)
    }

    private mutating func kernel(_ place: Int32) -> Int32 {
        if single[Int(place)] < 0 {
            single[Int(place)] = Int32(members.count)
            members.append([Member(place: place, score: 0)])
        }
        return single[Int(place)]
    }

    private mutating func addKernel(_ members: [Member]) {
        var words: [Candidate] = []
        var calls: [Candidate] = []
        var kernel = SALIndex.Kernel(words: 0..<0, calls: 0..<0, endScore: -.infinity, endPath: 0)
        for (number, member) in members.enumerated() {
            let place = places.places[Int(member.place)]
            words += place.words.map { Self.candidate($0, of: member, number) }
            calls += place.calls.map { Self.candidate($0, of: member, number) }
            if member.score + place.endScore > kernel.endScore {
                kernel.endScore = member.score + place.endScore
                kernel.endPath = place.endPath
                kernel.endMember = Int32(number)
            }
        }
        examinedSteps += words.count + calls.count
        kernel.bestMember = Int32(members.firstIndex { $0.score == 0 } ?? 0)
        let firstWord = Int32(index.wordSteps.count)
        forEachTarget(words) { builder, label, target, score, origins in
            builder.index.wordSteps.append(
                SALIndex.WordStep(word: label, target: target, score: score, origins: origins))
        }
        kernel.words = firstWord..<Int32(index.wordSteps.count)
        let firstCall = Int32(index.callSteps.count)
        forEachTarget(calls) { builder, label, target, score, origins in
            builder.index.callSteps.append(
                SALIndex.CallStep(rule: label, target: target, score: score, origins: origins))
        }
        kernel.calls = firstCall..<Int32(index.callSteps.count)
        index.kernels.append(kernel)
    }

    private static func candidate(_ step: SALPlaces.Step, of member: Member, _ number: Int) -> Candidate {
        var step = step
        step.score += member.score
        return Candidate(step: step, member: Int32(number))
    }

    private mutating func forEachTarget(
        _ candidates: [Candidate], _ add: (inout SALIndexBuilder, Int32, Int32, Float, Int32) -> Void
    ) {
        // Equal ones stay in the order of the source, so that the first line wins a tie: the standard
        // library's sort is stable.
        let sorted = candidates.count > 1 ? candidates.sorted { $0.step.label < $1.step.label } : candidates
        var first = 0
        while first < sorted.count {
            var end = first + 1
            while end < sorted.count, sorted[end].step.label == sorted[first].step.label { end += 1 }
            let group = sorted[first..<end]
            first = end
            if group.count > 1, let joined = join(group) {
                add(&self, joined.label, joined.target, joined.score, joined.origins)
                continue
            }
            for candidate in group {
                let origins = Int32(index.origins.count)
                index.origins.append(SALIndex.Origin(member: candidate.member, path: candidate.step.path))
                add(&self, candidate.step.label, kernel(candidate.step.target), candidate.step.score, origins)
            }
        }
    }

    /// One step for several with the same label; nil if there is no room.
    private mutating func join(
        _ group: ArraySlice<Candidate>
    ) -> (label: Int32, target: Int32, score: Float, origins: Int32)? {
        guard room >= group.count, let label = group.first?.step.label else { return nil }
        var order: [Candidate] = []
        var known: [Int32: Int] = [:]
        for candidate in group {
            guard let place = known[candidate.step.target] else {
                known[candidate.step.target] = order.count
                order.append(candidate)
                continue
            }
            if candidate.step.score > order[place].step.score { order[place] = candidate }
        }
        if order.count > 1 {
            let steps = order.reduce(0) { sum, candidate in
                let place = places.places[Int(candidate.step.target)]
                return sum + place.words.count + place.calls.count
            }
            guard steps <= effort else { return nil }
            effort -= steps
        }
        let best = order.reduce(-Float.infinity) { max($0, $1.step.score) }
        let origins = Int32(index.origins.count)
        for candidate in order {
            index.origins.append(SALIndex.Origin(member: candidate.member, path: candidate.step.path))
        }
        room -= order.count
        if order.count == 1 { return (label, kernel(order[0].step.target), best, origins) }
        let key = order.map { Member(place: $0.step.target, score: $0.step.score - best) }
        if let target = joined[key] { return (label, target, best, origins) }
        let target = Int32(members.count)
        members.append(key)
        joined[key] = target
        return (label, target, best, origins)
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
            let start = kernel(places.start(of: rule))
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
