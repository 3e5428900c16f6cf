/// Finds the utterances of a large configuration that sound nearly like what was heard.
///
/// The trigram model of a large configuration lets words follow each other that never do in an utterance, and its search
/// drops the right word where another begins better. What it hears is near the truth all the same: of the utterances
/// with nearly the same phones, the sound itself then decides.
struct NearbyUtterances: Sendable {
    /// The nearest utterances.
    struct Neighbourhood {
        var graph: SALGraph
        /// How far the very nearest is from what was heard: mistakes for each phone that was heard, 0 for none.
        var distance: Double
    }

    /// What is kept beside the nearest utterances: so many mistakes more.
    private static let margin = 3 * PhoneDistance.unit
    /// No more transitions than this, so that the second search takes little time.
    private static let maximumArcs = 400
    private static let far = UInt16.max / 4

    private let graph: SALGraph
    /// The transitions, ordered so that each comes after all that lead to it.
    private let order: [Int]
    private let phones: [String: [UInt8]]
    private let arcPhones: [[UInt8]]

    /// - Parameters:
    ///   - graph: the utterances.
    ///   - phones: how each word is said; words without are passed over in silence.
    /// - Returns: `nil` for a graph with cycles.
    init?(graph: SALGraph, phones: [String: [ARPAbet]]) {
        var leaving = [[Int]](repeating: [], count: graph.stateCount)
        var entering = [Int](repeating: 0, count: graph.stateCount)
        for (index, arc) in graph.arcs.enumerated() {
            leaving[arc.from].append(index)
            entering[arc.to] += 1
        }
        var order: [Int] = []
        order.reserveCapacity(graph.arcs.count)
        var open = (0..<graph.stateCount).filter { entering[$0] == 0 }
        while let state = open.popLast() {
            for index in leaving[state] {
                order.append(index)
                entering[graph.arcs[index].to] -= 1
                if entering[graph.arcs[index].to] == 0 { open.append(graph.arcs[index].to) }
            }
        }
        guard order.count == graph.arcs.count else { return nil }
        let numbers = Dictionary(uniqueKeysWithValues: ARPAbet.allCases.enumerated().map { ($1, UInt8($0)) })
        let numbered = phones.mapValues { $0.compactMap { numbers[$0] } }
        self.graph = graph
        self.order = order
        self.phones = numbered
        arcPhones = graph.arcs.map { $0.word.flatMap { numbered[$0] } ?? [] }
    }

    /// The utterances that are nearest to words that were heard.
    ///
    /// - Returns: `nil` if nothing was heard.
    func neighbourhood(of words: [String]) -> Neighbourhood? {
        let heard = words.flatMap { phones[$0] ?? [] }
        guard !heard.isEmpty else { return nil }
        let width = heard.count + 1
        let toEnd = costsToEnd(heard)
        let nearest = toEnd[graph.startState * width]
        var costs = costsThrough(heard, toEnd)
        let limit = Int(nearest) + Self.margin
        var kept = costs.filter { Int($0) <= limit }
        if kept.count > Self.maximumArcs {
            kept.sort()
            // Whole utterances: all of those that cost as much as the last, or none.
            let last = max(nearest, kept[Self.maximumArcs] - 1)
            costs = costs.map { $0 <= last ? $0 : Self.far }
        }
        let arcs = graph.arcs.indices.filter { Int(costs[$0]) <= limit }.map { graph.arcs[$0] }
        return Neighbourhood(
            graph: graph.part(of: arcs),
            distance: Double(nearest) / Double(PhoneDistance.unit) / Double(heard.count))
    }

    /// How far one utterance is from what was heard: mistakes for each phone that was heard.
    func distance(of utterance: [String], from words: [String]) -> Double {
        let heard = words.flatMap { phones[$0] ?? [] }
        var row = heard.indices.map { UInt16($0) * PhoneDistance.gap } + [UInt16(heard.count) * PhoneDistance.gap]
        row.withUnsafeMutableBufferPointer { row in
            for phone in utterance.flatMap({ phones[$0] ?? [] }) { Self.step(over: phone, heard, row) }
        }
        return Double(row[heard.count]) / Double(PhoneDistance.unit) / Double(max(1, heard.count))
    }

    /// For each state and each number of heard phones that are accounted for, what the rest costs at least.
    private func costsToEnd(_ heard: [UInt8]) -> [UInt16] {
        let width = heard.count + 1
        var costs = [UInt16](repeating: Self.far, count: graph.stateCount * width)
        for column in 0..<width {
            costs[graph.finalState * width + column] = UInt16(width - 1 - column) * PhoneDistance.gap
        }
        var row = [UInt16](repeating: 0, count: width)
        costs.withUnsafeMutableBufferPointer { costs in
            row.withUnsafeMutableBufferPointer { row in
                for index in order.reversed() {
                    let to = graph.arcs[index].to * width
                    let from = graph.arcs[index].from * width
                    for column in 0..<width { row[column] = costs[to + column] }
                    for phone in arcPhones[index].reversed() { Self.stepBack(over: phone, heard, row) }
                    for column in 0..<width where row[column] < costs[from + column] {
                        costs[from + column] = row[column]
                    }
                }
            }
        }
        return costs
    }

    /// What the nearest utterance costs at least that passes each transition.
    private func costsThrough(_ heard: [UInt8], _ toEnd: [UInt16]) -> [UInt16] {
        let width = heard.count + 1
        var costs = [UInt16](repeating: Self.far, count: graph.arcs.count)
        var soFar = [UInt16](repeating: Self.far, count: graph.stateCount * width)
        for column in 0..<width { soFar[graph.startState * width + column] = UInt16(column) * PhoneDistance.gap }
        let limit = toEnd[graph.startState * width] + UInt16(Self.margin)
        var row = [UInt16](repeating: 0, count: width)
        soFar.withUnsafeMutableBufferPointer { soFar in
            row.withUnsafeMutableBufferPointer { row in
                for index in order {
                    let to = graph.arcs[index].to * width
                    let from = graph.arcs[index].from * width
                    var best = Self.far
                    for column in 0..<width {
                        row[column] = soFar[from + column]
                        best = min(best, row[column] &+ toEnd[from + column])
                    }
                    guard best <= limit else { continue }
                    for phone in arcPhones[index] { Self.step(over: phone, heard, row) }
                    for column in 0..<width {
                        costs[index] = min(costs[index], row[column] &+ toEnd[to + column])
                        if row[column] < soFar[to + column] { soFar[to + column] = row[column] }
                    }
                }
            }
        }
        return costs
    }

    /// From the costs before a phone to those after it, in place.
    private static func step(over phone: UInt8, _ heard: [UInt8], _ row: UnsafeMutableBufferPointer<UInt16>) {
        let base = Int(phone) * PhoneDistance.count
        var diagonal = row[0]
        row[0] = min(far, row[0] + PhoneDistance.gap)
        for column in 1..<row.count {
            let above = row[column]
            let replaced = diagonal + PhoneDistance.table[base + Int(heard[column - 1])]
            row[column] = min(far, replaced, above + PhoneDistance.gap, row[column - 1] + PhoneDistance.gap)
            diagonal = above
        }
    }

    /// From the costs after a phone to those before it, in place.
    private static func stepBack(over phone: UInt8, _ heard: [UInt8], _ row: UnsafeMutableBufferPointer<UInt16>) {
        let base = Int(phone) * PhoneDistance.count
        let last = row.count - 1
        var diagonal = row[last]
        row[last] = min(far, row[last] + PhoneDistance.gap)
        for column in stride(from: last - 1, through: 0, by: -1) {
            let below = row[column]
            let replaced = diagonal + PhoneDistance.table[base + Int(heard[column])]
            row[column] = min(far, replaced, below + PhoneDistance.gap, row[column + 1] + PhoneDistance.gap)
            diagonal = below
        }
    }
}

extension SALGraph {
    /// The same graph with some of its transitions only, and without the states that those do not touch.
    fileprivate func part(of arcs: [Arc]) -> SALGraph {
        var numbers: [Int: Int] = [:]
        func number(_ state: Int) -> Int {
            if let known = numbers[state] { return known }
            numbers[state] = numbers.count
            return numbers.count - 1
        }
        var part = self
        part.startState = number(startState)
        part.finalState = number(finalState)
        part.arcs = arcs.map {
            Arc(from: number($0.from), to: number($0.to), word: $0.word, probability: $0.probability)
        }
        part.stateCount = numbers.count
        return part
    }
}
