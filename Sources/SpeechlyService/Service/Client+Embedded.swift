import Foundation
import Speechly

extension Client {
    /// Creates a client with a service of its own in this process: no network, account or environment
    /// variables are needed.
    ///
    /// The service listens on a Unix socket in a folder that only this user can enter, and ends with the
    /// client.
    ///
    /// ```swift
    /// let client = try Client(embedded: ServiceConfiguration(contentsOfFile: "app.sal"))
    /// let context = try await client.transcribe(AudioFile(path: "command.wav"))
    /// ```
    ///
    /// - Parameters:
    ///   - service: what the service understands.
    ///   - prepareOnInit: whether to open the microphone's device and log in ahead of time. Without it a
    ///     machine needs no sound as long as only files are transcribed.
    ///   - delegateDispatchQueue: where the delegate is called.
    ///   - configuration: what else can be set about the client. Unless it names a cache folder, the token
    ///     and the device id go with the client.
    /// - Throws: `RecognizerError` if speech cannot be recognised on this machine, `GRPCStatus` if the
    ///   service cannot listen, or what keeps the microphone from being prepared.
    public convenience init(
        embedded service: ServiceConfiguration,
        prepareOnInit: Bool = false,
        delegateDispatchQueue: DispatchQueue = DispatchQueue(label: "speechly.Client.delegate"),
        configuration: ClientConfiguration = ClientConfiguration()
    ) throws {
        let host = try EmbeddedHost(service)
        try self.init(
            appId: service.appIds?.first ?? UUID(), projectId: nil, prepareOnInit: prepareOnInit,
            identityAddress: host.address, sluAddress: host.address, delegateDispatchQueue: delegateDispatchQueue,
            configuration: configuration, companion: host, cache: MemoryCache())
    }
}

/// A service that lives as long as the client it is for.
private final class EmbeddedHost: ClientCompanion {
    let address: GRPCAddress
    private let service: EmbeddedService
    private let folder: PrivateFolder

    init(_ configuration: ServiceConfiguration) throws {
        folder = try PrivateFolder(longestPath: GRPCAddress.maximumUnixPathLength - 16)
        address = try GRPCAddress(unixPath: folder.path + "/socket")
        service = try EmbeddedService(configuration: configuration)
        try service.start(listen: [address])
    }

    deinit { service.kill() }

    func close() async {
        await service.shutdown(grace: .zero)
        folder.remove()
    }
}
