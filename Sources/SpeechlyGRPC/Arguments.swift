import CgRPCShim

/// Owns the settings that libgrpc gets with a channel or a server.
final class Arguments {
    let handle: OpaquePointer

    init() { handle = spg_arguments_new() }

    deinit { spg_arguments_free(handle) }

    func set(_ name: String, _ value: Int32) { spg_arguments_set_integer(handle, name, value) }

    func set(_ name: String, _ value: String) { spg_arguments_set_string(handle, name, value) }
}
