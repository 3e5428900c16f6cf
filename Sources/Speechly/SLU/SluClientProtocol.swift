import Foundation

/// Streams audio to the SLU service: one stream that carries any number of contexts, one after the other.
public protocol SluClientProtocol: Sendable {
    /// Receives what the service sends. It is held weakly.
    var delegate: SluClientDelegate? { get nonmutating set }

    /// Opens the stream and sends its configuration. Does nothing when the stream is open.
    ///
    /// - Parameters:
    ///   - token: opens the service.
    ///   - config: what the audio is.
    /// - Throws: what keeps the stream from being opened.
    func connect(token: ApiAccessToken, config: SluConfig) async throws

    /// Ends the stream: stops the context, lets the results come in, and waits for the service to close.
    func disconnect() async throws

    /// Starts a context with default options.
    ///
    /// - Parameter appId: the app; `nil` for the app of the token.
    /// - Throws: `InvalidSLUState`, or the status the stream ended with.
    func startContext(appId: String?) async throws

    /// Starts a context.
    ///
    /// - Parameters:
    ///   - appId: the app; `nil` for the app of the token.
    ///   - options: what the service should know for this context.
    /// - Throws: `InvalidSLUState`, or the status the stream ended with.
    func startContext(appId: String?, options: ContextOptions) async throws

    /// Stops the context. Its last results follow.
    ///
    /// - Throws: `InvalidSLUState`, or the status the stream ended with.
    func stopContext() async throws

    /// Ends the stream at once and releases the connection.
    func suspend() async throws

    /// Makes a suspended client usable again; it has to connect anew.
    func resume() async throws

    /// Sends audio of the context, waiting while the peer takes no more.
    ///
    /// - Parameter data: signed 16-bit little-endian samples, as the configuration says.
    /// - Throws: `InvalidSLUState`, or the status the stream ended with.
    func write(data: Data) async throws
}

extension SluClientProtocol {
    /// Starts a context and leaves the options out.
    public func startContext(appId: String?, options: ContextOptions) async throws {
        try await startContext(appId: appId)
    }
}
