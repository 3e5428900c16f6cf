import Speechly
import SpeechlyService

let service = try ServiceConfiguration(contentsOfFile: CommandLine.arguments[1])
let client = try Client(embedded: service)
let context = try await client.transcribe(AudioFile(path: CommandLine.arguments[2]))
for segment in context.segments {
    print("intent:", segment.intent.value)
    for entity in segment.entities { print("\(entity.type):", entity.value) }
    print("words:", segment.transcripts.map(\.value).joined(separator: " "))
}
