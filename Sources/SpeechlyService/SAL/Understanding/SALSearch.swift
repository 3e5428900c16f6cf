/// Finds the best derivation of words, position by position.
///
/// A rule entered at a position is one instance whoever calls it; callers wait until it ends. The whole
/// configuration is entered anew wherever a line of it has ended, so that several utterances spoken in a
/// row come out as several segments.
struct SALSearch {
    struct Token {
        var instance: Int32
        var kernel: Int32
        /// Sum of scores since the instance's start.
        var score: Float
        /// What the differences since the instance's start cost.
        var cost: Float = 0
        /// Token before it in the same instance; -1 at its start.
        var back: Int32
        /// In the index: where the members of its kernel come from; -1 if the kernel is that of `back`.
        var origins: Int32
        /// For a call that returned: the last token of the called instance; else a `Kind`, below zero.
        var inner: Int32
        /// Next token of the same instance and position; -1 for none.
        var next: Int32 = -1
    }

    /// What a token that is not a call stands for.
    enum Kind {
        static let word: Int32 = -1
        /// A word that was said and has no place in the derivation.
        static let extra: Int32 = -2
        /// A word of the configuration that was not said.
        static let missing: Int32 = -3
        /// And below: a word that is meant instead of the one said, by its number in the edits.
        static let corrected: Int32 = -4
    }

    struct Waiter {
        var instance: Int32
        var token: Int32
        var kernel: Int32
        var score: Float
        var cost: Float
        var origins: Int32
        var next: Int32
    }

    struct Instance {
        var rule: Int32
        var start: Int32
        /// First of those that wait for its end.
        var waiter: Int32 = -1
        /// Its tokens at `position`.
        var token: Int32 = -1
        var position: Int32 = -1
    }

    /// The best way to cover all words before a position with whole lines.
    struct Cut {
        var score: Float
        var cost: Float = 0
        /// Last token of the last line's instance; `extra` if the last word belongs to no line.
        var token: Int32
    }

    let index: SALIndex
    let words: [Int32]
    let edits: SALEdits
    /// Whether a word may be one that is not listed, where the index takes any.
    let isOpen: [Bool]
    var tokens: ContiguousArray<Token> = []
    var waiters: ContiguousArray<Waiter> = []
    var instances: ContiguousArray<Instance> = []
    private(set) var cuts: ContiguousArray<Cut> = []
    /// Instances with tokens at the position at hand, and at the next.
    private(set) var live: [Int32] = []
    private var following: [Int32] = []
    /// Instances at the position at hand in the order of their ends.
    private var queue: [Int32] = []
    /// Per rule its instance that starts at the position at hand; valid if that is its start.
    private var entered: [Int32]
    private var tokenAt = SALTokenMap()
    private let mainRule: Int
    let isExact: Bool

    /// With differences, more tokens than this are not looked at.
    static let maximumTokens = 200_000

    init(index: SALIndex, words: [Int32], isOpen: [Bool], edits: SALEdits = .none) {
        self.index = index
        self.words = words
        self.isOpen = isOpen
        self.edits = edits
        isExact = edits.limit == 0
        mainRule = index.rules.count - 1
        entered = [Int32](repeating: -1, count: index.rules.count)
        tokens.reserveCapacity(words.count * 4)
        cuts.reserveCapacity(words.count + 1)
    }

    /// Runs over all words. False if no derivation even begins with them.
    mutating func run() -> Bool {
        cuts.append(Cut(score: 0, token: -1))
        for position in words.indices {
            scan(Int32(position))
            finish(Int32(position + 1))
            if live.isEmpty && cuts[position + 1].score == -.infinity { return false }
            if !isExact, tokens.count + waiters.count > Self.maximumTokens { return false }
        }
        return true
    }

    // MARK: From a position to the next

    private mutating func scan(_ position: Int32) {
        let word = words[Int(position)]
        following.removeAll(keepingCapacity: true)
        tokenAt.removeAll()
        guard word >= 0 || isOpen[Int(position)] || !isExact else { return }
        for instance in live {
            var token = instances[Int(instance)].token
            while token >= 0 {
                let current = tokens[Int(token)]
                step(from: current.kernel, of: instance, behind: token, current.score, current.cost, position)
                if !isExact { skip(current, token, position) }
                token = current.next
            }
        }
        if cuts[Int(position)].score > -.infinity { _ = enter(mainRule, at: position) }
        // Instances entered meanwhile take their first step; that may enter more.
        var fresh = firstFresh(at: position)
        while fresh < instances.count {
            let kernel = index.rules[Int(instances[fresh].rule)].start
            step(from: kernel, of: Int32(fresh), behind: -1, 0, 0, position)
            fresh += 1
        }
    }

    private func firstFresh(at position: Int32) -> Int {
        var fresh = instances.count
        while fresh > 0, instances[fresh - 1].start == position { fresh -= 1 }
        return fresh
    }

    private mutating func enter(_ rule: Int, at position: Int32) -> Int32 {
        let known = entered[rule]
        if known >= 0, instances[Int(known)].start == position { return known }
        instances.append(Instance(rule: Int32(rule), start: position))
        entered[rule] = Int32(instances.count - 1)
        return entered[rule]
    }

    private mutating func step(
        from kernel: Int32, of instance: Int32, behind token: Int32, _ score: Float, _ cost: Float, _ position: Int32,
        missing: Int = 0
    ) {
        let kernel = index.kernels[Int(kernel)]
        let word = words[Int(position)]
        if word >= 0 { take(word, Kind.word, kernel, instance, token, score, cost, position) }
        if isOpen[Int(position)] {
            let open = isExact ? 0 : SALEdits.openCost
            take(
                SALIndex.anyWord, Kind.word, kernel, instance, token, score - open * SALEdits.weight, cost + open,
                position)
        }
        call(word, kernel, instance, token, score, cost, position)
        guard !isExact else { return }
        for number in edits.alternatives[Int(position)] {
            let other = edits.flat[number]
            let kind = Kind.corrected - Int32(number)
            take(other.word, kind, kernel, instance, token, score, cost + other.cost, position)
            call(other.word, kernel, instance, token, score, cost, position)
        }
        if missing < SALEdits.maximumMissing, cost + SALEdits.missingCost <= edits.limit {
            pass(kernel, instance, token, score, cost + SALEdits.missingCost, position, missing + 1)
        }
    }

    /// Takes the steps of a kernel that have a word.
    private mutating func take(
        _ word: Int32, _ kind: Int32, _ kernel: SALIndex.Kernel, _ instance: Int32, _ token: Int32, _ score: Float,
        _ cost: Float, _ position: Int32
    ) {
        var low = index.firstStep(of: word, in: kernel.words)
        while low < kernel.words.upperBound, index.wordSteps[Int(low)].word == word {
            let step = index.wordSteps[Int(low)]
            add(
                Token(
                    instance: instance, kernel: step.target, score: score + step.score, cost: cost, back: token,
                    origins: step.origins, inner: kind), at: position + 1)
            low += 1
        }
    }

    /// Calls the rules of a kernel that can begin with a word.
    private mutating func call(
        _ word: Int32, _ kernel: SALIndex.Kernel, _ instance: Int32, _ token: Int32, _ score: Float, _ cost: Float,
        _ position: Int32
    ) {
        var call = kernel.calls.lowerBound
        while call < kernel.calls.upperBound {
            let rule = index.callSteps[Int(call)].rule
            let useful = index.canBegin(Int(rule), with: word, isOpen: isOpen[Int(position)])
            let callee = useful ? enter(Int(rule), at: position) : -1
            while call < kernel.calls.upperBound, index.callSteps[Int(call)].rule == rule {
                if useful {
                    let step = index.callSteps[Int(call)]
                    waiters.append(
                        Waiter(
                            instance: instance, token: token, kernel: step.target, score: score + step.score,
                            cost: cost, origins: step.origins, next: instances[Int(callee)].waiter))
                    instances[Int(callee)].waiter = Int32(waiters.count - 1)
                }
                call += 1
            }
        }
    }

    /// Passes over words of the configuration that were not said. The recursion is bounded.
    private mutating func pass(
        _ kernel: SALIndex.Kernel, _ instance: Int32, _ token: Int32, _ score: Float, _ cost: Float, _ position: Int32,
        _ missing: Int
    ) {
        for word in edits.missing {
            var low = index.firstStep(of: word, in: kernel.words)
            while low < kernel.words.upperBound, index.wordSteps[Int(low)].word == word {
                let step = index.wordSteps[Int(low)]
                let total = score + step.score - SALEdits.missingCost * SALEdits.weight
                tokens.append(
                    Token(
                        instance: instance, kernel: step.target, score: total, cost: cost, back: token,
                        origins: step.origins, inner: Kind.missing))
                self.step(
                    from: step.target, of: instance, behind: Int32(tokens.count - 1), total, cost, position,
                    missing: missing)
                low += 1
            }
        }
    }

    /// Stays where a token is, with one more word.
    private mutating func skip(_ current: Token, _ token: Int32, _ position: Int32) {
        let cost = edits.skips[Int(position)]
        add(
            Token(
                instance: current.instance, kernel: current.kernel, score: current.score - cost * SALEdits.weight,
                cost: current.cost + cost, back: token, origins: -1, inner: Kind.extra), at: position + 1)
    }

    private mutating func add(_ token: Token, at position: Int32) {
        guard token.cost <= edits.limit else { return }
        var token = token
        if token.inner <= Kind.corrected {
            token.score -= edits.flat[Int(Kind.corrected - token.inner)].cost * SALEdits.weight
        }
        let instance = Int(token.instance)
        if instances[instance].position != position {
            instances[instance].position = position
            instances[instance].token = -1
            following.append(token.instance)
        }
        if !isExact || index.kernels[Int(token.kernel)].isJoin {
            let key = UInt64(UInt32(bitPattern: token.instance)) << 32 | UInt64(UInt32(bitPattern: token.kernel))
            let known = tokenAt.insert(key, Int32(tokens.count))
            if known >= 0 {
                guard token.score > tokens[Int(known)].score else { return }
                let next = tokens[Int(known)].next
                tokens[Int(known)] = token
                tokens[Int(known)].next = next
                return
            }
        }
        tokens.append(token)
        tokens[tokens.count - 1].next = instances[instance].token
        instances[instance].token = Int32(tokens.count - 1)
    }

    // MARK: Ends of rules at a position

    /// Returns from rules that end here, inner ones first: later starts before earlier, called before caller.
    private mutating func finish(_ position: Int32) {
        cuts.append(cutBehindExtraWord(position))
        swap(&live, &following)
        following.removeAll(keepingCapacity: true)
        queue.removeAll(keepingCapacity: true)
        for instance in live { insert(instance, from: 0) }
        var head = 0
        while head < queue.count {
            let instance = queue[head]
            head += 1
            guard let end = bestEnd(of: instance) else { continue }
            if instances[Int(instance)].rule == Int32(mainRule) {
                let before = cuts[Int(instances[Int(instance)].start)]
                let score = before.score + end.score
                let cost = before.cost + end.cost
                if score > cuts[Int(position)].score, cost <= edits.limit {
                    cuts[Int(position)] = Cut(score: score, cost: cost, token: end.token)
                }
                continue
            }
            var waiter = instances[Int(instance)].waiter
            while waiter >= 0 {
                let caller = waiters[Int(waiter)]
                add(
                    Token(
                        instance: caller.instance, kernel: caller.kernel, score: caller.score + end.score,
                        cost: caller.cost + end.cost, back: caller.token, origins: caller.origins, inner: end.token),
                    at: position)
                waiter = caller.next
            }
            for added in following { insert(added, from: head) }
            live.append(contentsOf: following)
            following.removeAll(keepingCapacity: true)
        }
    }

    private func cutBehindExtraWord(_ position: Int32) -> Cut {
        let nowhere = Cut(score: -.infinity, token: -1)
        guard !isExact else { return nowhere }
        let before = cuts[Int(position) - 1]
        let cost = edits.skips[Int(position) - 1]
        guard before.cost + cost <= edits.limit else { return nowhere }
        return Cut(
            score: before.score - cost * SALEdits.weight, cost: before.cost + cost, token: Kind.extra)
    }

    private func comesFirst(_ a: Int32, _ b: Int32) -> Bool {
        let (a, b) = (instances[Int(a)], instances[Int(b)])
        return a.start != b.start ? a.start > b.start : a.rule < b.rule
    }

    /// Puts an instance in its place among those still to be looked at.
    private mutating func insert(_ instance: Int32, from first: Int) {
        var place = queue.count
        while place > first, comesFirst(instance, queue[place - 1]) { place -= 1 }
        queue.insert(instance, at: place)
    }

    private func bestEnd(of instance: Int32) -> (score: Float, cost: Float, token: Int32)? {
        var best: (score: Float, cost: Float, token: Int32)?
        var token = instances[Int(instance)].token
        while token >= 0 {
            let current = tokens[Int(token)]
            let score = current.score + index.kernels[Int(current.kernel)].endScore
            // Tokens are listed last first; of equals the first one counts.
            if score > -.infinity, score >= best?.score ?? -.infinity { best = (score, current.cost, token) }
            token = current.next
        }
        return best
    }
}
