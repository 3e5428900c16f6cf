import Foundation
import SpeechlyGRPC

/// Who may use the service, and for which language it is.
struct ApplicationDirectory: Sendable {
    /// The applications that may log in; `nil` for any.
    var appIds: Set<UUID>?
    /// The projects that may log in; `nil` for any.
    var projectIds: Set<UUID>?
    /// The language of the service, as a BCP 47 tag.
    var languageCode: String

    /// Checks the application that a context names, against the token's scope.
    func checkApplication(_ appId: String, for holder: TokenClaims) throws(GRPCStatus) {
        switch holder.scope {
        case .application(let own):
            guard !appId.isEmpty else { return }
            guard let asked = UUID(uuidString: appId), asked == UUID(uuidString: own) else {
                throw .invalid("start names the application '\(Self.shown(appId))', the token is for '\(own)'")
            }
        case .project:
            guard !appId.isEmpty else {
                throw .invalid("start has to name an application, because the token is for a project")
            }
            guard let asked = UUID(uuidString: appId) else {
                throw .invalid("the application id '\(Self.shown(appId))' is not a UUID")
            }
            guard appIds?.contains(asked) ?? true else {
                throw .invalid("the application '\(appId)' is not in the project")
            }
        }
    }

    /// Checks a language that a client asks for. None means the service's.
    func checkLanguage(_ code: String) throws(GRPCStatus) {
        guard !code.isEmpty else { return }
        guard Self.primary(code) == Self.primary(languageCode) else {
            throw .invalid("the language '\(Self.shown(code))' is not served here: this service is for \(languageCode)")
        }
    }

    private static func primary(_ code: String) -> String {
        String(code.prefix { $0 != "-" && $0 != "_" }).lowercased()
    }

    /// Text of a peer as it may stand in a message.
    static func shown(_ text: String) -> String {
        let clean = String(text.prefix(64).map { $0.isNewline || ($0.asciiValue ?? 32) < 32 ? "?" : $0 })
        return text.count > 64 ? clean + "…" : clean
    }
}
