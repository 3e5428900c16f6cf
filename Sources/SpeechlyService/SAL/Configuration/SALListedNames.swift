/// Compares the entities and intents that a `config.yaml` lists with those of its templates.
enum SALListedNames {
    static func check(_ input: SALInput, syntax: SALSyntax, report: inout SALReport) {
        let entities = first(syntax) { if case .entity(let name, _) = $0 { name } else { nil } }
        let intents = first(syntax) { if case .intent(let name) = $0, name != "_" { name } else { nil } }
        compare("entity", listed: input.entities.map(\.name), used: entities, in: "entities", &report)
        compare("intent", listed: input.intents, used: intents, in: "intents", &report)
    }

    private static func compare(
        _ what: String, listed: [SALInput.Name], used: [(name: String, offset: Int)], in key: String,
        _ report: inout SALReport
    ) {
        guard !listed.isEmpty else { return }
        let names = Set(listed.map(\.text))
        for item in used where !names.contains(item.name) {
            report.add(.note, at: item.offset, "\(what) '\(item.name)' is not listed in '\(key)'")
        }
        let usedNames = Set(used.map(\.name))
        for name in listed where !usedNames.contains(name.text) {
            report.add(.note, at: name.offset, "\(what) '\(name.text)' is not used in the templates")
        }
    }

    /// The first place of each name.
    private static func first(
        _ syntax: SALSyntax, _ name: (SALSyntax.Kind) -> String?
    ) -> [(name: String, offset: Int)] {
        var seen: Set<String> = []
        return syntax.nodes.compactMap { node in
            guard let name = name(node.kind), seen.insert(name).inserted else { return nil }
            return (name, node.offset)
        }
    }
}
