import Foundation

/// The memory of this process, as the allocator sees it.
public enum Heap {
    /// The allocator says nothing about itself.
    struct Silent: Error {}

    /// What the allocator has given out and not got back, in bytes: without what it keeps for later, and without stacks.
    ///
    /// - Throws: when the C library's allocator is another one, as under a sanitizer.
    public static func allocated() throws -> Int {
        var text: UnsafeMutablePointer<CChar>?
        var length = 0
        guard let symbol = dlsym(nil, "malloc_info"), let stream = open_memstream(&text, &length) else {
            throw Silent()
        }
        typealias Report = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
        _ = unsafeBitCast(symbol, to: Report.self)(0, stream)
        fclose(stream)
        defer { free(text) }
        guard let text else { return 0 }
        let report = String(cString: text)
        // The sums over all heaps come last.
        func last(_ tag: String) -> Int {
            guard let start = report.range(of: tag, options: .backwards),
                let size = report[start.upperBound...].range(of: "size=\"")
            else { return 0 }
            return Int(report[size.upperBound...].prefix { $0.isNumber }) ?? 0
        }
        return last("<system type=\"current\"") - last("<total type=\"fast\"") - last("<total type=\"rest\"")
            + last("<total type=\"mmap\"")
    }
}
