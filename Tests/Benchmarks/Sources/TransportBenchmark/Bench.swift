import Foundation
import Speechly

enum Bench {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A token that nobody checks.
    static func token() throws -> ApiAccessToken {
        func part(_ text: String) -> String {
            Data(text.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
        }
        let payload =
            #"{"appId":"9e61eb24-3cb6-4a8c-b1f1-7a1f4c6b1f5e","deviceId":"d1a5b3a0-7d4c-4a4b-8f14-2f3a3ac1d5aa","#
            + #""configId":"","scope":"","iss":"","aud":"","exp":4102444800,"iat":1600000000}"#
        guard let token = ApiAccessToken(tokenString: "\(part("{}")).\(part(payload)).x") else {
            throw Failure(description: "the token is not one")
        }
        return token
    }
}
