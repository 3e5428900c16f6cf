import Foundation

/// Whether the process can open more files and sockets. Libraries that cannot end the process, and say nothing.
package enum DescriptorReserve {
    /// Looks whether some descriptors are left, by opening and closing them.
    ///
    /// - Parameter count: how many are needed.
    /// - Returns: what is short and what to do about it, or `nil` where all can be opened.
    package static func shortage(of count: Int) -> String? {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < count {
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { return reason(errno, left: opened.count) }
            opened.append(descriptor)
        }
        return nil
    }

    private static func reason(_ error: Int32, left: Int) -> String? {
        switch error {
        case EMFILE:
            var limit = rlimit()
            let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
            let number = isKnown ? " of \(limit.rlim_cur)" : ""
            return "too few file descriptors, \(left)\(number) are left; raise the limit (ulimit -n)"
        case ENFILE: return "too few file descriptors are left on this machine; raise the limit (fs.file-max)"
        default: return nil
        }
    }
}
