/// A random number generator with a seed (SplitMix64): the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

/// Makes random messages of a schema, with values at the edges of what fields can hold.
struct TreeGenerator {
    let schema: Schema
    var random: SeededGenerator

    private static let strings = [
        "", "a", "it's", "fifteen bytes!!", "sixteen bytes!!!", "größe", "日本語", "😀", "naïve café",
        String(repeating: "x", count: 127), String(repeating: "ü", count: 64), String(repeating: "y", count: 300),
    ]
    private static let integers: [Int64] = [
        0, 1, 127, 128, 16383, 16384, 2_097_151, 2_097_152, -1, -300, Int64(Int32.max), Int64(Int32.min),
    ]

    mutating func message(_ name: String, depth: Int = 0) throws -> [String: Tree] {
        var result: [String: Tree] = [:]
        let message = try schema.message(name)
        let oneofs = Dictionary(grouping: message.fields.filter { $0.oneof != nil }) { $0.oneof }
        let chosen = Set(
            oneofs.keys.map { $0 ?? "" }.sorted().compactMap { oneofs[$0]?.randomElement(using: &random)?.name })
        for field in message.fields {
            if field.oneof != nil, !chosen.contains(field.name) { continue }
            if Int.random(in: 0..<5, using: &random) == 0 { continue }
            if field.isRepeated {
                let count = Int.random(in: 0..<5, using: &random)
                let elements = try (0..<count).map { _ in try value(field, depth: depth) }
                if !elements.isEmpty { result[field.name] = .list(elements) }
            } else {
                let value = try value(field, depth: depth)
                if !value.isDefault || field.oneof != nil { result[field.name] = value }
            }
        }
        return result
    }

    private mutating func value(_ field: Schema.Field, depth: Int) throws -> Tree {
        switch field.kind {
        case .int32: return .integer(integer())
        case .int64:
            return .integer(Bool.random(using: &random) ? integer() : Int64.random(in: .min ... .max, using: &random))
        case .uint32: return .unsigned(UInt64(UInt32(truncatingIfNeeded: integer())))
        case .uint64: return .unsigned(UInt64(bitPattern: integer()))
        case .enumeration: return .integer(Int64.random(in: 0...3, using: &random))
        case .string: return .string(Self.strings.randomElement(using: &random) ?? "")
        case .bytes:
            return .bytes(
                (0..<Int.random(in: 0..<400, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
        case .message(let name): return .message(try message(name, depth: depth + 1))
        }
    }

    private mutating func integer() -> Int64 {
        Bool.random(using: &random)
            ? Self.integers.randomElement(using: &random) ?? 0 : Int64(Int32.random(in: .min ... .max, using: &random))
    }
}
