import Foundation
import SpeechlyGRPC
import SpeechlyProto

/// Answers the WLU service: text in, meaning out.
struct WLUService: Sendable {
    /// Most requests in one `Texts`.
    static let maximumRequests = 10_000
    /// Longest text of one request, in bytes.
    static let maximumTextBytes = EmbeddedService.maximumTextBytes

    let catalog: ApplicationCatalog

    /// Answers `Text`.
    func text(_ request: WLURequest, holder: TokenClaims) throws(GRPCStatus) -> WLUResponse {
        guard let application = try catalog.current.application(of: holder) else {
            throw .invalid("Text does not name an application, so it needs a token for one; use Texts")
        }
        return try understand(request, application)
    }

    /// Answers `Texts`, in the order of the requests.
    func texts(_ request: TextsRequest, holder: TokenClaims) throws(GRPCStatus) -> TextsResponse {
        guard !request.appId.isEmpty else { throw .invalid("Texts has to name an application") }
        let application = try catalog.current.application(named: request.appId, for: holder)
        guard request.requests.count <= Self.maximumRequests else {
            throw .invalid("Texts has \(request.requests.count) requests: at most \(Self.maximumRequests)")
        }
        var responses: [WLUResponse] = []
        for item in request.requests { responses.append(try understand(item, application)) }
        return TextsResponse(responses: responses)
    }

    private func understand(
        _ request: WLURequest, _ application: Application
    ) throws(GRPCStatus) -> WLUResponse {
        try application.checkLanguage(request.languageCode)
        guard request.text.utf8.count <= Self.maximumTextBytes else {
            throw .invalid("a text has \(request.text.utf8.count) bytes: at most \(Self.maximumTextBytes)")
        }
        let words = SALWords.spoken(in: request.text)
        // The request has no zone: its instant is read as the sender wrote it, in UTC.
        let moment = request.referenceTime.map {
            SALMoment(
                date: Date(timeIntervalSince1970: Double($0.seconds) + Double($0.nanos) / 1e9), timeZone: .gmt)
        }
        let segments = application.interpreter.segments(of: words, at: moment)
        return WLUResponse(segments: segments.map { Self.message($0, words: words) })
    }

    private static func message(_ segment: InterpretedSegment, words: [String]) -> WLUSegment {
        let words = Array(words[segment.words])
        return WLUSegment(
            text: words.joined(separator: " "),
            tokens: words.enumerated().map { WLUToken(word: $0.element, index: Int32(clamping: $0.offset)) },
            entities: segment.entities.map {
                WLUEntity(
                    entity: $0.type, value: $0.value, startPosition: Int32(clamping: $0.start),
                    endPosition: Int32(clamping: $0.end))
            },
            intent: WLUIntent(intent: segment.intent),
            annotatedText: annotate(segment, words: words)
        )
    }

    /// `*intent words [spoken|normalised](entity) words`, in lower case.
    private static func annotate(_ segment: InterpretedSegment, words: [String]) -> String {
        var parts = segment.intent.isEmpty ? [] : ["*" + segment.intent]
        var position = 0
        for entity in segment.entities where entity.start >= position && entity.end <= words.count {
            parts += words[position..<entity.start].map { $0.lowercased() }
            let said = words[entity.start..<entity.end].joined(separator: " ")
            // What stays as spoken is shown as the words are.
            let value = SALWords.trimmed(said) == entity.value ? said.lowercased() : entity.value
            parts.append("[\(said.lowercased())|\(value)](\(entity.type))")
            position = entity.end
        }
        parts += words[position...].map { $0.lowercased() }
        return parts.joined(separator: " ")
    }
}
