import SpeechlyAudio
import SpeechlyCore
import SpeechlySync

extension Client: SpeechlyProtocol {
    /// Receives everything the client has to say, on the delegate queue. It is held weakly, and may be set at any
    /// time.
    public var delegate: SpeechlyDelegate? {
        get { engine.state.withLock { $0.delegate } }
        set { engine.state.withLock { $0.delegate = newValue } }
    }

    /// Opens the microphone and starts a context with default options.
    public func startContext(appId: String? = nil) {
        _ = engine.start(appId: appId, options: ContextOptions(), source: nil)
    }

    /// Opens the microphone and starts a context.
    ///
    /// - Parameters:
    ///   - appId: the app; `nil` for the app of the login.
    ///   - options: what the service should know for this context.
    public func startContext(appId: String?, options: ContextOptions) {
        _ = engine.start(appId: appId, options: options, source: nil)
    }

    /// Stops the context and closes the microphone after its tail.
    public func stopContext() {
        engine.handle { state in
            engine.stopWaitingForMicrophone(&state)
            return state.machine.stop(now: engine.clock.now)
        }
    }

    /// Ends everything under way and releases microphone and connection. Until ``resume()`` no context can be started;
    /// ``understand(text:languageCode:referenceTime:)``, which needs neither, still works.
    public func suspend() {
        engine.suspend()
    }

    /// Makes a suspended client usable again.
    ///
    /// - Throws: what keeps the microphone from being prepared.
    public func resume() throws {
        try engine.resume()
    }
}
