import Foundation
import SpeechlySync

/// Looks words up in a pronunciation dictionary file (`word PH ON ES`, further ways to say a word
/// as `word(2) …`), without keeping the file in memory.
struct PronunciationDictionary {
    /// Bounds of what is taken over, because the engine's loader checks none.
    static let maximumPronunciations = 8
    static let maximumPhones = 100

    let path: String
    let package: String

    /// The pronunciations of those of the words that the dictionary has, each a list of phones.
    func pronunciations(of words: some Sequence<String>) throws(RecognizerError) -> [String: [[String]]] {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        } catch {
            if let shortage = DescriptorReserve.shortage(of: 1) {
                throw .engineFailed(step: "read \(path): \(shortage)")
            }
            throw .modelMissing(path: path, package: package)
        }
        // Words by length and first byte: most lines are passed over by these two alone.
        var wanted: [Int: [[UInt8]]] = [:]
        for word in words {
            let bytes = Array(word.utf8)
            guard let first = bytes.first else { continue }
            wanted[Self.key(first, bytes.count), default: []].append(bytes)
        }
        var found: [String: [[String]]] = [:]
        data.withUnsafeBytes { file in
            guard let start = file.baseAddress else { return }
            var position = 0
            while position < file.count {
                let line = start + position
                let rest = file.count - position
                let lineLength = memchr(line, newline, rest).map { UnsafeRawPointer($0) - line } ?? rest
                position += lineLength + 1
                guard let space = memchr(line, blank, lineLength) else { continue }
                var length = UnsafeRawPointer(space) - line
                if line.load(fromByteOffset: max(0, length - 1), as: UInt8.self) == UInt8(ascii: ")"),
                    let open = memchr(line + 1, Int32(UInt8(ascii: "(")), max(0, length - 1))
                {
                    length = UnsafeRawPointer(open) - line
                }
                guard length > 0, let candidates = wanted[Self.key(line.load(as: UInt8.self), length)],
                    let word = candidates.first(where: { memcmp($0, line, length) == 0 })
                else { continue }
                let phones = Self.phones(UnsafeRawBufferPointer(start: line, count: lineLength))
                let name = String(decoding: word, as: UTF8.self)
                if let phones, found[name, default: []].count < Self.maximumPronunciations {
                    found[name, default: []].append(phones)
                }
            }
        }
        return found
    }

    private static func key(_ first: UInt8, _ length: Int) -> Int { length << 8 | Int(first) }

    /// The phones of a line, or `nil` if the model does not have them.
    private static func phones(_ line: UnsafeRawBufferPointer) -> [String]? {
        let parts = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace).dropFirst()
        guard !parts.isEmpty, parts.count <= maximumPhones, parts.allSatisfy({ ARPAbet(rawValue: String($0)) != nil })
        else { return nil }
        return parts.map(String.init)
    }
}

private let newline: Int32 = 10
private let blank: Int32 = 32
