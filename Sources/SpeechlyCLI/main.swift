import Foundation
import SpeechlyService

occupyStandardDescriptors()
ignoreBrokenPipes()

/// What follows the program's name. A Swift string cannot hold every file name, and one that is repaired names
/// another file: such arguments are given as `nil`.
let given = (1..<max(1, Int(CommandLine.argc))).map { index in
    CommandLine.unsafeArgv[index].flatMap { String(validatingCString: $0) }
}
let tool = Tool(output: .output, error: .error, environment: ProcessInfo.processInfo.environment)
let status = await tool.run(given)
// Whatever still holds a folder must not leave it behind.
TemporaryFolders.removeAll()
// All is written. `exit` would run the destructors of C++ libraries while their threads are still at work.
_exit(status.rawValue)
