import XCTest

/// Waits until a condition that nothing announces has come true.
func eventually(
    _ what: String, timeout: Duration = .seconds(20), _ condition: @Sendable () -> Bool
) async throws {
    let deadline = ContinuousClock.now + timeout
    while !condition() {
        guard ContinuousClock.now < deadline else { throw CallbackLog.TimedOut(description: "waited for \(what)") }
        try await Task.sleep(for: .milliseconds(1))
    }
}
