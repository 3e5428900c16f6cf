import Foundation
import Speechly

do {
    let client = try Client(appId: UUID())
    let segments = Task { [segments = client.segments] in
        for await segment in segments where !segment.isFinal {
            print("so far:", segment.transcripts.map(\.value).joined(separator: " "))
            if segment.transcripts.count >= 5 { return }
        }
    }

    _ = try await client.start()
    await segments.value
    let context = try await client.stop()
    for segment in context.segments {
        print("final: \(segment.intent.value):", segment.transcripts.map(\.value).joined(separator: " "))
    }
} catch {
    print("error:", error)
}
