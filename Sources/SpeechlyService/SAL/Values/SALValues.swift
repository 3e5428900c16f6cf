/// Turns the spoken words of entities into values, each by the data type of its entity.
struct SALValues: Sendable {
    private enum Rule: Sendable {
        case type(SALDataType)
        case table([String: String])
    }

    /// By the index of the entity.
    private let rules: [Rule]
    /// By the name of the entity: what the configuration lists.
    let types: [String: SALDataType]

    init(network: SALNetwork, declared: [SALInput.Entity], tables: [String: [String: String]]) {
        let types = Dictionary(declared.map { ($0.name.text, $0.type) }, uniquingKeysWith: { first, _ in first })
        rules = network.entities.map { name in
            if let table = tables[name] { return .table(table) }
            return .type(types[name] ?? .string)
        }
        self.types = types
    }

    /// The value for words as they are compared; nil where the words themselves are the value.
    func value(of entity: Int, words: [String], at moment: SALMoment?) -> String? {
        switch rules[entity] {
        case .table(let table): table[words.joined(separator: " ")]
        case .type(let type): SALValueReader.value(type, words: words, at: moment)
        }
    }
}
