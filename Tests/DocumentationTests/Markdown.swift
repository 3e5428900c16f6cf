import Foundation

/// A fenced block of a Markdown file.
struct CodeBlock: CustomStringConvertible {
    /// The file, relative to the repository.
    let file: String
    /// The line of the opening fence, from 1.
    let line: Int
    /// The words after the opening fence.
    let tags: [String]
    let lines: [String]
    /// The heading that it stands under, as written.
    var heading = ""

    var text: String { lines.map { $0 + "\n" }.joined() }
    var description: String { "\(file):\(line)" }
}

/// What is wrong with the form of a Markdown file, with its place.
struct MarkdownError: Error, CustomStringConvertible {
    let description: String
}

enum Markdown {
    /// All fenced blocks of a file. A block without a tag is an error, since nobody could check it, and so is code
    /// that is marked by indentation, which would slip by.
    static func blocks(of file: URL, named name: String) throws -> [CodeBlock] {
        var blocks: [CodeBlock] = []
        var open: (line: Int, tags: [String], lines: [String])?
        var previousIsBlank = true
        var heading = ""
        let text = try String(contentsOf: file, encoding: .utf8)
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            let place = "\(name):\(index + 1)"
            let trimmed = line.drop { $0 == " " }
            if let block = open {
                if trimmed.hasPrefix("```") {
                    blocks.append(
                        CodeBlock(
                            file: name, line: block.line, tags: block.tags, lines: block.lines, heading: heading))
                    open = nil
                } else {
                    open?.lines.append(line)
                }
            } else if trimmed.hasPrefix("```") || trimmed.hasPrefix("~~~") {
                let tags = trimmed.dropFirst(3).split(separator: " ").map(String.init)
                guard line.hasPrefix("```") else {
                    throw MarkdownError(description: "\(place): a fence must be ``` at the start of its line")
                }
                guard !tags.isEmpty else {
                    throw MarkdownError(description: "\(place): the block has no tag that says what it is")
                }
                open = (index + 1, tags, [])
            } else if previousIsBlank, line.hasPrefix("    "), !trimmed.isEmpty {
                throw MarkdownError(description: "\(place): code is marked by a fence, not by indentation")
            }
            if open == nil, line.hasPrefix("#") { heading = line }
            previousIsBlank = trimmed.isEmpty
        }
        if let open { throw MarkdownError(description: "\(name):\(open.line): the block is never closed") }
        return blocks
    }
}
