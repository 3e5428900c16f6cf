import Foundation
import XCTest

@testable import SpeechlyService

final class ApplicationFolderTests: XCTestCase {
    private let light = "11111111-1111-4111-8111-111111111111"
    private let shop = "22222222-2222-4222-8222-222222222222"
    private let project = "33333333-3333-4333-8333-333333333333"
    private var folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    override func setUpWithError() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

    private func write(_ text: String, _ name: String) throws {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        // Another size each time, so that no clock is needed to see a change.
        try (text + "\n# " + String(repeating: "x", count: Int.random(in: 1...10_000)) + "\n").write(
            to: file, atomically: true, encoding: .utf8)
    }

    private func intents(_ folder: ApplicationFolder) -> [String: [String]] {
        Dictionary(
            uniqueKeysWithValues: folder.applications.map {
                ($0.id.uuidString.lowercased().prefix(4) + "", $0.sal?.intents ?? [])
            })
    }

    private func problems(_ body: () throws -> ApplicationFolder) -> [ApplicationFolder.Problem] {
        do {
            _ = try body()
            return []
        } catch {
            return (error as? ApplicationFolder.Failure)?.problems ?? []
        }
    }

    func testFilesFoldersAndProjectsAreApplications() throws {
        try write("*turn_on lamp", light + ".sal")
        try write("templates: |\n  *buy milk", project + "/" + shop + "/config.yaml")
        try write("not a configuration", "README.md")
        try write("*hidden x", ".hidden.sal")
        let read = try ApplicationFolder(path: folder.path)
        XCTAssertEqual(intents(read), ["1111": ["turn_on"], "2222": ["buy"]])
        XCTAssertEqual(
            read.applications.map { $0.projectId?.uuidString.lowercased() }, [nil, project])
    }

    func testWhatIsWrongIsSaidOfEachApplication() throws {
        XCTAssertEqual(problems { try ApplicationFolder(path: "/nowhere") }.map(\.path), ["/nowhere"])
        XCTAssertEqual(problems { try ApplicationFolder(path: folder.path) }.map(\.path), [folder.path])
        try write("*a [x", light + ".sal")
        try write("*b y", "lamp.sal")
        try write("*c z", shop + ".sal")
        try write("*c z", shop.uppercased() + ".yaml")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent(project), withIntermediateDirectories: true)
        let found = problems { try ApplicationFolder(path: folder.path) }
        let expected = [light + ".sal", "lamp.sal", shop, project]
        for name in expected { XCTAssertTrue(found.contains { $0.path.contains(name) }, "\(name): \(found)") }
        XCTAssertTrue(found.contains { $0.description.contains("\(light).sal:1:4:ERROR") }, "\(found)")
    }

    func testABrokenApplicationStaysAsItWasOthersChange() throws {
        try write("*turn_on lamp", light + ".sal")
        try write("*buy milk", shop + ".sal")
        var read = try ApplicationFolder(path: folder.path)
        let before = ApplicationFolder.fingerprint(ofFolder: folder.path)
        XCTAssertEqual(read.reread(), [])
        XCTAssertEqual(ApplicationFolder.fingerprint(ofFolder: folder.path), before)
        try write("*turn_on [lamp", light + ".sal")
        try write("*sell milk", shop + ".sal")
        XCTAssertNotEqual(ApplicationFolder.fingerprint(ofFolder: folder.path), before)
        let problems = read.reread()
        XCTAssertEqual(problems.map(\.path), [folder.path + "/" + light + ".sal"])
        XCTAssertEqual(intents(read), ["1111": ["turn_on"], "2222": ["sell"]])
        try write("*turn_off lamp", light + ".sal")
        try FileManager.default.removeItem(at: folder.appendingPathComponent(shop + ".sal"))
        XCTAssertEqual(read.reread(), [])
        XCTAssertEqual(intents(read), ["1111": ["turn_off"]])
    }

    func testAFolderThatCannotBeReadChangesNothing() throws {
        try write("*turn_on lamp", light + ".sal")
        var read = try ApplicationFolder(path: folder.path)
        let moved = folder.appendingPathExtension("moved")
        try FileManager.default.moveItem(at: folder, to: moved)
        XCTAssertEqual(read.reread().map(\.path), [folder.path])
        XCTAssertEqual(intents(read), ["1111": ["turn_on"]])
        try FileManager.default.moveItem(at: moved, to: folder)
    }

    func testAnApplicationThatMovesIntoAProjectBelongsToIt() throws {
        try write("*turn_on lamp", light + ".sal")
        var read = try ApplicationFolder(path: folder.path)
        try write("*turn_on lamp", project + "/" + light + ".sal")
        try FileManager.default.removeItem(at: folder.appendingPathComponent(light + ".sal"))
        XCTAssertEqual(read.reread(), [])
        XCTAssertEqual(read.applications.map { $0.projectId?.uuidString.lowercased() }, [project])
    }
}
