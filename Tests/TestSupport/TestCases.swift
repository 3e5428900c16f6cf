import Foundation

/// Finds the input files with right answers that several test targets share.
public enum TestCases {
    /// The folder `Tests/Cases`.
    public static let directory = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Cases")

    /// The URL of a file in `Tests/Cases`, by its path relative to that folder.
    public static func url(_ path: String) -> URL { directory.appendingPathComponent(path) }

    /// The bytes of a file in `Tests/Cases`.
    public static func data(_ path: String) throws -> Data { try Data(contentsOf: url(path)) }

    /// The array `cases` of a JSON file in `Tests/Cases`.
    public static func cases(_ path: String) throws -> [[String: Any]] {
        let object = try JSONSerialization.jsonObject(with: data(path)) as? [String: Any]
        guard let cases = object?["cases"] as? [[String: Any]], !cases.isEmpty else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return cases
    }
}
