import Foundation
import Speechly
import XCTest

@testable import SpeechlyService

/// Several applications and projects in one service, and what a reload does to them.
final class ApplicationsTests: XCTestCase {
    private static let light = UUID(uuidString: "11111111-1111-4111-8111-111111111111") ?? UUID()
    private static let shop = UUID(uuidString: "22222222-2222-4222-8222-222222222222") ?? UUID()
    private static let project = UUID(uuidString: "33333333-3333-4333-8333-333333333333") ?? UUID()

    private func application(_ id: UUID, _ sal: String, project: UUID? = nil) throws -> ServiceApplication {
        ServiceApplication(id: id, sal: try SALCompiler.compile(sal, file: "a.sal"), projectId: project)
    }

    private func configuration(_ applications: [ServiceApplication]) -> ServiceConfiguration {
        var configuration = ServiceConfiguration()
        configuration.applications = applications
        configuration.recognizer = RecognizerProvider { task in ScriptedRecognizer(script: task.vocabulary) }
        return configuration
    }

    private func harness() throws -> ServiceHarness {
        try ServiceHarness(
            configuration([
                application(Self.light, "*turn_on [lamp](device)\n"),
                application(Self.shop, "*buy [milk](item)\n", project: Self.project),
            ]))
    }

    private func understand(_ harness: ServiceHarness, _ id: UUID, _ text: String) async throws -> String? {
        let response: WLUResponse = try await harness.unary(
            "/speechly.slu.v1.WLU/Text", WLURequest(languageCode: "en-US", text: text),
            token: harness.token(.application(id.uuidString)))
        return response.segments.first?.intent?.intent
    }

    private func hear(_ harness: ServiceHarness, _ start: SLUStart, token: String) async throws -> (String?, GRPCStatus)
    {
        let stream = try harness.stream(token: token)
        try await stream.configure()
        try await stream.send(.start(start))
        try await stream.send(.audio([UInt8](repeating: 0, count: 3_200)))
        try await stream.send(.stop(SLUStop()))
        stream.closeSend()
        let (responses, status) = await stream.collect()
        return (ContextTranscript.read(responses).first?.segments[0]?.intent, status)
    }

    private func code(_ body: () async throws -> Void) async -> GRPCStatus.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? GRPCStatus)?.code
        }
    }

    private func login(_ harness: ServiceHarness, _ scope: LoginRequest.Scope) async -> GRPCStatus.Code? {
        await code { _ = try await harness.login(LoginRequest(deviceId: ServiceHarness.deviceId, scope: scope)) }
    }

    func testEachApplicationUnderstandsItsOwn() async throws {
        let harness = try harness()
        let light = try await understand(harness, Self.light, "lamp")
        XCTAssertEqual(light, "turn_on")
        let shop = try await understand(harness, Self.shop, "milk")
        XCTAssertEqual(shop, "buy")
        let foreign = try await understand(harness, Self.shop, "lamp")
        XCTAssertEqual(foreign, "")
        for (id, intent) in [(Self.light, "turn_on"), (Self.shop, "buy")] {
            let heard = try await hear(
                harness, SLUStart(), token: harness.token(.application(id.uuidString.lowercased())))
            XCTAssertEqual(heard.0, intent, "\(heard.1)")
        }
    }

    func testOnlyThoseThatAreServedMayLogIn() async throws {
        let harness = try harness()
        let known = await login(harness, .application(ApplicationScope(appId: Self.light.uuidString)))
        XCTAssertNil(known)
        let unknown = await login(harness, .application(ApplicationScope(appId: UUID().uuidString)))
        XCTAssertEqual(unknown, .notFound)
        let project = await login(harness, .project(ProjectScope(projectId: Self.project.uuidString)))
        XCTAssertNil(project)
        let other = await login(harness, .project(ProjectScope(projectId: UUID().uuidString)))
        XCTAssertEqual(other, .notFound)
    }

    func testAProjectTokenOpensTheProjectsApplicationsInOneStream() async throws {
        let harness = try harness()
        let token = try harness.token(.project(Self.project.uuidString))
        let stream = try harness.stream(token: token)
        try await stream.configure()
        for id in [Self.shop, Self.light] {
            try await stream.send(.start(SLUStart(appId: id.uuidString)))
            try await stream.send(.audio([UInt8](repeating: 0, count: 3_200)))
            try await stream.send(.stop(SLUStop()))
        }
        stream.closeSend()
        let (responses, status) = await stream.collect()
        XCTAssertEqual(status, .ok)
        XCTAssertEqual(ContextTranscript.read(responses).map { $0.segments[0]?.intent }, ["buy", "turn_on"])
        // An application of a project is not for another project, one outside of projects is for all.
        let stranger = try harness.token(.project(UUID().uuidString))
        let foreign = try await hear(harness, SLUStart(appId: Self.shop.uuidString), token: stranger)
        XCTAssertEqual(foreign.1.code, .invalidArgument)
        let open = try await hear(harness, SLUStart(appId: Self.light.uuidString), token: stranger)
        XCTAssertEqual(open.1, .ok)
    }

    func testAContextHasTheConfigurationItWasStartedWith() async throws {
        let harness = try harness()
        let stream = try harness.stream(token: harness.token(.application(Self.light.uuidString)))
        try await stream.configure()
        try await stream.send(.start(SLUStart()))
        var all = try await stream.responses { _ in true }
        try harness.service.reload(configuration([application(Self.light, "*turn_off [fan](device)\n")]))
        try await stream.sendContextRest()
        try await stream.send(.start(SLUStart()))
        try await stream.sendContextRest()
        stream.closeSend()
        let (responses, status) = await stream.collect()
        XCTAssertEqual(status, .ok)
        all += responses
        XCTAssertEqual(ContextTranscript.read(all).map { $0.segments[0]?.intent }, ["turn_on", "turn_off"])
    }

    func testAnApplicationThatIsGoneIsNotFound() async throws {
        let harness = try harness()
        let token = try harness.token(.application(Self.shop.uuidString))
        try harness.service.reload(configuration([application(Self.light, "*turn_on [lamp](device)\n")]))
        let heard = try await hear(harness, SLUStart(), token: token)
        XCTAssertEqual(heard.1.code, .notFound, "\(heard.1)")
        let text = await code { _ = try await self.understand(harness, Self.shop, "milk") }
        XCTAssertEqual(text, .notFound)
    }

    func testAReloadThatFailsChangesNothing() async throws {
        let harness = try harness()
        var twice = configuration([])
        twice.applications = [
            try application(Self.light, "*a b\n"), try application(Self.light, "*c d\n"),
        ]
        XCTAssertThrowsError(try harness.service.reload(twice)) {
            XCTAssertEqual($0 as? ServiceConfigurationError, .duplicateApplication(id: Self.light))
        }
        let light = try await understand(harness, Self.light, "lamp")
        XCTAssertEqual(light, "turn_on")
        XCTAssertTrue(harness.service.metrics.contains("speechly_reloads_total{result=\"failed\"} 1"))
    }

    func testUnchangedApplicationsKeepTheirRecognizers() throws {
        let kept = try application(Self.light, "*turn_on [lamp](device)\n")
        let first = try ApplicationDirectory(configuration([kept, application(Self.shop, "*buy milk\n")]))
        let second = try ApplicationDirectory(
            configuration([kept, application(Self.shop, "*buy milk\n")]), reusing: first)
        XCTAssertTrue(first.application(Self.light) === second.application(Self.light))
        XCTAssertFalse(first.application(Self.shop) === second.application(Self.shop))
    }
}

extension TestStream {
    /// What follows a start: a little audio, and the stop.
    fileprivate func sendContextRest() async throws {
        try await send(.audio([UInt8](repeating: 0, count: 3_200)))
        try await send(.stop(SLUStop()))
    }
}
