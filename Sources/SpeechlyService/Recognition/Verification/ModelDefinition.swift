import Foundation

/// Which phones an acoustic model has, and of which senones each consists between which others.
struct ModelDefinition: Sendable {
    /// Where in its word a phone stands.
    enum Place: Int, CaseIterable {
        case inside = 0
        case begin, end, alone
    }

    let phoneNames: [String]
    let numbers: [String: Int]
    let silence: Int
    let senones: Int
    private let data: Data
    private let tree: Int
    private let treeCount: Int
    private let phones: Int
    private let phoneCount: Int
    private let sequences: [Int]

    init(path: String) throws(RecognizerError) {
        let data = try ModelFile.data(path)
        let failure = RecognizerError.engineFailed(step: "use \(path)")
        guard data.prefix(4) == Data("BMDF".utf8), let text = ModelFile.int32(data, 8), text >= 0 else { throw failure }
        var position = 12 + text
        let numbers = (0..<10).map { ModelFile.int32(data, position + 4 * $0) ?? -1 }
        position += 40
        guard numbers.allSatisfy({ (0...10_000_000).contains($0) }), numbers[2] == AcousticModel.states,
            numbers[7] == 3,
            numbers[9] < numbers[0]
        else { throw failure }
        var names: [String] = []
        for _ in 0..<numbers[0] {
            guard position < data.count, let end = data[position...].firstIndex(of: 0) else { throw failure }
            names.append(String(decoding: data[position..<end], as: UTF8.self))
            position = end + 1
        }
        position = (position + 3) & ~3
        tree = position
        treeCount = numbers[8]
        phones = tree + 8 * treeCount
        phoneCount = numbers[1]
        position = phones + 12 * phoneCount
        guard let count = ModelFile.int32(data, position), count == numbers[6] * AcousticModel.states,
            position + 4 + 2 * count <= data.count, names.count <= phoneCount
        else { throw failure }
        sequences = data.withUnsafeBytes { bytes in
            (0..<count).map {
                Int(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: position + 4 + 2 * $0, as: Int16.self)))
            }
        }
        guard sequences.allSatisfy({ (0..<numbers[4]).contains($0) }) else { throw failure }
        phoneNames = names
        self.numbers = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
        silence = numbers[9]
        senones = numbers[4]
        self.data = data
    }

    func senones(of phone: Int) -> ArraySlice<Int> { sequence(ofEntry: phone) }

    /// The senones of a phone between others; of the phone by itself if the model has none for that.
    func senones(of phone: Int, left: Int, right: Int, place: Place) -> ArraySlice<Int> {
        for place in [place] + Place.allCases {
            if let entry = entry([place.rawValue, phone, left, right]) { return sequence(ofEntry: entry) }
        }
        return entry([place.rawValue, phone, silence, silence]).map(sequence) ?? senones(of: phone)
    }

    private func entry(_ path: [Int]) -> Int? {
        var first = 0
        var count = Place.allCases.count
        for (depth, wanted) in path.enumerated() {
            guard let node = (first..<first + count).first(where: { field($0, 0) == wanted }) else { return nil }
            count = max(0, field(node, 2))
            guard let below = ModelFile.int32(data, tree + 8 * node + 4), below >= 0 else { return nil }
            if count == 0 { return depth == path.count - 1 && below < phoneCount ? below : nil }
            guard below + count <= treeCount else { return nil }
            first = below
        }
        return nil
    }

    private func field(_ node: Int, _ offset: Int) -> Int {
        guard node < treeCount else { return -1 }
        return data.withUnsafeBytes {
            Int(Int16(littleEndian: $0.loadUnaligned(fromByteOffset: tree + 8 * node + offset, as: Int16.self)))
        }
    }

    private func sequence(ofEntry entry: Int) -> ArraySlice<Int> {
        let number = ModelFile.int32(data, phones + 12 * entry) ?? -1
        let start = number * AcousticModel.states
        guard number >= 0, start + AcousticModel.states <= sequences.count else { return [] }
        return sequences[start..<start + AcousticModel.states]
    }
}
