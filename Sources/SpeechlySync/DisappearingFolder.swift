import Foundation

/// A folder whose files others may be removing or making at the same time, such as a socket whose server is ending.
package enum DisappearingFolder {
    /// Removes the folder with all in it.
    ///
    /// `FileManager` gives up at a file that is gone before it comes to it, and at a folder that is not empty any more:
    /// then it is tried again, for a second at most.
    package static func remove(_ path: String) {
        for _ in 0..<200 {
            try? FileManager.default.removeItem(atPath: path)
            var status = stat()
            if lstat(path, &status) != 0 { return }
            usleep(5_000)
        }
    }
}
