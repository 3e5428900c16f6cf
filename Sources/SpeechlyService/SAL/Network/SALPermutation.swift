/// Probabilities of a permutation over the sets of its items said so far, where item i is present with a
/// given probability and every order of the present ones is equally likely.
struct SALPermutation {
    private let presence: [Double]
    /// Weight of stopping at a subset.
    private let stops: [Double]
    /// Weight of everything that may follow a subset, stopping included.
    private let rests: [Double]

    var subsetCount: Int { rests.count }

    init(presence: [Double]) {
        self.presence = presence
        let count = 1 << presence.count
        var stops = [Double](repeating: 0, count: count)
        var rests = stops
        var factorials = [1.0]
        for number in 1...max(presence.count, 1) { factorials.append(factorials[number - 1] * Double(number)) }
        for subset in stride(from: count - 1, through: 0, by: -1) {
            var stop = 1 / factorials[subset.nonzeroBitCount]
            var rest = 0.0
            for (index, probability) in presence.enumerated() where subset & (1 << index) == 0 {
                stop *= 1 - probability
                rest += probability * rests[subset | (1 << index)]
            }
            stops[subset] = stop
            rests[subset] = stop + rest
        }
        self.stops = stops
        self.rests = rests
    }

    /// That the item comes next when exactly those of the subset have been said.
    func probability(of item: Int, after subset: Int) -> Double {
        rests[subset] > 0 ? presence[item] * rests[subset | (1 << item)] / rests[subset] : 0
    }

    /// That nothing follows when exactly those of the subset have been said.
    func stopProbability(after subset: Int) -> Double {
        rests[subset] > 0 ? stops[subset] / rests[subset] : 0
    }
}
