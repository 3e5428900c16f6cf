/// The arguments of one command after parsing.
struct ParsedArguments: Sendable {
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]
    private let environment: [String: String]

    init(environment: [String: String]) {
        self.environment = environment
    }

    mutating func append(operand: String) { operands.append(operand) }
    mutating func append(value: String, for option: Option) { values[option.name, default: []].append(value) }

    /// Whether a flag was given, or an option has a value on the command line.
    func has(_ option: Option) -> Bool { values[option.name] != nil }

    /// The values given on the command line, in order.
    func list(_ option: Option) -> [String] { values[option.name] ?? [] }

    /// The value given on the command line, else in the environment; empty variables count as absent.
    func value(_ option: Option) -> String? {
        if let given = values[option.name]?.last { return given }
        return environmentValue(option)
    }

    /// The value the environment gives an option, whatever the command line says.
    func environmentValue(_ option: Option) -> String? {
        guard let variable = option.environment, let value = environment[variable], !value.isEmpty else { return nil }
        return value
    }

    /// Where a value came from, for messages: the option's spelling or the variable's name.
    func origin(of option: Option) -> String {
        has(option) ? option.spelling : (option.environment ?? option.spelling)
    }
}
