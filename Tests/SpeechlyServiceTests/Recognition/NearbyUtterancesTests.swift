import XCTest

@testable import SpeechlyService

final class NearbyUtterancesTests: XCTestCase {
    private func nearby(_ sal: String) throws -> (utterances: NearbyUtterances, graph: SALGraph) {
        let graph = try SALCompiler.compile(sal, file: "test.sal").graph
        let model = PocketSphinxModel.systemEnglish
        let words = Set(graph.arcs.compactMap(\.word)).union(["stock", "add", "what", "to"])
        let known = try PronunciationDictionary(path: model.dictionary, package: model.package)
            .pronunciations(of: words)
        let phones = known.compactMapValues { $0.first.map { $0.compactMap(ARPAbet.init(rawValue:)) } }
        return (try XCTUnwrap(NearbyUtterances(graph: graph, phones: phones)), graph)
    }

    /// All word sequences of a graph without cycles.
    private func utterances(_ graph: SALGraph) -> Set<String> {
        var found: Set<String> = []
        var open: [(state: Int, words: [String])] = [(graph.startState, [])]
        while let (state, words) = open.popLast() {
            if state == graph.finalState { found.insert(words.joined(separator: " ")) }
            for arc in graph.arcs where arc.from == state {
                open.append((arc.to, arc.word.map { words + [$0] } ?? words))
            }
        }
        return found
    }

    private let shop = """
        things = [socks | jackets | boots | scarves | backpacks]
        *sort sort $things(product) by [price | rating](field)
        *add add {these} $things(product) to cart
        *wish save the $things(product) for later
        """

    func testWhatIsInTheConfigurationHasNoDistance() throws {
        let near = try XCTUnwrap(nearby(shop).utterances.neighbourhood(of: ["sort", "boots", "by", "price"]))
        XCTAssertEqual(near.distance, 0)
        XCTAssertTrue(utterances(near.graph).contains("sort boots by price"))
    }

    func testWhatWasMisheardIsNearToWhatWasSaid() throws {
        let heard = ["sort", "stock", "stock", "price"]
        let near = try XCTUnwrap(nearby(shop).utterances.neighbourhood(of: heard))
        XCTAssertEqual(near.distance, 0.3, accuracy: 0.15)
        let found = utterances(near.graph)
        XCTAssertTrue(found.contains("sort socks by price"), "\(found)")
        XCTAssertFalse(found.contains("save the scarves for later"), "\(found)")
    }

    func testWhatIsFarFromEverythingHasALargeDistance() throws {
        let near = try XCTUnwrap(nearby(shop).utterances.neighbourhood(of: ["what", "what", "stock", "to", "what"]))
        XCTAssertGreaterThan(near.distance, 0.4)
    }

    func testWhereNothingWasHeardNothingIsNear() throws {
        XCTAssertNil(try nearby(shop).utterances.neighbourhood(of: []))
        XCTAssertNil(try nearby(shop).utterances.neighbourhood(of: ["wordless"]))
    }

    /// The costs are those of the alignment of each whole utterance, one by one.
    func testTheNearestIsTheNearest() throws {
        let (nearby, graph) = try nearby(shop)
        let all = utterances(graph)
        XCTAssertEqual(all.count, 25)
        for heard in [["add", "socks", "to", "price"], ["save", "boots", "by", "later"], ["these", "to"]] {
            let near = try XCTUnwrap(nearby.neighbourhood(of: heard))
            let least = all.map { nearby.distance(of: $0.split(separator: " ").map(String.init), from: heard) }.min()
            XCTAssertEqual(near.distance, try XCTUnwrap(least), accuracy: 1e-9, "\(heard)")
            for utterance in utterances(near.graph) { XCTAssertTrue(all.contains(utterance), utterance) }
        }
    }

    func testOfManyUtterancesAsManyAreKeptAsAreHeardQuickly() throws {
        let words = ["boots", "socks", "scarves", "jackets", "price", "later", "rating", "cart"]
        let lines = words.flatMap { a in words.flatMap { b in words.map { "*find find \(a) \(b) \($0)" } } }
        let near = try XCTUnwrap(
            nearby(lines.joined(separator: "\n")).utterances.neighbourhood(of: ["find", "boots", "stock", "cart"]))
        XCTAssertLessThanOrEqual(near.graph.arcs.count, 400)
        XCTAssertTrue(utterances(near.graph).contains("find boots socks cart"))
    }
}
