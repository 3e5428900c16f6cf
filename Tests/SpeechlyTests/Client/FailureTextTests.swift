import SpeechlyGRPC
import XCTest

@testable import Speechly

/// Which side a status is laid at, and what is advised.
final class FailureTextTests: XCTestCase {
    func testWhatTheTransportSaysIsTheNetworks() {
        for status in [
            GRPCStatus(code: .unknown, message: "Stream removed"),
            GRPCStatus(code: .internal, message: "Received RST_STREAM with error code 2"),
            GRPCStatus(code: .unavailable, message: "Socket closed"),
        ] {
            let failure = Failure.login(status, at: "grpc://there")
            XCTAssertEqual(failure.side, .network, "\(failure)")
            XCTAssertFalse(failure.isPermanent, "\(failure)")
            XCTAssertTrue(failure.remedy.hasPrefix("check the address"), "\(failure)")
        }
    }

    func testWhatTheServiceSaysIsTheServices() {
        let failure = Failure.login(GRPCStatus(code: .unknown, message: "no such app"), at: "grpc://there")
        XCTAssertEqual(failure.side, .api)
        XCTAssertEqual(failure.code, .loginFailed)
        XCTAssertEqual(failure.remedy, "check the app or project id")
    }
}
