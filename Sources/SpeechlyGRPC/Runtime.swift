import CgRPCShim
import Foundation
import SpeechlySync

enum Runtime {
    /// What libgrpc opens for itself when the first channel or server is made. Where it cannot, it ends the process.
    private static let descriptors = 12

    /// Starts libgrpc and its one thread, once per process.
    static func start() throws {
        if let shortage = DescriptorReserve.shortage(of: descriptors) {
            throw GRPCStatus(code: .resourceExhausted, message: "cannot start the transport: \(shortage)")
        }
        guard spg_start() else {
            throw GRPCStatus(
                code: .resourceExhausted,
                message: "cannot start the transport's thread: \(String(cString: strerror(errno)))")
        }
    }
}
