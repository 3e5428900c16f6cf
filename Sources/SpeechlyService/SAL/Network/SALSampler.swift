extension SALConfiguration {
    /// Draws utterances at random, each line equally often and within it as its weights say.
    /// - Parameters:
    ///   - count: how many.
    ///   - generator: where randomness comes from; equal ones give equal utterances.
    /// - Returns: annotated utterances: `*intent words [value](entity) words`.
    public func sample(count: Int, using generator: inout some RandomNumberGenerator) -> [String] {
        guard !network.arcs.isEmpty else { return [] }
        return (0..<max(count, 0)).map { _ in sampleOne(using: &generator) }
    }

    /// Draws utterances at random; equal seeds give equal utterances on every machine.
    /// - Parameters:
    ///   - count: how many.
    ///   - seed: any number.
    /// - Returns: annotated utterances: `*intent words [value](entity) words`.
    public func sample(count: Int, seed: UInt64) -> [String] {
        var generator = SALRandom(seed: seed)
        return sample(count: count, using: &generator)
    }

    private func sampleOne(using generator: inout some RandomNumberGenerator) -> String {
        var text = SALAnnotatedText(network: network)
        var state = network.main.start
        // Where to go on behind each call, and where it ends.
        var calls: [(end: Int, next: Int)] = []
        while true {
            if let call = calls.last, state == call.end {
                state = call.next
                calls.removeLast()
                continue
            }
            let range = outgoing.range(state)
            if range.isEmpty { return text.text }
            let arc = network.arcs[outgoing.arcs[pick(range, using: &generator)]]
            text.add(arc)
            if case .call(let rule) = arc.label {
                calls.append((network.rules[rule].end, arc.to))
                state = network.rules[rule].start
            } else {
                state = arc.to
            }
        }
    }

    private func pick(_ range: Range<Int>, using generator: inout some RandomNumberGenerator) -> Int {
        guard range.count > 1 else { return range.lowerBound }
        var rest = Double(generator.next() >> 11) * 0x1p-53
        for position in range {
            rest -= network.arcs[outgoing.arcs[position]].probability
            if rest < 0 { return position }
        }
        return range.upperBound - 1
    }
}

/// Writes a path through the network as an annotated utterance.
struct SALAnnotatedText {
    private let network: SALNetwork
    private(set) var text = ""
    /// No blank before the next word.
    private var joins = true

    init(network: SALNetwork) {
        self.network = network
    }

    mutating func add(_ arc: SALNetwork.Arc) {
        switch arc.mark {
        case .none: break
        case .intent(let intent):
            separate()
            text += "*" + network.intents[intent]
        case .openEntity:
            separate()
            text += "["
            joins = true
        case .closeEntity(let entity):
            text += "](\(network.entities[entity]))"
            joins = false
        }
        guard case .word = arc.label else { return }
        separate()
        let word = network.displays[arc.display]
        text += word
        joins = word.hasSuffix("-")
    }

    private mutating func separate() {
        if !joins, !text.isEmpty { text += " " }
        joins = false
    }
}

/// A small seeded generator (SplitMix64): the same numbers everywhere, for ever.
struct SALRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
