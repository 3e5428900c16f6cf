/// Reads the arguments of a command by its syntax.
///
/// `--name value`, `--name=value`, `-n value` and `-nvalue` are the same; options and operands may be
/// mixed; `--` makes operands of all that follows; `-` is an operand.
struct ArgumentParser {
    let syntax: CommandSyntax
    let environment: [String: String]

    func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
        var result = ParsedArguments(environment: environment)
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                rest.forEach { result.append(operand: $0) }
                rest = []
            } else if argument.hasPrefix("--") {
                try readLong(argument, &rest, into: &result)
            } else if argument.hasPrefix("-"), argument != "-" {
                try readShort(argument, &rest, into: &result)
            } else {
                result.append(operand: argument)
            }
        }
        if !result.has(CommandSyntax.help) { try checkCount(of: result.operands) }
        return result
    }

    private func readLong(
        _ argument: String, _ rest: inout ArraySlice<String>, into result: inout ParsedArguments
    ) throws(UsageError) {
        let body = argument.dropFirst(2)
        let equals = body.firstIndex(of: "=")
        let name = String(body[..<(equals ?? body.endIndex)])
        guard let option = syntax.allOptions.first(where: { $0.name == name }) else {
            throw UsageError(
                "--\(name)", "unknown option\(suggestion(for: name)); see 'speechly \(syntax.name) --help'")
        }
        let inline = equals.map { String(body[body.index(after: $0)...]) }
        try store(option, spelling: "--\(name)", inline: inline, &rest, into: &result)
    }

    private func readShort(
        _ argument: String, _ rest: inout ArraySlice<String>, into result: inout ParsedArguments
    ) throws(UsageError) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = syntax.allOptions.first(where: { $0.letter == letter }) else {
                throw UsageError("-\(letter)", "unknown option; see 'speechly \(syntax.name) --help'")
            }
            if option.valueName == nil {
                try store(option, spelling: "-\(letter)", inline: nil, &rest, into: &result)
            } else {
                let inline = letters.isEmpty ? nil : String(letters)
                try store(option, spelling: "-\(letter)", inline: inline, &rest, into: &result)
                return
            }
        }
    }

    private func store(
        _ option: Option, spelling: String, inline: String?, _ rest: inout ArraySlice<String>,
        into result: inout ParsedArguments
    ) throws(UsageError) {
        guard let valueName = option.valueName else {
            guard inline == nil else { throw UsageError(spelling, "takes no value") }
            if !result.has(option) { result.append(value: "", for: option) }
            return
        }
        if case .value = option.kind, result.has(option) { throw UsageError(spelling, "given twice") }
        guard let value = inline ?? rest.popFirst(), !value.isEmpty else {
            throw UsageError(spelling, "needs a value: \(spelling) \(valueName)")
        }
        if inline == nil, value.hasPrefix("--") {
            throw UsageError(spelling, "needs a value before '\(value)': \(spelling) \(valueName)")
        }
        result.append(value: value, for: option)
    }

    private func checkCount(of operands: [String]) throws(UsageError) {
        let expected = syntax.operands
        if !expected.mayBeEmpty, let place = operands.firstIndex(where: \.isEmpty) {
            let which = operands.count > 1 ? " \(place + 1)" : ""
            throw UsageError(syntax.name, "\(expected.name)\(which) is empty: \(expected.help)")
        }
        if operands.count < expected.count.lowerBound {
            throw UsageError(syntax.name, "needs \(expected.usage): \(expected.help)")
        }
        if operands.count > expected.count.upperBound {
            let extra = operands[expected.count.upperBound]
            throw UsageError(syntax.name, "unexpected argument '\(extra)'")
        }
    }

    private func suggestion(for name: String) -> String {
        let names = syntax.allOptions.map(\.name)
        return closest(to: name, among: names).map { " (did you mean --\($0)?)" } ?? ""
    }
}

/// The candidate within two edits of a mistyped word, if one is.
func closest(to word: String, among candidates: [String]) -> String? {
    candidates.map { ($0, editDistance(word, $0)) }.filter { $0.1 <= 2 }.min { $0.1 < $1.1 }?.0
}

private func editDistance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, b) in right.enumerated() {
            let substituted = diagonal + (a == b ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
        }
    }
    return row[right.count]
}
