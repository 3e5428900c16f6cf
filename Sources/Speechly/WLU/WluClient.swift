import Foundation
import SpeechlyCore
import SpeechlyGRPC
import SpeechlyProto

/// Finds intents and entities in written text.
public final class WluClient: Sendable {
    private let channel: RenewableChannel
    private let timeout: Duration
    private let allowsPlaintextToken: Bool
    private let token: @Sendable () async throws -> ApiAccessToken

    /// Creates a client of a service at an address.
    ///
    /// - Parameters:
    ///   - addr: the address of the WLU service, as `GRPCAddress` reads it.
    ///   - token: gives the access token for each request, such as a `CachingIdentityClient`'s.
    /// - Throws: `GRPCAddress.ParseError`.
    public convenience init(addr: String, token: @escaping @Sendable () async throws -> ApiAccessToken) throws {
        let address = try GRPCAddress(addr: addr)
        self.init(
            channel: try RenewableChannel(address: address, watch: SystemWatch.watch(for: address)),
            timeout: .seconds(10), allowsPlaintextToken: false, token: token)
    }

    /// Creates a client over a channel.
    ///
    /// - Parameters:
    ///   - channel: the channel to the WLU service.
    ///   - timeout: how long an answer may take.
    ///   - allowsPlaintextToken: whether the access token may go over a network in plain text.
    ///   - token: gives the access token for each request.
    public convenience init(
        channel: Channel, timeout: Duration = .seconds(10), allowsPlaintextToken: Bool = false,
        token: @escaping @Sendable () async throws -> ApiAccessToken
    ) {
        self.init(
            channel: RenewableChannel(channel), timeout: timeout, allowsPlaintextToken: allowsPlaintextToken,
            token: token)
    }

    init(
        channel: RenewableChannel, timeout: Duration, allowsPlaintextToken: Bool,
        token: @escaping @Sendable () async throws -> ApiAccessToken
    ) {
        self.channel = channel
        self.timeout = timeout
        self.allowsPlaintextToken = allowsPlaintextToken
        self.token = token
    }

    /// Finds intents and entities in a text, with the app that the token is for.
    ///
    /// - Parameters:
    ///   - text: what was written.
    ///   - languageCode: the language of the text, a BCP 47 tag.
    ///   - referenceTime: what "today" means in the text; `nil` for the present moment.
    /// - Returns: the segments of the text.
    /// - Throws: `Failure`, or `CancellationError`.
    public func understand(
        text: String, languageCode: String, referenceTime: Date? = nil
    ) async throws -> [WrittenSegment] {
        let request = try WLURequest(text: text, languageCode: languageCode, referenceTime: referenceTime)
        let response: WLUResponse = try await call("Text", request)
        return response.segments.map(WrittenSegment.init)
    }

    /// Finds intents and entities in several texts, with an app of the project that the token is for.
    ///
    /// - Parameters:
    ///   - texts: what was written.
    ///   - appId: the app.
    ///   - languageCode: the language of the texts, a BCP 47 tag.
    ///   - referenceTime: what "today" means in the texts; `nil` for the present moment.
    /// - Returns: the segments of each text, in the order of the texts.
    /// - Throws: `Failure`, or `CancellationError`.
    public func understand(
        texts: [String], appId: String, languageCode: String, referenceTime: Date? = nil
    ) async throws -> [[WrittenSegment]] {
        let requests = try texts.map {
            try WLURequest(text: $0, languageCode: languageCode, referenceTime: referenceTime)
        }
        let response: TextsResponse = try await call("Texts", TextsRequest(appId: appId, requests: requests))
        return response.responses.map { $0.segments.map(WrittenSegment.init) }
    }

    /// What has become of the text.
    private static func outcome(_ error: any Error) -> String {
        switch (error as? GRPCStatus)?.code {
        case .unavailable: "the text was not delivered"
        case .deadlineExceeded: "there was no answer to the text"
        default: "the text was not understood"
        }
    }

    private func call<Response: ProtoMessage>(_ method: String, _ request: some ProtoMessage) async throws -> Response {
        try TokenSafety.check(channel.address, allowsPlaintext: allowsPlaintextToken)
        let token = try await token()
        do {
            var options = makeTokenCallOptions(token: token.tokenString)
            options.timeout = timeout
            let answer = try await channel.unary(
                path: "/speechly.slu.v1.WLU/\(method)", request: request.serializedBytes(), options: options)
            return try Response(serializedBytes: answer.message)
        } catch let error as ProtoError {
            throw Failure.message(error)
        } catch let error where Task.isCancelled {
            _ = error
            throw CancellationError()
        } catch {
            throw Failure.transport(error, Self.outcome(error), at: channel.address.description)
        }
    }
}

extension WLURequest {
    /// The seconds that the service's format of a time has: the years 1 to 9999.
    private static let seconds = -62_135_596_800.0..<253_402_300_800.0

    fileprivate init(text: String, languageCode: String, referenceTime: Date?) throws(Failure) {
        var timestamp: ProtoTimestamp?
        if let time = referenceTime?.timeIntervalSince1970 {
            guard Self.seconds.contains(time) else {
                throw Failure(
                    code: .unsupported, side: .api, what: "the reference time is not within the years 1 to 9999",
                    remedy: "pass a date of these years, or nil for the present moment")
            }
            let whole = time.rounded(.down)
            timestamp = ProtoTimestamp(seconds: Int64(whole), nanos: Int32((time - whole) * 1e9))
        }
        self.init(languageCode: languageCode, text: text, referenceTime: timestamp)
    }
}
