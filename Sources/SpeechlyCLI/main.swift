import Foundation

ignoreBrokenPipes()
let tool = Tool(output: .output, error: .error, environment: ProcessInfo.processInfo.environment)
exit(await tool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
