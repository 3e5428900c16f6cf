import Foundation
import XCTest

@testable import SpeechlyService

/// `config.yaml`: what it may hold, where its messages point, and from where it is read.
final class SALConfigurationFileTests: XCTestCase {
    private func compile(_ yaml: String, _ imports: [String: String] = [:]) throws -> SALConfiguration {
        try SALCompiler.compile(
            yaml: Array(yaml.utf8), file: "config.yaml", imports: imports.mapValues { Array($0.utf8) })
    }

    /// `file:line:column:LEVEL:message` of each message.
    private func messages(_ yaml: String, _ imports: [String: String] = [:]) -> [String] {
        do {
            return try compile(yaml, imports).diagnostics.map(\.description)
        } catch {
            return (error as? SALError)?.diagnostics.map(\.description) ?? ["\(error)"]
        }
    }

    private func assertMessages(
        _ yaml: String, _ expected: [String], line: UInt = #line
    ) {
        let found = messages(yaml)
        XCTAssertEqual(found.count, expected.count, "\(found)", line: line)
        for (found, expected) in zip(found, expected) { XCTAssertTrue(found.hasPrefix(expected), found, line: line) }
    }

    func testAPublishedConfiguration() throws {
        let configuration = try compile(
            """
            # comment
            lang: en-US
            model: small-lowlatency
            silence_triggered_segmentation: 720
            enable_strict_nlu: false
            entities:
            - name: device
              type: string
            - {name: room, type: string}
            intents:
            - name: turn_on
            - turn_off
            templates: |
              room = [kitchen | bedroom](room)

              # a comment of SAL
              *turn_on [turn | switch] on the [lights | radio](device) {in the $room}
              *turn_off turn off the [
                lights
                radio
              ](device)
            """)
        XCTAssertEqual(configuration.diagnostics, [])
        XCTAssertEqual(configuration.intents, ["turn_on", "turn_off"])
        XCTAssertEqual(configuration.language, "en-US")
        XCTAssertEqual(configuration.dataTypes, ["device": .string, "room": .string])
        XCTAssertEqual(configuration.silenceTriggeredSegmentation, .milliseconds(720))
        XCTAssertEqual(configuration.expansionCount, 2 * 2 * 3 + 2)
        XCTAssertEqual(
            SALTest.understood(configuration, "switch on the radio in the kitchen"),
            "*turn_on switch on the [radio](device) in the [kitchen](room)")
    }

    func testMessagesPointIntoTheFile() {
        assertMessages(
            "lang: en\ntemplates: |\n  *ok hello\n\n    *go to $nosuch\n  [\n",
            ["config.yaml:5:12:ERROR:variable '$nosuch' is not defined", "config.yaml:6:3:ERROR:'[' is not closed"])
        assertMessages(
            "a: 1\r\ntemplates: |-\r\n  *ok hi\r\n  bad\r\n",
            [
                "config.yaml:1:1:WARNING:unknown key 'a'", "config.yaml:4:3:ERROR:line does not begin with an intent",
            ])
        // Text that is not in the file as it is: the place of the value.
        assertMessages("templates: \"*a b\\n$x\"", ["config.yaml:1:12:ERROR:variable '$x' is not defined"])
        assertMessages("templates: >\n  *a b\n\n  $x\n", ["config.yaml:1:12:ERROR:variable '$x' is not defined"])
        assertMessages("templates: *a $x", ["config.yaml:1:"])
    }

    func testEveryStyleOfText() throws {
        for yaml in [
            "templates: |\n  *a b\n  *c d", "templates: |-\n  *a b\n  *c d\n", "templates: |+2\n  *a b\n    *c d\n\n",
            "templates: \"*a b\\n*c d\"", "templates: '*a b\n\n  *c d'", "templates: >\n  *a b\n\n  *c d",
            "templates:\n- \"*a b\"\n- '*c d'\n", "{templates: \"*a b\\n*c d\"}",
            "---\ntemplates: |\n *a b\n *c d\n...\n",
            "templates: |\r  *a b\r  *c d\r",
            "\u{FEFF}templates: |\n  *a b\n  *c d", "x: &t |\n  *a b\n  *c d\ntemplates: *t\n",
        ] {
            let configuration = try compile(yaml)
            XCTAssertEqual(Set(SALTest.expansions(configuration).keys), ["*a b", "*c d"], yaml)
        }
    }

    func testNothingIsAConfigurationToo() throws {
        for yaml in ["", "# only a comment\n", "---\n", "templates:\n", "templates: ''", "{}", "entities: []"] {
            let configuration = try compile(yaml)
            XCTAssertTrue(configuration.isEmpty, yaml)
            XCTAssertNil(ServiceConfiguration(sal: configuration).sal)
        }
    }

    func testUnknownKeysAreWarnedOf() {
        assertMessages(
            "templates: |\n  *a [b](c)\ncolour: red\nentities:\n- name: c\n  output_field: 1\n",
            [
                "config.yaml:3:1:WARNING:unknown key 'colour' is passed over",
                "config.yaml:6:3:WARNING:unknown key 'output_field' of an entity is passed over",
            ])
    }

    func testWhatIsNotAConfiguration() {
        assertMessages("- a\n- b", ["config.yaml:1:1:ERROR:not a configuration"])
        assertMessages("hello", ["config.yaml:1:1:ERROR:not a configuration"])
        assertMessages("a: b: c", ["config.yaml:1:5:ERROR:not YAML: mapping values are not allowed"])
        assertMessages("a: [1", ["config.yaml:1:6:ERROR:not YAML: "])
        assertMessages("a: \u{1}", ["config.yaml:1:4:ERROR:not YAML: control characters are not allowed"])
        assertMessages("lang: en\n---\nlang: fi", ["config.yaml:2:1:ERROR:not YAML: a second document"])
        assertMessages("lang: *x", ["config.yaml:1:7:ERROR:not YAML: unknown alias '*x'"])
        assertMessages("lang: en\nlang: fi\n", ["config.yaml:2:1:ERROR:key 'lang' occurs twice"])
        assertMessages("templates:\n  a: b", ["config.yaml:2:3:ERROR:templates are text, not keys"])
        assertMessages("entities: 5", ["config.yaml:1:11:ERROR:entities is not a list"])
        assertMessages("entities:\n- device", ["config.yaml:2:3:ERROR:an entity is not written with keys"])
        assertMessages("entities:\n- type: number", ["config.yaml:2:3:ERROR:an entity needs a name"])
        assertMessages("silence_triggered_segmentation: soon", ["config.yaml:1:33:ERROR:silence_triggered"])
        assertMessages("enable_strict_nlu: maybe", ["config.yaml:1:20:ERROR:'maybe' is neither true nor false"])
        let deep = String(repeating: "[", count: 500)
        assertMessages("a: \(deep)", ["config.yaml:1:35:ERROR:not YAML: nested deeper than 32 levels"])
        XCTAssertThrowsError(try SALCompiler.compile(yaml: [0x61, 0x3A, 0xFF], file: "f")) {
            XCTAssertEqual("\($0)", "f:1:3:ERROR:not UTF-8 text")
        }
    }

    func testListedNamesAreComparedWithTheTemplates() {
        assertMessages(
            "templates: |\n  *a [b](c)\nentities:\n- {name: d, type: string}\nintents: [e]\n",
            [
                "config.yaml:2:3:NOTE:intent 'a' is not listed", "config.yaml:2:6:NOTE:entity 'c' is not listed",
                "config.yaml:4:10:NOTE:entity 'd' is not used", "config.yaml:5:11:NOTE:intent 'e' is not used",
            ])
        assertMessages(
            "templates: |\n  *a [b](c)\nentities:\n- {name: c, type: dinosaur}\n",
            ["config.yaml:4:19:WARNING:unknown type 'dinosaur'"])
        assertMessages(
            "entities:\n- {name: c}\n- {name: c}\ntemplates: |\n  *a [b](c)\n",
            ["config.yaml:3:10:ERROR:entity 'c' is listed twice"])
    }

    func testEveryPathThatLeadsToAConfiguration() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        XCTAssertThrowsError(try ServiceConfiguration(contentsOfFile: folder.path)) {
            XCTAssertTrue("\($0)".hasSuffix("the folder has no config.yaml"), "\($0)")
        }
        try write("lang: fi-FI\nimports:\n- {name: d, source: d.csv}\ntemplates: |\n  *a $d(e)\n", "config.yaml")
        try write("radio\n", "d.csv")
        for path in [folder.path, folder.path + "/", folder.appendingPathComponent("config.yaml").path] {
            let configuration = try ServiceConfiguration(contentsOfFile: path)
            XCTAssertEqual(configuration.sal?.vocabulary, ["radio"])
            XCTAssertEqual(configuration.languageCode, "fi-FI")
        }
        try write("*a b", "other.yaml")
        XCTAssertThrowsError(
            try ServiceConfiguration(contentsOfFile: folder.appendingPathComponent("other.yaml").path)
        ) { XCTAssertTrue("\($0)".contains("other.yaml:1:1:ERROR:"), "\($0)") }
        try FileManager.default.removeItem(at: folder.appendingPathComponent("d.csv"))
        XCTAssertThrowsError(try ServiceConfiguration(contentsOfFile: folder.path)) {
            XCTAssertEqual(
                "\($0)",
                "\(folder.path)/config.yaml:3:21:ERROR:cannot read 'd.csv': No such file or directory")
        }
        try write("a", "x.sal")
        mkfifo(folder.appendingPathComponent("d.csv").path, 0o600)
        XCTAssertThrowsError(try ServiceConfiguration(contentsOfFile: folder.path)) {
            XCTAssertTrue("\($0)".hasSuffix("cannot read 'd.csv': it is not a plain file"), "\($0)")
        }
    }
}
