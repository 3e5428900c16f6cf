import Speechly
import TestSupport
import XCTest

@testable import SpeechlyService

final class WLUServiceTests: XCTestCase {
    private func text(_ harness: ServiceHarness, _ text: String) async throws -> WLUResponse {
        try await harness.unary(
            "/speechly.slu.v1.WLU/Text", WLURequest(languageCode: "en-US", text: text), token: harness.token())
    }

    func testEveryCase() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        for item in try TestCases.cases("understand.json") {
            let text = try XCTUnwrap(item["text"] as? String)
            let expected = try XCTUnwrap(item["segments"] as? [[Any]])
            let segments = try await self.text(harness, text).segments
            XCTAssertEqual(segments.count, expected.count, text)
            let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
            XCTAssertEqual(segments.flatMap { $0.tokens.map(\.word) }, words, text)
            for (segment, expected) in zip(segments, expected) {
                XCTAssertEqual(segment.intent?.intent, expected[0] as? String ?? "", text)
                XCTAssertEqual(segment.tokens.count, expected[1] as? Int, text)
                XCTAssertEqual(segment.tokens.map(\.index), Array(0..<Int32(segment.tokens.count)), text)
                XCTAssertEqual(segment.text, segment.tokens.map(\.word).joined(separator: " "), text)
                let entities = try XCTUnwrap(expected[2] as? [[Any]])
                XCTAssertEqual(segment.entities.count, entities.count, text)
                for (entity, expected) in zip(segment.entities, entities) {
                    XCTAssertEqual(entity.entity, expected[0] as? String, text)
                    XCTAssertEqual(entity.value.lowercased(), expected[1] as? String, text)
                    XCTAssertEqual(Int(entity.startPosition), expected[2] as? Int, text)
                    XCTAssertEqual(Int(entity.endPosition), expected[3] as? Int, text)
                }
            }
        }
    }

    func testAnnotatedText() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        let response = try await text(harness, "sort by stars show only go repos")
        XCTAssertEqual(
            response.segments.map(\.annotatedText),
            ["*sort sort by [stars|stars](sort_field)", "*filter show only [go|go](language) repos"])
        let unknown = try await text(harness, "What is the weather")
        XCTAssertEqual(unknown.segments.map(\.annotatedText), ["what is the weather"])
    }

    func testControlCharactersSeparateWords() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        for control in ["\u{0}", "\u{1b}", "\u{7f}", "\u{85}"] {
            let segments = try await text(harness, "show me\(control)go\(control) repos\(control)").segments
            XCTAssertEqual(segments.map(\.text), ["show me go repos"])
            XCTAssertEqual(segments.flatMap { $0.entities.map(\.value) }, ["go"])
        }
    }

    private static let shop = """
        imports:
        - {name: said, source: products.csv, field: 1}
        - {name: meant, source: products.csv, field: 2}
        entities:
        - {name: color, type: string}
        - {name: product, type: lookup, input_items: $said, output_items: $meant}
        - {name: amount, type: number}
        - {name: address, type: street_address}
        - {name: delivery_date, type: date_future}
        templates: |
          *search can i see [blue | red](color) $said(product)
          *add_to_cart i want $SPEECHLY.SMALL_CARDINAL_NUMBER(amount) of those
          *set_address my address is $SPEECHLY.STREET_ADDRESS(address)
          *set_delivery_date delivery $SPEECHLY.DATE(delivery_date)
        """

    private func shop() throws -> ServiceHarness {
        try ServiceHarness(
            ServiceConfiguration(
                sal: SALCompiler.compile(
                    yaml: Array(Self.shop.utf8), file: "config.yaml",
                    imports: ["products.csv": Array("sneakers,category_sneaker\nhats,millinery\n".utf8)])))
    }

    /// The documented examples of annotated output.
    func testValuesOfTypes() async throws {
        let harness = try shop()
        for (text, expected) in [
            ("can i see blue sneakers", "*search can i see [blue|blue](color) [sneakers|category_sneaker](product)"),
            ("i want two of those", "*add_to_cart i want [two|2](amount) of those"),
            (
                "my address is one twenty three imaginary road",
                "*set_address my address is [one twenty three imaginary road|123 Imaginary Rd.](address)"
            ),
            ("delivery tomorrow", "*set_delivery_date delivery [tomorrow|2021-09-13](delivery_date)"),
            ("Can I see RED hats?", "*search can i see [red|red](color) [hats?|millinery](product)"),
        ] {
            let request = WLURequest(
                languageCode: "en-US", text: text, referenceTime: ProtoTimestamp(seconds: 1_631_404_800))
            let response: WLUResponse = try await harness.unary(
                "/speechly.slu.v1.WLU/Text", request, token: harness.token())
            XCTAssertEqual(response.segments.map(\.annotatedText), [expected])
        }
    }

    func testEachTextHasItsReferenceTime() async throws {
        let harness = try shop()
        let requests = [1_631_404_799, 1_631_404_800, Int64.max, Int64.min].map {
            WLURequest(
                languageCode: "en-US", text: "delivery tomorrow", referenceTime: ProtoTimestamp(seconds: $0))
        }
        let response: TextsResponse = try await harness.unary(
            "/speechly.slu.v1.WLU/Texts", TextsRequest(appId: ServiceHarness.appId, requests: requests),
            token: harness.token())
        let values = response.responses.map { $0.segments[0].entities.map(\.value) }
        XCTAssertEqual(values.prefix(2), [["2021-09-12"], ["2021-09-13"]])
        XCTAssertFalse(values.joined().contains(""))
    }

    func testTexts() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        let requests = ["show go", "", "reset"].map { WLURequest(languageCode: "en", text: $0) }
        for scope in [TokenClaims.Scope.application(ServiceHarness.appId), .project(ServiceHarness.projectId)] {
            let response: TextsResponse = try await harness.unary(
                "/speechly.slu.v1.WLU/Texts", TextsRequest(appId: ServiceHarness.appId, requests: requests),
                token: harness.token(scope))
            XCTAssertEqual(
                response.responses.map { $0.segments.map { $0.intent?.intent } }, [["filter"], [], ["reset"]])
        }
    }

    func testRefusals() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        let app = try harness.token()
        let project = try harness.token(.project(ServiceHarness.projectId))
        let text = WLURequest(languageCode: "en-US", text: "show go")
        let path = "/speechly.slu.v1.WLU/Text"
        let many = "/speechly.slu.v1.WLU/Texts"
        let other = TextsRequest(appId: "00000000-0000-4000-8000-000000000000", requests: [text])
        let expected: [(String, [UInt8], String?, GRPCStatus.Code)] = [
            (path, text.serializedBytes(), nil, .permissionDenied),
            (path, text.serializedBytes(), "nonsense", .permissionDenied),
            (path, text.serializedBytes(), project, .invalidArgument),
            (path, WLURequest(languageCode: "fi-FI", text: "hei").serializedBytes(), app, .invalidArgument),
            (path, [0x12, 0x05, 0x41], app, .invalidArgument),
            (many, TextsRequest(requests: [text]).serializedBytes(), app, .invalidArgument),
            (many, other.serializedBytes(), app, .invalidArgument),
            ("/speechly.slu.v1.WLU/Nothing", [], app, .unimplemented),
        ]
        for (path, request, token, code) in expected {
            do {
                _ = try await harness.channel.unary(
                    path: path, request: request, options: ServiceHarness.options(token: token))
                XCTFail("\(path) was accepted")
            } catch let status as GRPCStatus {
                XCTAssertEqual(status.code, code, "\(path): \(status)")
            }
        }
    }
}
