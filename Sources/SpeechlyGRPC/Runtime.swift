import CgRPCShim
import Foundation

enum Runtime {
    /// Starts libgrpc and its one thread, once per process.
    static func start() throws {
        guard spg_start() else {
            throw GRPCStatus(
                code: .resourceExhausted,
                message: "cannot start the transport's thread: \(String(cString: strerror(errno)))")
        }
    }
}
