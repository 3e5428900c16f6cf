import Foundation
import Speechly
import XCTest

final class UserDefaultsCacheTests: XCTestCase {
    func testValuesAreKeptInTheGivenDefaults() throws {
        let name = "speechly-test-\(UUID().uuidString)"
        let defaults = try XCTUnwrap(UserDefaults(suiteName: name))
        defer { defaults.removePersistentDomain(forName: name) }
        let cache = UserDefaultsCache(storage: defaults)
        XCTAssertNil(cache.getValue(forKey: "k"))
        XCTAssertEqual(cache.setValueIfAbsent("a", forKey: "k"), "a")
        XCTAssertEqual(cache.setValueIfAbsent("b", forKey: "k"), "a")
        cache.setValue("c", forKey: "k")
        XCTAssertEqual(defaults.string(forKey: "k"), "c")
        cache.removeValue(forKey: "k")
        XCTAssertNil(cache.getValue(forKey: "k"))
    }
}
