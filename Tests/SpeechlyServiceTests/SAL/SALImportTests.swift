import XCTest

@testable import SpeechlyService

/// Variables and lookups from CSV files.
final class SALImportTests: XCTestCase {
    private static let devices = "radio,radio\nstereo,radio\nhi-fi,radio\n\"big lamp\",LAMP\n"

    private func compile(_ yaml: String, _ imports: [String: String]) throws -> SALConfiguration {
        try SALCompiler.compile(
            yaml: Array(yaml.utf8), file: "config.yaml", imports: imports.mapValues { Array($0.utf8) })
    }

    private func messages(_ yaml: String, _ imports: [String: String]) -> [String] {
        do {
            return try compile(yaml, imports).diagnostics.map(\.description)
        } catch {
            return (error as? SALError)?.diagnostics.map(\.description) ?? ["\(error)"]
        }
    }

    private static let lookup = """
        imports:
          - name: device_input
            source: devices.csv
            field: 1
          - {name: device_output, source: devices.csv, field: 2}
        entities:
          - name: device
            type: lookup
            input_items: $device_input
            output_items: $device_output
        templates: |
          *turn_on turn [$device_input | music player](device) on
          *turn_on turn on the $device_input(device)

        """

    func testColumnsAreVariables() throws {
        let yaml = "imports:\n- {name: d, source: d.csv, field: 2}\ntemplates: |\n  *a go $d(e)\n"
        for (csv, expected) in [
            ("x,red car\ny,blue\n", ["red car", "blue"]), ("x,red\r\n\r\ny , blue ", ["red", "blue"]),
            ("x,\"red\"\ny,\"blue\"", ["red", "blue"]), ("\u{FEFF}x,red\rx,blue", ["red", "blue"]),
            ("x,red,1\ny,[dark | light] blue\n", ["red", "dark blue", "light blue"]),
            ("x,\"red\"\ny,\"the \"\"big\"\" one\"", ["red", "the \"big\" one"]),
            ("x,#red\ny,\"blue\nsky\"", ["#red", "blue sky"]),
        ] {
            let configuration = try compile(yaml, ["d.csv": csv])
            XCTAssertEqual(
                Set(SALTest.expansions(configuration).keys), Set(expected.map { "*a go [\($0)](e)" }), csv)
        }
    }

    func testLookups() throws {
        let configuration = try compile(Self.lookup, ["devices.csv": Self.devices])
        XCTAssertEqual(configuration.diagnostics, [])
        for (text, value) in [
            ("turn on the stereo", "radio"), ("turn on the radio", "radio"), ("turn on the Hi-Fi", "radio"),
            ("turn on the hi fi", "radio"), ("turn the music player on", "music player"),
            ("turn music player on", "music player"),
            ("TURN ON THE BIG LAMP", "LAMP"), ("turn on the big lamp.", "LAMP"),
        ] as [(String, String?)] {
            let segments = configuration.understand(SALTest.words(text))
            XCTAssertEqual(segments[0].entities.map(\.value), value.map { [$0] } ?? [], text)
        }
        let segment = configuration.understand(SALTest.words("turn on the hi fi"))[0]
        XCTAssertEqual(segment.entities, [SALEntity(type: "device", value: "radio", start: 3, end: 5)])
    }

    func testSynonymsMayBeTemplates() throws {
        let configuration = try compile(
            Self.lookup, ["devices.csv": "{the} [radio | hi-fi {set}],radio (old)\nlamp,a|b\n"])
        XCTAssertEqual(configuration.diagnostics, [])
        for (text, value) in [
            ("turn on the hi-fi set", "radio (old)"), ("turn on the the radio", "radio (old)"),
            ("turn lamp on", "a|b"),
        ] {
            XCTAssertEqual(
                configuration.understand(SALTest.words(text))[0].entities.map(\.value), [value], text)
        }
    }

    func testListsOfTheTemplatesAreTablesToo() throws {
        let configuration = try compile(
            """
            entities:
            - {name: size, type: lookup, input_items: $said, output_items: $meant}
            templates: |
              said = [small | tiny | large]
              meant = [S | S | L]
              *buy a $said(size) shirt
            """, [:])
        XCTAssertEqual(configuration.diagnostics, [])
        XCTAssertEqual(
            configuration.understand(SALTest.words("a tiny shirt"))[0].entities.map(\.value), ["S"])
    }

    func testErrorsHaveTheirPlace() {
        func yaml(_ field: String, source: String = "d.csv") -> String {
            "imports:\n- {name: d, source: \(source), field: \(field)}\ntemplates: |\n  *a $d(e)\n"
        }
        for (yaml, csv, expected) in [
            (yaml("3"), "a,b,c\nd,e", "d.csv:2:1:ERROR:the row has 2 columns, not 3"),
            (yaml("1"), "a\n\"b", "d.csv:2:1:ERROR:'\"' is not closed"),
            (yaml("1"), "a\n\"b\" c", "d.csv:2:5:ERROR:text behind a closing '\"'"),
            (yaml("2"), "a,b\nc,[d", "d.csv:2:3:ERROR:'[' is not closed"),
            (yaml("1"), "a\nb $x\n", "d.csv:2:3:ERROR:variable '$x' is not defined"),
            (yaml("1"), "a\nb \"\"\"\n", nil),
            (yaml("1"), "a\nx,\u{FFFD}", nil),
            (yaml("0"), "a", "config.yaml:2:35:ERROR:field is '0'"),
            (yaml("1", source: "../d.csv"), "a", "config.yaml:2:21:ERROR:source '../d.csv' is not the name of a file"),
            (yaml("1", source: "e.csv"), "a", "config.yaml:2:21:ERROR:cannot read 'e.csv': there is no such file"),
        ] as [(String, String, String?)] {
            let found = messages(yaml, ["d.csv": csv])
            XCTAssertEqual(found.count, expected == nil ? 0 : 1, "\(found)")
            if let expected { XCTAssertTrue(found.first?.hasPrefix(expected) == true, "\(found)") }
        }
        XCTAssertEqual(
            messages(yaml("1"), ["d.csv": "\n\n"]), ["config.yaml:2:10:ERROR:the import 'd' has no words"])
    }

    func testLookupsThatDoNotFit() {
        func change(_ old: String, _ new: String, _ csv: String = Self.devices) -> [String] {
            messages(Self.lookup.replacing(old, with: new), ["devices.csv": csv, "two.csv": "a\nb\n"])
                .filter { $0.contains(":ERROR:") }
        }
        XCTAssertEqual(
            change("device_output, source: devices.csv, field: 2", "device_output, source: two.csv, field: 1"),
            ["config.yaml:7:11:ERROR:the lists of lookup 'device' differ: 4 synonyms, 2 results"])
        XCTAssertEqual(
            change("output_items: $device_output", "output_items: device_output").first,
            "config.yaml:10:19:ERROR:a lookup needs output_items")
        XCTAssertEqual(
            change("output_items: $device_output", "output_items: $nosuch").first,
            "config.yaml:10:19:ERROR:variable '$nosuch' is not defined")
        XCTAssertEqual(
            change("    output_items: $device_output\n", "").first, "config.yaml:7:5:ERROR:a lookup needs output_items")
        XCTAssertEqual(
            change(
                "radio on", "x",
                "[a|b|c|d|e|f|g|h|i|j] [a|b|c|d|e|f|g|h|i|j] [a|b|c|d|e|f|g|h|i|j] "
                    + "[a|b|c|d|e|f|g|h|i|j] [a|b|c|d|e|f|g|h|i|j] [a|b|c|d|e|f|g|h|i|j],x"
            ).first,
            "devices.csv:1:1:ERROR:too many ways to say the words of a lookup")
    }
}
