/// Words written without a blank between them: `{un}lock`, `[shoe | hat]s`, `$name's`.
///
/// What is said is one word, so such a run of elements cannot be a chain of arcs; its expansions are
/// listed instead. A word of which a part belongs to an entity belongs to it as a whole.
struct SALJoining {
    enum Piece {
        case word(String)
        case mark(SALMark)
    }

    struct Expansion {
        var weight: Double
        var pieces: [Piece]
    }

    let syntax: SALSyntax
    let values: [Int: SALSyntax.NodeID]
    /// Turn names into the indices marks hold.
    let intent: (String) -> Int
    let entity: (String) -> Int

    /// Most pieces of a run, over all its expansions.
    static let maximumPieces = 100_000

    /// Whether two neighbours without a blank between them make one word.
    static func joins(_ left: SALSyntax.NodeID, _ right: SALSyntax.NodeID, in syntax: SALSyntax) -> Bool {
        switch (syntax.nodes[left].kind, syntax.nodes[right].kind) {
        case (.intent, _), (_, .intent), (.entity, .entity): return false
        case (.word(let text), _) where SALWords.normalized(text).isEmpty: return false
        case (_, .word(let text)) where SALWords.normalized(text).isEmpty: return false
        default: return true
        }
    }

    /// The elements of a sequence in runs, each of one element or of several that make words together.
    static func runs(_ elements: [SALSyntax.Element], in syntax: SALSyntax) -> [ArraySlice<SALSyntax.Element>] {
        var runs: [ArraySlice<SALSyntax.Element>] = []
        var start = 0
        for index in elements.indices.dropFirst() {
            let joined = elements[index].joined && joins(elements[index - 1].node, elements[index].node, in: syntax)
            if !joined {
                runs.append(elements[start..<index])
                start = index
            }
        }
        runs.append(elements[start...])
        return runs
    }

    /// All expansions of a run, or nil if there are too many.
    func expand(run: ArraySlice<SALSyntax.Element>) -> [Expansion]? {
        var result = [Expansion(weight: 1, pieces: [])]
        for element in run {
            guard let next = expand(element.node), let product = multiply(result, next, joined: true) else {
                return nil
            }
            result = product
        }
        return result
    }

    /// All expansions of a node, or nil if there are too many.
    func expand(_ node: SALSyntax.NodeID) -> [Expansion]? {
        switch syntax.nodes[node].kind {
        case .word(let text):
            return [Expansion(weight: 1, pieces: [.word(text)])]
        case .intent(let name):
            return [Expansion(weight: 1, pieces: [.mark(.intent(intent(name)))])]
        case .variable:
            return values[node].flatMap(expand) ?? []
        case .range(let first, let last):
            guard last - first < Self.maximumPieces / 8 else { return nil }
            return (first...last).map { number in
                Expansion(
                    weight: 1 / Double(last - first + 1), pieces: SALNumbers.spoken(number).map { .word($0) })
            }
        case .optional(let probability, let inner):
            guard let present = expand(inner) else { return nil }
            let absent = probability < 1 ? [Expansion(weight: 1 - probability, pieces: [])] : []
            return (probability > 0 ? scaled(present, by: probability) : []) + absent
        case .entity(let name, let inner):
            guard let value = expand(inner) else { return nil }
            let index = entity(name)
            return value.map {
                Expansion(
                    weight: $0.weight,
                    pieces: [.mark(.openEntity(index))] + $0.pieces + [.mark(.closeEntity(index))])
            }
        case .sequence(let elements):
            var result = [Expansion(weight: 1, pieces: [])]
            for run in SALJoining.runs(elements, in: syntax) {
                guard let next = expand(run: run), let product = multiply(result, next, joined: false) else {
                    return nil
                }
                result = product
            }
            return result
        case .choice(let items):
            let sum = items.reduce(0) { $0 + $1.weight }
            var result: [Expansion] = []
            for item in items where item.weight > 0 {
                guard let next = expand(item.node) else { return nil }
                result += scaled(next, by: item.weight / sum)
                guard count(result) <= Self.maximumPieces else { return nil }
            }
            return result
        case .permutation(let items):
            return expandPermutation(items)
        case .broken, .anyWord:
            return []
        }
    }

    private func expandPermutation(_ items: [SALSyntax.NodeID]) -> [Expansion]? {
        guard items.count <= 6 else { return nil }
        var result: [Expansion] = []
        for (index, item) in items.enumerated() {
            var others = items
            others.remove(at: index)
            guard let first = expand(item), let rest = others.isEmpty ? [] : expandPermutation(others) else {
                return nil
            }
            guard let product = others.isEmpty ? first : multiply(first, rest, joined: false) else { return nil }
            result += scaled(product, by: 1 / Double(items.count))
        }
        return count(result) <= Self.maximumPieces ? result : nil
    }

    private func scaled(_ expansions: [Expansion], by factor: Double) -> [Expansion] {
        expansions.map { Expansion(weight: $0.weight * factor, pieces: $0.pieces) }
    }

    private func count(_ expansions: [Expansion]) -> Int {
        expansions.reduce(0) { $0 + $1.pieces.count + 1 }
    }

    private func multiply(_ left: [Expansion], _ right: [Expansion], joined: Bool) -> [Expansion]? {
        let (size, overflow) = count(left).multipliedReportingOverflow(by: count(right))
        guard !overflow, size <= Self.maximumPieces * 4 else { return nil }
        return left.flatMap { first in
            right.map { second in
                Expansion(
                    weight: first.weight * second.weight,
                    pieces: joined ? join(first.pieces, second.pieces) : first.pieces + second.pieces)
            }
        }
    }

    /// The last word of one and the first of the other become one, unless an intent begins or one entity
    /// ends and another begins between them.
    private func join(_ left: [Piece], _ right: [Piece]) -> [Piece] {
        var closing: [Piece] = []
        var opening: [Piece] = []
        var head = left[...]
        var tail = right[...]
        while case .mark(let mark)? = head.last {
            if case .intent = mark { return left + right }
            closing.insert(.mark(mark), at: 0)
            head.removeLast()
        }
        while case .mark(let mark)? = tail.first {
            if case .intent = mark { return left + right }
            opening.append(.mark(mark))
            tail.removeFirst()
        }
        guard opening.isEmpty || closing.isEmpty, case .word(let first)? = head.last,
            case .word(let second)? = tail.first
        else { return left + right }
        return Array(head.dropLast()) + opening + [.word(first + second)] + closing + Array(tail.dropFirst())
    }
}
