/// From the result of a search back to marks and words in order.
struct SALTrace {
    enum Event {
        case mark(SALMark)
        case word
        /// A word that has no place in the derivation.
        case extra
        /// A word that is meant instead of the one said, by its index.
        case corrected(Int32)
    }

    private enum Pending {
        /// A token, and which member of its kernel is meant.
        case token(Int32, member: Int32)
        case path(Int32)
    }

    private let search: SALSearch
    private var reversed: [Event] = []

    init(_ search: SALSearch) {
        self.search = search
    }

    /// The events of the best cover by whole lines, or nil if there is none.
    static func complete(_ search: SALSearch) -> [Event]? {
        guard let last = search.cuts.last, search.cuts.count == search.words.count + 1, last.score > -.infinity
        else { return nil }
        var trace = SALTrace(search)
        trace.appendLines(before: search.words.count)
        return trace.reversed.reversed()
    }

    /// The events of the best derivation that may still go on, or nil if there is none.
    static func partial(_ search: SALSearch) -> [Event]? {
        guard search.cuts.count == search.words.count + 1 else { return nil }
        var trace = SALTrace(search)
        var best: (score: Float, instance: Int32, token: Int32)?
        var outside: [Int32: (score: Float, waiter: Int32)] = [:]
        for instance in search.live {
            let before = trace.bestOutside(instance, &outside).score
            var token = search.instances[Int(instance)].token
            while token >= 0 {
                let current = search.tokens[Int(token)]
                // Tokens are listed last first; of equals the first one counts.
                if before + current.score >= best?.score ?? -.infinity {
                    best = (before + current.score, instance, token)
                }
                token = current.next
            }
        }
        guard var place = best else { return nil }
        trace.append(place.token, member: trace.bestMember(search.tokens[Int(place.token)].kernel))
        while let waiter = outside[place.instance]?.waiter, waiter >= 0 {
            let caller = search.waiters[Int(waiter)]
            let origin = search.index.origins[Int(caller.origins + trace.bestMember(caller.kernel))]
            trace.appendPath(origin.path)
            trace.append(caller.token, member: origin.member)
            place.instance = caller.instance
        }
        trace.appendLines(before: Int(search.instances[Int(place.instance)].start))
        return trace.reversed.reversed()
    }

    /// The best score outside an instance up to its start, and the caller it comes from. The recursion is
    /// as deep as calls nest.
    private func bestOutside(
        _ instance: Int32, _ known: inout [Int32: (score: Float, waiter: Int32)]
    ) -> (score: Float, waiter: Int32) {
        if let result = known[instance] { return result }
        var result: (score: Float, waiter: Int32) = (-.infinity, -1)
        if search.isMain(instance) {
            result.score = search.cuts[Int(search.instances[Int(instance)].start)].score
        }
        var waiter = search.instances[Int(instance)].waiter
        while waiter >= 0 {
            let caller = search.waiters[Int(waiter)]
            let score = bestOutside(caller.instance, &known).score + caller.score
            if score >= result.score { result = (score, waiter) }
            waiter = caller.next
        }
        known[instance] = result
        return result
    }

    private func bestMember(_ kernel: Int32) -> Int32 { search.index.kernels[Int(kernel)].bestMember }

    private mutating func appendLines(before position: Int) {
        var position = position
        while position > 0 {
            let token = search.cuts[position].token
            guard token != SALSearch.Kind.extra else {
                reversed.append(.extra)
                position -= 1
                continue
            }
            let last = search.tokens[Int(token)]
            let kernel = search.index.kernels[Int(last.kernel)]
            appendPath(kernel.endPath)
            append(token, member: kernel.endMember)
            position = Int(search.instances[Int(last.instance)].start)
        }
    }

    private mutating func appendPath(_ path: Int32) {
        var path = path
        while path != 0 {
            let step = search.index.paths[Int(path)]
            reversed.append(.mark(step.mark))
            path = step.parent
        }
    }

    /// From a token back to the start of its instance, called instances included.
    private mutating func append(_ token: Int32, member: Int32) {
        var stack: [Pending] = [.token(token, member: member)]
        while let pending = stack.popLast() {
            switch pending {
            case .path(let path): appendPath(path)
            case .token(let token, let member):
                guard token >= 0 else { continue }
                let current = search.tokens[Int(token)]
                var origin = SALIndex.Origin(member: member, path: 0)
                if current.origins >= 0 { origin = search.index.origins[Int(current.origins + member)] }
                stack.append(.token(current.back, member: origin.member))
                stack.append(.path(origin.path))
                switch current.inner {
                case SALSearch.Kind.word: reversed.append(.word)
                case SALSearch.Kind.extra: reversed.append(.extra)
                case SALSearch.Kind.missing: break
                case ...SALSearch.Kind.corrected:
                    let number = Int(SALSearch.Kind.corrected - current.inner)
                    reversed.append(.corrected(search.edits.flat[number].word))
                default:
                    let kernel = search.index.kernels[Int(search.tokens[Int(current.inner)].kernel)]
                    appendPath(kernel.endPath)
                    stack.append(.token(current.inner, member: kernel.endMember))
                }
            }
        }
    }
}

extension SALSearch {
    func isMain(_ instance: Int32) -> Bool { instances[Int(instance)].rule == Int32(index.rules.count - 1) }
}
