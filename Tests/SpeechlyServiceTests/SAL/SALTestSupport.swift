import XCTest

@testable import SpeechlyService

/// Shorthand for the SAL tests, and exhaustive enumerations to compare the compiler's automata with.
enum SALTest {
    static func compile(_ source: String) throws -> SALConfiguration {
        try SALCompiler.compile(source, file: "test.sal")
    }

    /// Messages of a run, whether it fails or not.
    static func diagnostics(
        _ source: String, limits: SALCompiler.Limits = SALCompiler.Limits()
    ) -> [SALDiagnostic] {
        do {
            let input = SALInput(file: "test.sal", bytes: Array(source.utf8))
            return try SALCompiler.compile(input, limits: limits).diagnostics
        } catch {
            return error.diagnostics
        }
    }

    /// `line:column:LEVEL` of each message.
    static func places(_ source: String) -> [String] {
        diagnostics(source).map { "\($0.line):\($0.column):\($0.level.rawValue)" }
    }

    static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    /// Every expansion as annotated text, with its probability: all paths through the network.
    static func expansions(_ configuration: SALConfiguration) -> [String: Double] {
        let network = configuration.network
        var result: [String: Double] = [:]
        func walk(_ state: Int, _ calls: [(end: Int, next: Int)], _ text: SALAnnotatedText, _ probability: Double) {
            if let call = calls.last, call.end == state {
                return walk(call.next, calls.dropLast(), text, probability)
            }
            if state == network.main.end {
                result[text.text, default: 0] += probability
                return
            }
            for position in configuration.outgoing.range(state) {
                let arc = network.arcs[configuration.outgoing.arcs[position]]
                var next = text
                next.add(arc)
                if case .call(let rule) = arc.label {
                    walk(
                        network.rules[rule].start, calls + [(network.rules[rule].end, arc.to)], next,
                        probability * arc.probability)
                } else {
                    walk(arc.to, calls, next, probability * arc.probability)
                }
            }
        }
        walk(network.main.start, [], SALAnnotatedText(network: network), 1)
        return result
    }

    /// Every word sequence of a flat graph with its probability.
    static func sentences(_ graph: SALGraph) -> [String: Double] {
        var outgoing: [Int: [SALGraph.Arc]] = [:]
        for arc in graph.arcs { outgoing[arc.from, default: []].append(arc) }
        var result: [String: Double] = [:]
        func walk(_ state: Int, _ words: [String], _ probability: Double) {
            if state == graph.finalState { result[words.joined(separator: " "), default: 0] += probability }
            for arc in outgoing[state] ?? [] {
                walk(arc.to, words + (arc.word.map { [$0] } ?? []), probability * arc.probability)
            }
        }
        walk(graph.startState, [], 1)
        return result
    }

    /// Annotated text without its annotation.
    static func plain(_ annotated: String) -> String {
        annotated.replacingOccurrences(of: #"\]\([^)]*\)"#, with: "", options: .regularExpression)
            .replacingOccurrences(of: #"\*[A-Za-z0-9_-]+"#, with: "", options: .regularExpression)
            .replacingOccurrences(of: "[", with: "")
            .split(separator: " ").joined(separator: " ")
    }

    /// Annotated text of segments, in the form the sampler writes.
    static func annotated(_ segments: [SALSegment], _ words: [String]) -> String {
        segments.map { segment in
            var parts = ["*" + (segment.intent.isEmpty ? "_" : segment.intent)]
            var index = segment.words.lowerBound
            while index < segment.words.upperBound {
                let place = index - segment.words.lowerBound
                if let entity = segment.entities.first(where: { $0.start == place }) {
                    parts.append("[\(entity.value)](\(entity.type))")
                    index = segment.words.lowerBound + entity.end
                } else {
                    parts.append(words[index])
                    index += 1
                }
            }
            return parts.joined(separator: " ")
        }.joined(separator: " ")
    }

    static func understood(_ configuration: SALConfiguration, _ text: String) -> String {
        annotated(configuration.understand(words(text)), words(text))
    }

    static func assertEqual(
        _ left: [String: Double], _ right: [String: Double], _ message: String = "", file: StaticString = #filePath,
        line: UInt = #line
    ) {
        XCTAssertEqual(Set(left.keys), Set(right.keys), message, file: file, line: line)
        for (key, value) in left {
            XCTAssertEqual(value, right[key] ?? 0, accuracy: 1e-9, "\(key) \(message)", file: file, line: line)
        }
    }
}

/// The expansions of a syntax tree by the definition of the language: every choice tried in turn, every
/// order of a permutation listed. Shares nothing with the compiler behind the parser.
struct SALOracle {
    private let syntax: SALSyntax
    private var variables: [String: SALSyntax.NodeID] = [:]
    private typealias Expansion = (tokens: [String], probability: Double)

    static func expansions(_ source: String) -> [String: Double] {
        var text = SALSource()
        let range = text.append(file: "oracle", bytes: Array(source.utf8))
        var parser = SALParser(source: text)
        parser.parse(range)
        var oracle = SALOracle(syntax: parser.syntax)
        var result: [String: Double] = [:]
        var lines: [SALSyntax.NodeID] = []
        for statement in parser.syntax.statements {
            switch statement {
            case .definition(let name, _, let value, _): oracle.variables[name] = value
            case .utterance(_, let node): lines.append(node)
            }
        }
        for line in lines {
            for expansion in oracle.expand(line) where expansion.probability > 0 {
                result[write(expansion.tokens), default: 0] += expansion.probability / Double(lines.count)
            }
        }
        return result
    }

    private init(syntax: SALSyntax) {
        self.syntax = syntax
    }

    private static func write(_ tokens: [String]) -> String {
        tokens.joined(separator: " ").replacingOccurrences(of: "[ ", with: "[")
            .replacingOccurrences(of: " ](", with: "](")
    }

    private func expand(_ node: SALSyntax.NodeID) -> [Expansion] {
        switch syntax.nodes[node].kind {
        case .word(let text): return [(SALWords.normalized(text).isEmpty ? [] : [text], 1)]
        case .intent(let name): return [(["*" + name], 1)]
        case .broken, .anyWord: return []
        case .variable(let name): return variables[name].map(expand) ?? []
        case .range(let first, let last):
            return (first...last).map { (SALNumbers.spoken($0), 1 / Double(last - first + 1)) }
        case .sequence(let elements): return chain(elements.map(\.node))
        case .choice(let items):
            let sum = items.reduce(0) { $0 + $1.weight }
            return items.flatMap { item in
                expand(item.node).map { ($0.tokens, $0.probability * item.weight / sum) }
            }
        case .optional(let probability, let inner):
            return expand(inner).map { ($0.tokens, $0.probability * probability) } + [([], 1 - probability)]
        case .entity(let name, let inner):
            return expand(inner).map { (["["] + $0.tokens + ["](\(name))"], $0.probability) }
        case .permutation(let items):
            let orders = SALOracle.orders(items)
            return orders.flatMap { order in
                chain(order).map { ($0.tokens, $0.probability / Double(orders.count)) }
            }
        }
    }

    private func chain(_ nodes: [SALSyntax.NodeID]) -> [Expansion] {
        nodes.reduce([([], 1)]) { result, node in
            let next = expand(node)
            return result.flatMap { first in
                next.map { (first.tokens + $0.tokens, first.probability * $0.probability) }
            }
        }
    }

    private static func orders(_ items: [SALSyntax.NodeID]) -> [[SALSyntax.NodeID]] {
        if items.count < 2 { return [items] }
        return items.indices.flatMap { index in
            var rest = items
            let first = rest.remove(at: index)
            return orders(rest).map { [first] + $0 }
        }
    }
}
