/// Makes the tables of lookup entities: spoken words to results, row by row.
struct SALLookupBuilder {
    private let input: SALInput
    /// The items of imported variables; nil for an empty cell.
    var rows: [String: [SALSyntax.NodeID?]] = [:]

    /// Most ways to say the synonyms of all tables.
    static let maximumEntries = 500_000

    init(input: SALInput) {
        self.input = input
    }

    /// The variables that lookups name.
    var variables: Set<String> {
        Set(input.entities.flatMap { [$0.inputs?.text, $0.outputs?.text].compactMap { $0 } })
    }

    /// Tables by the name of the entity. Keys are words as they are compared, joined by blanks.
    func build(checked: SALChecker, report: inout SALReport) -> [String: [String: String]] {
        var tables: [String: [String: String]] = [:]
        var room = Self.maximumEntries
        for entity in input.entities {
            guard let inputs = entity.inputs, let outputs = entity.outputs,
                let synonyms = items(inputs, checked, &report), let results = results(outputs, checked, &report)
            else { continue }
            guard synonyms.count == results.count else {
                report.error(
                    at: entity.name.offset,
                    "the lists of lookup '\(entity.name.text)' differ: \(synonyms.count) synonyms, "
                        + "\(results.count) results",
                    hint: "the first synonym means the first result, and so on")
                continue
            }
            let joining = SALJoining(
                syntax: checked.syntax, values: checked.values, intent: { _ in 0 }, entity: { _ in 0 })
            var table: [String: String] = [:]
            for (synonym, result) in zip(synonyms, results) {
                guard let synonym, !result.isEmpty else { continue }
                guard let expansions = joining.expand(synonym), expansions.count <= room else {
                    report.error(
                        at: checked.syntax.nodes[synonym].offset, "too many ways to say the words of a lookup",
                        hint: "at most \(Self.maximumEntries) in all")
                    break
                }
                room -= expansions.count
                for expansion in expansions {
                    let key = Self.key(expansion.pieces)
                    if !key.isEmpty, table[key] == nil { table[key] = result }
                }
            }
            tables[entity.name.text] = table
        }
        return tables
    }

    private static func key(_ pieces: [SALJoining.Piece]) -> String {
        pieces.flatMap { piece in
            if case .word(let text) = piece { SALWords.normalized(text) } else { [] as [String] }
        }.joined(separator: " ")
    }

    private func items(
        _ name: SALInput.Name, _ checked: SALChecker, _ report: inout SALReport
    ) -> [SALSyntax.NodeID?]? {
        if let items = rows[name.text] { return items }
        guard let root = checked.defined[name.text] else {
            // Of a variable that is broken there is a message already.
            if report.errorCount == 0 {
                report.error(at: name.offset, "variable '$\(name.text)' is not defined")
            }
            return nil
        }
        if case .choice(let items) = checked.syntax.nodes[root].kind { return items.map(\.node) }
        return [root]
    }

    private func results(
        _ name: SALInput.Name, _ checked: SALChecker, _ report: inout SALReport
    ) -> [String]? {
        if let item = input.imports.first(where: { $0.name.text == name.text }) {
            return item.cells.map(input.source.text)
        }
        guard let items = items(name, checked, &report) else { return nil }
        var results: [String] = []
        for case let item? in items {
            guard let words = plainWords(item, checked.syntax) else {
                report.error(
                    at: checked.syntax.nodes[item].offset, "a result of a lookup is plain words",
                    hint: "write each result out, without brackets")
                return nil
            }
            results.append(words)
        }
        return results
    }

    private func plainWords(_ node: SALSyntax.NodeID, _ syntax: SALSyntax) -> String? {
        switch syntax.nodes[node].kind {
        case .word(let text): return text
        case .sequence(let elements):
            var text = ""
            for element in elements {
                guard case .word(let word) = syntax.nodes[element.node].kind else { return nil }
                text += (text.isEmpty || element.joined ? "" : " ") + word
            }
            return text
        default: return nil
        }
    }
}
