import Dispatch
import Foundation
import SpeechlyTesting
import XCTest

@testable import Speechly

let testAppId = UUID(
    uuid: (0xBE, 0x3B, 0xFB, 0x17, 0xEE, 0x36, 0x40, 0x50, 0x88, 0x30, 0x74, 0x3A, 0xA8, 0x50, 0x65, 1))

extension Client {
    /// A client of a mock server, with a recorder that the test plays.
    static func make(
        _ server: MockSpeechlyServer, recorder: AudioRecorderProtocol = FakeRecorder(), appId: UUID? = testAppId,
        projectId: UUID? = nil, cache: CacheProtocol = MemoryCache(), prepareOnInit: Bool = false,
        delegateQueue: DispatchQueue = DispatchQueue(label: "test.delegate"), sluAddress: GRPCAddress? = nil,
        clock: any ClientClock = SystemClock(), watch: (any ConnectionWatch)? = nil,
        configure: (inout ClientConfiguration) -> Void = { _ in }
    ) throws -> Client {
        var configuration = ClientConfiguration()
        configure(&configuration)
        var settings = SluClient.Settings()
        settings.connectTimeout = configuration.connectTimeout
        settings.idleTimeout = configuration.idleTimeout
        let address = server.address
        let connectTimeout = configuration.connectTimeout
        let makeChannel = { @Sendable in
            try Channel(
                address: address,
                configuration: .init(connectTimeout: connectTimeout, ownConnection: true))
        }
        let streamAddress = sluAddress ?? address
        let makeSluChannel = { @Sendable in
            try Channel(
                address: streamAddress,
                configuration: Channel.Configuration(connectTimeout: connectTimeout).forOneAttempt)
        }
        let sluClient = SluClient(
            channel: try makeSluChannel(), delegateQueue: nil, settings: settings, clock: clock,
            makeChannel: makeSluChannel)
        let identity = CachingIdentityClient(
            baseClient: IdentityClient(channel: try makeChannel(), timeout: configuration.connectTimeout),
            cache: cache)
        let login = ClientLogin(
            appId: appId, projectId: projectId, identityClient: identity, cache: cache, place: address.description)
        let wlu = WluClient(channel: try makeChannel()) { try await login.authenticate() }
        return Client(
            login: login, prepareOnInit: prepareOnInit, sluClient: sluClient, audioRecorder: recorder,
            delegateDispatchQueue: delegateQueue, configuration: configuration, clock: clock, wlu: wlu, companion: nil,
            watch: watch)
    }
}

let testDeviceId = UUID(uuid: (0xA4, 0xB5, 0xC6, 0xD7, 0, 0, 0x40, 0, 0x80, 0, 1, 0x23, 0x45, 0x67, 0x89, 0xAB))
