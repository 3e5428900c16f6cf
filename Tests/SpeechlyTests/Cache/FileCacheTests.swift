import Foundation
import SpeechlySync
import XCTest

@testable import Speechly

final class FileCacheTests: XCTestCase {
    private var root = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("speechly-cache-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: false)
    }

    override func tearDownWithError() throws {
        try FileManager.default.removeItem(at: root)
    }

    private func mode(_ url: URL) throws -> Int {
        let value = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
        return (value as? NSNumber)?.intValue ?? -1
    }

    private func files(_ directory: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
    }

    func testValuesOutliveTheCacheInPrivateFiles() throws {
        let directory = root.appendingPathComponent("a/b")
        let cache = FileCache(directory: directory)
        XCTAssertNil(cache.getValue(forKey: "deviceId"))
        cache.setValue("one", forKey: "deviceId")
        cache.setValue("two", forKey: "deviceId")
        cache.setValue("other", forKey: "authToken.x.y")
        XCTAssertEqual(FileCache(directory: directory).getValue(forKey: "deviceId"), "two")
        XCTAssertEqual(FileCache(directory: directory).getValue(forKey: "authToken.x.y"), "other")
        XCTAssertEqual(try mode(directory), 0o700)
        let files = try files(directory)
        XCTAssertEqual(files.count, 2)
        for file in files { XCTAssertEqual(try mode(file), 0o600, file.path) }
        cache.removeValue(forKey: "deviceId")
        XCTAssertNil(FileCache(directory: directory).getValue(forKey: "deviceId"))
    }

    func testAFolderThatOthersCanEnterIsClosed() throws {
        let directory = root.appendingPathComponent("open")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        FileCache(directory: directory).setValue("x", forKey: "k")
        XCTAssertEqual(try mode(directory), 0o700)
    }

    func testOddKeysDoNotLeaveTheFolderOrMeet() throws {
        let directory = root.appendingPathComponent("odd")
        let cache = FileCache(directory: directory)
        let long = String(repeating: "k", count: 300)
        let keys = ["", ".", "..", "../up", "a/b", "a%2fb", "ä", "a b", "%", long, long + "x", ".new-1"]
        for (index, key) in keys.enumerated() { cache.setValue("\(index)", forKey: key) }
        let again = FileCache(directory: directory)
        for (index, key) in keys.enumerated() { XCTAssertEqual(again.getValue(forKey: key), "\(index)", key) }
        XCTAssertEqual(try files(directory).count, keys.count)
        XCTAssertEqual(try files(root).map(\.lastPathComponent), ["odd"])
    }

    func testDamagedFilesAreReplaced() throws {
        let directory = root.appendingPathComponent("damaged")
        FileCache(directory: directory).setValue("x", forKey: "k")
        let file = try XCTUnwrap(files(directory).first)
        for damage in [Data(), Data([0xFF, 0xFE, 0x80])] {
            try damage.write(to: file)
            let cache = FileCache(directory: directory)
            XCTAssertNil(cache.getValue(forKey: "k"))
            XCTAssertEqual(cache.setValueIfAbsent("new", forKey: "k"), "new")
            XCTAssertEqual(FileCache(directory: directory).getValue(forKey: "k"), "new")
        }
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        FileCache(directory: directory).setValue("file", forKey: "k")
        XCTAssertEqual(FileCache(directory: directory).getValue(forKey: "k"), "file")
    }

    func testASymbolicLinkIsNotFollowed() throws {
        let directory = root.appendingPathComponent("link")
        let cache = FileCache(directory: directory)
        cache.setValue("x", forKey: "k")
        let file = try XCTUnwrap(files(directory).first)
        let target = root.appendingPathComponent("target")
        try Data("theirs".utf8).write(to: target)
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
        XCTAssertNil(FileCache(directory: directory).getValue(forKey: "k"))
        cache.setValue("ours", forKey: "k")
        XCTAssertEqual(try String(contentsOf: target, encoding: .utf8), "theirs")
        XCTAssertEqual(FileCache(directory: directory).getValue(forKey: "k"), "ours")
    }

    func testWithoutAFolderValuesLastAsLongAsTheCache() throws {
        let blocked = root.appendingPathComponent("file")
        try Data().write(to: blocked)
        let warnings = Locked(0)
        let cache = FileCache(
            directory: blocked.appendingPathComponent("cache"),
            logger: Logger { level, _ in if level == .warning { warnings.withLock { $0 += 1 } } })
        cache.setValue("x", forKey: "k")
        XCTAssertEqual(cache.getValue(forKey: "k"), "x")
        XCTAssertEqual(cache.setValueIfAbsent("y", forKey: "k"), "x")
        XCTAssertEqual(cache.setValueIfAbsent("z", forKey: "l"), "z")
        XCTAssertEqual(warnings.withLock { $0 }, 2)
        cache.removeValue(forKey: "k")
        XCTAssertNil(cache.getValue(forKey: "k"))
    }

    func testOfManyWhoMakeTheFirstValueOneWins() async {
        let directory = root.appendingPathComponent("race")
        let kept = await withTaskGroup(of: String.self) { group in
            for index in 0..<32 {
                group.addTask { FileCache(directory: directory).setValueIfAbsent("\(index)", forKey: "deviceId") }
            }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        XCTAssertEqual(kept.count, 1)
        XCTAssertEqual(FileCache(directory: directory).getValue(forKey: "deviceId"), kept.first)
    }

    func testOfManyWhoMendADamagedValueOneWins() async throws {
        let directory = root.appendingPathComponent("mend")
        FileCache(directory: directory).setValue("x", forKey: "deviceId")
        let file = try XCTUnwrap(files(directory).first)
        for damage in ["", "rubbish"] {
            for round in 0..<20 {
                try Data(damage.utf8).write(to: file)
                let kept = await withTaskGroup(of: String.self) { group in
                    for index in 0..<8 {
                        group.addTask {
                            FileCache(directory: directory)
                                .setValueIfAbsent("good \(index)", forKey: "deviceId") { $0.hasPrefix("good") }
                        }
                    }
                    return await group.reduce(into: Set<String>()) { $0.insert($1) }
                }
                XCTAssertEqual(kept.count, 1, "'\(damage)', round \(round)")
                XCTAssertEqual(FileCache(directory: directory).getValue(forKey: "deviceId"), kept.first)
                XCTAssertEqual(try files(directory).count, 1)
            }
        }
    }

    func testReadersSeeOldOrNewNeverHalf() async throws {
        let directory = root.appendingPathComponent("atomic")
        let values = (0..<4).map { String(repeating: "\($0)", count: 5000) }
        FileCache(directory: directory).setValue(values[0], forKey: "k")
        await withTaskGroup(of: Void.self) { group in
            for value in values {
                group.addTask {
                    for _ in 0..<20 { FileCache(directory: directory).setValue(value, forKey: "k") }
                }
                group.addTask {
                    for _ in 0..<50 {
                        let read = FileCache(directory: directory).getValue(forKey: "k")
                        XCTAssertTrue(read.map(values.contains) ?? false)
                    }
                }
            }
        }
        XCTAssertEqual(try files(directory).count, 1)
    }

    func testAHomeThatIsNotThereIsNotMade() {
        let home = root.appendingPathComponent("nobody")
        let warnings = Locked<[String]>([])
        let cache = FileCache(
            environment: ["HOME": home.path],
            logger: Logger { level, text in if level == .warning { warnings.withLock { $0.append(text) } } })
        cache.setValue("x", forKey: "k")
        XCTAssertEqual(cache.getValue(forKey: "k"), "x")
        XCTAssertFalse(FileManager.default.fileExists(atPath: home.path))
        XCTAssertTrue(warnings.withLock { $0.first?.contains(home.path) ?? false }, "\(warnings.withLock { $0 })")
    }

    func testTheFolderIsMadeInAHomeThatIsThere() {
        let cache = FileCache(environment: ["HOME": root.path])
        cache.setValue("x", forKey: "k")
        XCTAssertEqual(FileCache(environment: ["HOME": root.path]).getValue(forKey: "k"), "x")
        let state = root.appendingPathComponent("state-of-nobody-yet")
        FileCache(environment: ["XDG_STATE_HOME": state.path]).setValue("y", forKey: "k")
        XCTAssertEqual(FileCache(directory: state.appendingPathComponent("speechly")).getValue(forKey: "k"), "y")
    }

    func testDefaultFolder() {
        func folder(_ environment: [String: String]) -> String {
            FileCache.defaultDirectory(environment: environment).path
        }
        XCTAssertEqual(folder(["XDG_STATE_HOME": "/state", "HOME": "/home/x"]), "/state/speechly")
        XCTAssertEqual(folder(["XDG_STATE_HOME": "relative", "HOME": "/home/x"]), "/home/x/.local/state/speechly")
        XCTAssertEqual(folder(["HOME": "/home/x"]), "/home/x/.local/state/speechly")
        XCTAssertTrue(folder([:]).hasSuffix("/.local/state/speechly"))
    }
}
