/// One option of a command: what the parser accepts and what the help says.
struct Option: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// Present or absent.
        case flag
        /// Takes one value; a second one is an error. The text names the value in the help.
        case value(String)
        /// Takes a value each time it is given.
        case list(String)
    }

    /// The long name without its dashes.
    let name: String
    /// The one-letter form without its dash.
    let letter: Character?
    let kind: Kind
    /// An environment variable that gives the value where the option is absent.
    let environment: String?
    let help: String

    init(_ name: String, letter: Character? = nil, _ kind: Kind, environment: String? = nil, help: String) {
        self.name = name
        self.letter = letter
        self.kind = kind
        self.environment = environment
        self.help = help
    }

    /// How the option is written in messages: `--name`.
    var spelling: String { "--\(name)" }

    /// The name of the value, or nil for a flag.
    var valueName: String? {
        switch kind {
        case .flag: nil
        case .value(let name), .list(let name): name
        }
    }
}

/// The operands of a command: what follows the options.
struct Operands: Hashable, Sendable {
    let name: String
    /// How many are accepted.
    let count: ClosedRange<Int>
    let help: String
    /// Whether the empty text is one. No file has an empty name.
    var mayBeEmpty = false

    static let none = Operands(name: "", count: 0...0, help: "")

    /// As usage lines write it: `FILE`, `FILE…`, `[FILE]`.
    var usage: String {
        guard count.upperBound > 0 else { return "" }
        let repeated = count.upperBound > 1 ? "\(name)…" : name
        return count.lowerBound == 0 ? "[\(repeated)]" : repeated
    }
}
