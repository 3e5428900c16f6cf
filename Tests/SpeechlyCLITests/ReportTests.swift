import Foundation
import SpeechlyTesting
import TestSupport
import XCTest

@testable import SpeechlyCLI

final class ReportTests: XCTestCase {
    private func measurement(_ first: Int?, last: Int) -> Report.Measurement {
        Report.Measurement(
            audio: .seconds(2), total: .milliseconds(500), firstResult: first.map { .milliseconds($0) },
            lastResult: .milliseconds(last))
    }

    func testPercentilesAreValuesThatWereSeen() {
        let values = (1...100).map(Int64.init)
        XCTAssertEqual([50, 90, 99].map { Report.percentile($0, of: values.shuffled()) }, [50, 90, 99])
        XCTAssertEqual([50, 90, 99].map { Report.percentile($0, of: [3, 1, 2]) }, [2, 3, 3])
        XCTAssertEqual(Report.percentile(50, of: [7]), 7)
    }

    func testSumsUpAllFiles() {
        var report = Report()
        XCTAssertEqual(report.text, "")
        report.add(measurement(100, last: 20))
        report.add(measurement(nil, last: 40))
        XCTAssertEqual(
            report.text,
            """
            report: 2 files, 4.0 s of audio in 1.0 s (4.0 × real time)
            first result: p50 100 ms, p90 100 ms, p99 100 ms
            last result after the end: p50 20 ms, p90 40 ms, p99 40 ms

            """)
        XCTAssertEqual(
            report.json.text,
            #"{"event":"report","files":2,"audioMs":4000,"totalMs":1000,"#
                + #""firstResultMs":{"p50":100,"p90":100,"p99":100},"lastResultMs":{"p50":20,"p90":40,"p99":40}}"#)
    }

    func testIsTheLastThingThatIsPrinted() throws {
        let server = try MockSpeechlyServer(streams: [.hears("go")])
        let outcome = try RunningTool.run([
            "transcribe", "--slu-addr", server.address.description, "--app-id", UUID().uuidString, "--json",
            "--report", TestCases.url("speech/order-by-stars.slt.wav").path,
        ])
        XCTAssertEqual(outcome.status, 0, outcome.error)
        let report = try XCTUnwrap(try outcome.objects().last)
        XCTAssertEqual(report["event"] as? String, "report")
        XCTAssertEqual(report["files"] as? Int, 1)
        XCTAssertEqual(report["audioMs"] as? Int, 2400)
    }
}
