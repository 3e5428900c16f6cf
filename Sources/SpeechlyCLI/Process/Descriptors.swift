import Foundation

/// Occupies standard input, output and error where they are closed: else the next file or connection that is opened
/// gets the number, and what is meant for a person goes there.
///
/// They are opened the wrong way round, so that using them fails as it does with a closed descriptor. By now the runtime
/// may have taken one of them for itself, so the program starts anew with all three.
func occupyStandardDescriptors() {
    let closed = (STDIN_FILENO...STDERR_FILENO).filter { descriptor in
        let flags = fcntl(descriptor, F_GETFD)
        // What was open before the program began is not closed by beginning one.
        return flags == -1 || flags & FD_CLOEXEC != 0
    }
    guard !closed.isEmpty, let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    else { return }
    for descriptor in closed {
        // Above the three, so that none of them is taken by the way.
        let opened = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        let safe = fcntl(opened, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        dup2(safe, descriptor)
        if opened != descriptor { close(opened) }
    }
    execv(program, CommandLine.unsafeArgv)
}
