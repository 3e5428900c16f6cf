import Speechly
import SpeechlyService

do {
    let client = try Client(embedded: ServiceConfiguration(contentsOfFile: CommandLine.arguments[1]))
    let context = try await client.transcribe(AudioFile(path: CommandLine.arguments[2]))
    for segment in context.segments {
        print("\(segment.intent.value):", segment.transcripts.map(\.value).joined(separator: " "))
        for entity in segment.entities { print("  \(entity.type):", entity.value) }
    }
} catch { print("error:", error) }
