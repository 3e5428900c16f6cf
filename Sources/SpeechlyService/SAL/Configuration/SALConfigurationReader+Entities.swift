/// Entities and imports.
extension SALConfigurationReader {
    mutating func readEntities(_ value: YAMLNode) {
        var seen: Set<String> = []
        for item in items(value, of: "entities") {
            guard let entity = readEntity(item) else { continue }
            if seen.insert(entity.name.text).inserted {
                input.entities.append(entity)
            } else {
                input.error(at: entity.name.offset, "entity '\(entity.name.text)' is listed twice")
            }
        }
    }

    private mutating func readEntity(_ item: YAMLNode) -> SALInput.Entity? {
        guard let fields = fields(item, known: ["name", "type", "input_items", "output_items"], of: "an entity"),
            let name = fields["name"], let text = scalar(name, of: "name")
        else { return nil }
        var entity = SALInput.Entity(
            name: SALInput.Name(text: text, offset: name.range.lowerBound), type: .string, inputs: nil, outputs: nil)
        if let type = fields["type"], !type.isNull {
            if let known = type.text.flatMap(SALDataType.init(name:)) {
                entity.type = known
            } else {
                input.warn(
                    at: type.range.lowerBound, "unknown type '\(shown(type))': its values stay as spoken",
                    hint: "types are " + SALDataType.allCases.map(\.rawValue).joined(separator: ", "))
            }
        }
        guard entity.type == .lookup else { return entity }
        entity.inputs = variable(fields["input_items"], "input_items", of: item)
        entity.outputs = variable(fields["output_items"], "output_items", of: item)
        return entity
    }

    private mutating func variable(_ value: YAMLNode?, _ key: String, of item: YAMLNode) -> SALInput.Name? {
        guard let value, let text = value.text, text.hasPrefix("$"), text.count > 1 else {
            input.error(
                at: (value ?? item).range.lowerBound, "a lookup needs \(key)",
                hint: "name the list: \(key): $variable")
            return nil
        }
        return SALInput.Name(text: String(text.dropFirst()), offset: value.range.lowerBound)
    }

    mutating func readImports(_ value: YAMLNode) {
        let results = Set(input.entities.compactMap(\.outputs?.text))
        let synonyms = Set(input.entities.compactMap(\.inputs?.text))
        for item in items(value, of: "imports") {
            guard let fields = fields(item, known: ["name", "source", "field"], of: "an import"),
                let nameNode = fields["name"], let name = scalar(nameNode, of: "name")
            else { continue }
            guard name.utf8.allSatisfy(Ascii.isName), let first = name.utf8.first, !Ascii.isDigit(first),
                first != Ascii.hyphen, name.utf8.last != Ascii.hyphen
            else {
                input.error(
                    at: nameNode.range.lowerBound, "bad variable name '\(shown(nameNode))'",
                    hint: "a name begins with a letter or '_' and holds letters, digits, '_' and '-'")
                continue
            }
            let offset = nameNode.range.lowerBound
            let cells = column(fields, of: item)
            if let cells, cells.allSatisfy(\.isEmpty) {
                input.error(at: offset, "the import '\(name)' has no words", hint: "its column is empty")
            }
            input.imports.append(
                SALInput.Import(
                    name: SALInput.Name(text: name, offset: offset), cells: cells ?? [],
                    isPlain: results.contains(name) && !synonyms.contains(name)))
        }
    }

    /// The cells of the column that an import names; nil after an error.
    private mutating func column(_ fields: [String: YAMLNode], of item: YAMLNode) -> [Range<Int>]? {
        guard let source = fields["source"], let file = scalar(source, of: "source") else {
            if fields["source"] == nil {
                input.error(at: item.range.lowerBound, "an import needs a source", hint: "source: words.csv")
            }
            return nil
        }
        var number = 1
        if let field = fields["field"] {
            guard let text = field.text, let value = Int(text), value >= 1 else {
                input.error(
                    at: field.range.lowerBound, "field is '\(shown(field))'", hint: "columns count from 1")
                return nil
            }
            number = value
        }
        guard let rows = rows(file, at: source.range.lowerBound) else { return nil }
        var cells: [Range<Int>] = []
        for row in rows {
            guard number <= row.cells.count else {
                input.error(
                    at: row.offset,
                    "the row has \(row.cells.count == 1 ? "1 column" : "\(row.cells.count) columns"), "
                        + "not \(number)", hint: "the import of column \(number) needs it in every row")
                continue
            }
            let cell = row.cells[number - 1]
            cells.append(
                cell.isEscaped
                    ? input.source.append(
                        CSVReader.unescaped(input.source.bytes[cell.range]), shownAt: cell.range.lowerBound)
                    : cell.range)
        }
        return cells
    }

    private mutating func rows(_ file: String, at offset: Int) -> [CSVReader.Row]? {
        if let known = tables[file] { return known }
        let rows = readRows(file, at: offset)
        tables[file] = .some(rows)
        return rows
    }

    private mutating func readRows(_ file: String, at offset: Int) -> [CSVReader.Row]? {
        guard !file.contains("/"), !file.contains("\0"), file != ".." else {
            input.error(
                at: offset, "source '\(file.prefix(40))' is not the name of a file",
                hint: "imported files are in the folder of the configuration")
            return nil
        }
        let bytes: [UInt8]
        switch readFile(file) {
        case .success(let read): bytes = read
        case .failure(let problem):
            input.error(at: offset, "cannot read '\(file.prefix(40))': \(problem.reason)")
            return nil
        }
        let range = input.source.append(file: folder + file, bytes: bytes)
        guard !input.isTooLarge else { return nil }
        do {
            return try CSVReader.rows(input.source.bytes, in: range)
        } catch {
            input.error(at: error.offset, error.message, hint: "a '\"' within quotes is written twice")
            return nil
        }
    }

    /// The values of a mapping by their keys; unknown keys are warned of.
    private mutating func fields(_ item: YAMLNode, known: [String], of what: String) -> [String: YAMLNode]? {
        guard case .mapping(let entries) = item.kind else {
            input.error(at: item.range.lowerBound, "\(what) is not written with keys", hint: "- name: …")
            return nil
        }
        var result: [String: YAMLNode] = [:]
        for entry in distinct(entries) {
            guard let key = entry.key.text, known.contains(key) else {
                input.warn(
                    at: entry.key.range.lowerBound, "unknown key '\(shown(entry.key))' of \(what) is passed over",
                    hint: "known are " + known.joined(separator: ", "))
                continue
            }
            result[key] = entry.value
        }
        if result["name"] == nil { input.error(at: item.range.lowerBound, "\(what) needs a name") }
        return result
    }
}
