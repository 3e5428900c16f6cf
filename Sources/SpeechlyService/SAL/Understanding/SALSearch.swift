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
        /// Token before it in the same instance; -1 at its start.
        var back: Int32
        /// Marks behind `back`.
        var path: Int32
        /// For a call that returned: the last token of the called instance; -1 for a word.
        var inner: Int32
        /// Next token of the same instance and position; -1 for none.
        var next: Int32
    }

    struct Waiter {
        var instance: Int32
        var token: Int32
        var kernel: Int32
        var score: Float
        var path: Int32
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
        /// Last token of the last line's instance.
        var token: Int32
    }

    let index: SALIndex
    let words: [Int32]
    /// Whether a word may be one that is not listed, where the index takes any.
    private let isOpen: [Bool]
    private(set) var tokens: ContiguousArray<Token> = []
    private(set) var waiters: ContiguousArray<Waiter> = []
    private(set) var instances: ContiguousArray<Instance> = []
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

    init(index: SALIndex, words: [Int32], isOpen: [Bool]) {
        self.index = index
        self.words = words
        self.isOpen = isOpen
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
        }
        return true
    }

    // MARK: From a position to the next

    private mutating func scan(_ position: Int32) {
        let word = words[Int(position)]
        following.removeAll(keepingCapacity: true)
        tokenAt.removeAll()
        guard word >= 0 || isOpen[Int(position)] else { return }
        for instance in live {
            var token = instances[Int(instance)].token
            while token >= 0 {
                let current = tokens[Int(token)]
                step(from: current.kernel, instance: instance, token: token, score: current.score, position, word)
                token = current.next
            }
        }
        if cuts[Int(position)].score > -.infinity { _ = enter(mainRule, at: position) }
        // Instances entered meanwhile take their first step; that may enter more.
        var fresh = firstFresh(at: position)
        while fresh < instances.count {
            let kernel = index.rules[Int(instances[fresh].rule)].start
            step(from: kernel, instance: Int32(fresh), token: -1, score: 0, position, word)
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
        from kernel: Int32, instance: Int32, token: Int32, score: Float, _ position: Int32, _ word: Int32
    ) {
        let kernel = index.kernels[Int(kernel)]
        take(word, from: kernel.words, instance: instance, token: token, score: score, position)
        let any = kernel.words.upperBound - 1
        if any >= kernel.words.lowerBound, index.wordSteps[Int(any)].word == SALIndex.anyWord, isOpen[Int(position)] {
            take(SALIndex.anyWord, from: kernel.words, instance: instance, token: token, score: score, position)
        }
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
                            path: step.path, next: instances[Int(callee)].waiter))
                    instances[Int(callee)].waiter = Int32(waiters.count - 1)
                }
                call += 1
            }
        }
    }

    private mutating func take(
        _ word: Int32, from words: Range<Int32>, instance: Int32, token: Int32, score: Float, _ position: Int32
    ) {
        var low = index.firstStep(of: word, in: words)
        while low < words.upperBound, index.wordSteps[Int(low)].word == word {
            let step = index.wordSteps[Int(low)]
            add(
                Token(
                    instance: instance, kernel: step.target, score: score + step.score, back: token, path: step.path,
                    inner: -1, next: -1), at: position + 1)
            low += 1
        }
    }

    private mutating func add(_ token: Token, at position: Int32) {
        let instance = Int(token.instance)
        if instances[instance].position != position {
            instances[instance].position = position
            instances[instance].token = -1
            following.append(token.instance)
        }
        if index.kernels[Int(token.kernel)].isJoin {
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
        cuts.append(Cut(score: -.infinity, token: -1))
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
                let score = cuts[Int(instances[Int(instance)].start)].score + end.score
                if score > cuts[Int(position)].score { cuts[Int(position)] = Cut(score: score, token: end.token) }
                continue
            }
            var waiter = instances[Int(instance)].waiter
            while waiter >= 0 {
                let caller = waiters[Int(waiter)]
                add(
                    Token(
                        instance: caller.instance, kernel: caller.kernel, score: caller.score + end.score,
                        back: caller.token, path: caller.path, inner: end.token, next: -1), at: position)
                waiter = caller.next
            }
            for added in following { insert(added, from: head) }
            live.append(contentsOf: following)
            following.removeAll(keepingCapacity: true)
        }
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

    private func bestEnd(of instance: Int32) -> (score: Float, token: Int32)? {
        var best: (score: Float, token: Int32)?
        var token = instances[Int(instance)].token
        while token >= 0 {
            let current = tokens[Int(token)]
            let score = current.score + index.kernels[Int(current.kernel)].endScore
            // Tokens are listed last first; of equals the first one counts.
            if score > -.infinity, score >= best?.score ?? -.infinity { best = (score, token) }
            token = current.next
        }
        return best
    }
}

extension SALIndex {
    /// The first step with the word, or the upper bound.
    func firstStep(of word: Int32, in range: Range<Int32>) -> Int32 {
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = low + (high - low) / 2
            if wordSteps[Int(middle)].word < word { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func canBegin(_ rule: Int, with word: Int32, isOpen: Bool) -> Bool {
        let range = rules[rule].firstWords
        if isOpen, range.lowerBound < range.upperBound, firstWords[Int(range.upperBound) - 1] == Self.anyWord {
            return true
        }
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = low + (high - low) / 2
            if firstWords[Int(middle)] < word { low = middle + 1 } else { high = middle }
        }
        return low < range.upperBound && firstWords[Int(low)] == word
    }
}

/// Token of each instance and kernel at one position. Emptied in constant time.
struct SALTokenMap {
    private var keys: ContiguousArray<UInt64>
    private var values: ContiguousArray<Int32>
    private var stamps: ContiguousArray<UInt32>
    private var stamp: UInt32 = 1
    private var count = 0

    init() {
        keys = ContiguousArray(repeating: 0, count: 64)
        values = ContiguousArray(repeating: 0, count: 64)
        stamps = ContiguousArray(repeating: 0, count: 64)
    }

    mutating func removeAll() {
        count = 0
        if stamp == .max {
            stamp = 0
            for slot in stamps.indices { stamps[slot] = 0 }
        }
        stamp += 1
    }

    /// The value known for a key; -1 if there was none, and then the given one is stored.
    mutating func insert(_ key: UInt64, _ value: Int32) -> Int32 {
        if count * 2 >= keys.count { grow() }
        let mask = keys.count - 1
        var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
        while stamps[slot] == stamp {
            if keys[slot] == key { return values[slot] }
            slot = (slot + 1) & mask
        }
        keys[slot] = key
        values[slot] = value
        stamps[slot] = stamp
        count += 1
        return -1
    }

    private mutating func grow() {
        let old = self
        keys = ContiguousArray(repeating: 0, count: old.keys.count * 2)
        values = ContiguousArray(repeating: 0, count: old.keys.count * 2)
        stamps = ContiguousArray(repeating: 0, count: old.keys.count * 2)
        count = 0
        for slot in old.keys.indices where old.stamps[slot] == old.stamp {
            _ = insert(old.keys[slot], old.values[slot])
        }
    }
}
