/// The syntax tree of a configuration. Nodes live in one array and name each other by index, so that a
/// tree of any shape is built, walked and freed without recursion, and a node has an identity.
struct SALSyntax {
    typealias NodeID = Int

    struct Element {
        var node: NodeID
        /// No white space stands between it and the element before.
        var joined: Bool
    }

    struct Item {
        var weight: Double
        var node: NodeID
    }

    enum Kind {
        case word(String)
        case sequence([Element])
        case choice([Item])
        /// Integers, both ends included.
        case range(Int, Int)
        case permutation([NodeID])
        case optional(probability: Double, NodeID)
        case entity(name: String, NodeID)
        /// A mark within a sequence: what follows belongs to this intent.
        case intent(String)
        case variable(String)
        /// Any one word, beside the items of the list it stands in. Only in the standard variables.
        case anyWord
        /// Something an error was reported for.
        case broken
    }

    struct Node {
        var kind: Kind
        /// Byte offset of its first character.
        var offset: Int
    }

    enum Statement {
        /// `isOwn`: written among the templates, not imported or standard.
        case definition(name: String, offset: Int, value: NodeID, isOwn: Bool)
        case utterance(offset: Int, NodeID)
    }

    private(set) var nodes: [Node] = []
    var statements: [Statement] = []
    /// Variables whose definition could not be parsed: using them is no further error.
    var brokenNames: Set<String> = []

    mutating func add(_ kind: Kind, at offset: Int) -> NodeID {
        nodes.append(Node(kind: kind, offset: offset))
        return nodes.count - 1
    }
}
