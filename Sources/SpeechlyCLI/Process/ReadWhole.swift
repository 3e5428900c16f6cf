import Foundation

/// Why the system did not do what it was asked.
struct SystemReason: Error, CustomStringConvertible {
    let description = String(cString: strerror(errno))
}

/// All bytes of a file.
func readWhole(_ path: String) -> Result<[UInt8], SystemReason> {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return .failure(SystemReason()) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        if count == 0 { return .success(bytes) }
        if count > 0 { bytes += chunk[..<count] } else if errno != EINTR { return .failure(SystemReason()) }
    }
}
