import Foundation
import SpeechlySync
import TestSupport
import XCTest

@testable import SpeechlyAudio

final class AudioDeviceTests: XCTestCase {
    override class func setUp() {
        super.setUp()
        XCTAssertNoThrow(try ALSASandbox.enter())
    }

    func testTheDefaultComesFirstWithWhatItCanDo() throws {
        let devices = AudioDevice.all()
        let first = try XCTUnwrap(devices.first)
        XCTAssertEqual(first.id, "default")
        XCTAssertTrue(first.isDefault)
        XCTAssertFalse(first.name.isEmpty)
        XCTAssertEqual(first.minimumChannels, 1)
        XCTAssertGreaterThanOrEqual(first.maximumChannels ?? 0, 2)
        XCTAssertTrue(first.sampleRates.contains(16_000) && first.sampleRates.contains(48_000))
        XCTAssertEqual(first.sampleRates, first.sampleRates.sorted())
        XCTAssertEqual(devices.filter(\.isDefault).count, 1)
        XCTAssertEqual(Set(devices.map(\.id)).count, devices.count)
        XCTAssertFalse(devices.contains { $0.id == "null" })
    }

    func testDevicesWithADescriptionAreListed() throws {
        let device = try XCTUnwrap(AudioDevice.all().first { $0.id == "described" })
        XCTAssertEqual(device.name, "A microphone of the tests")
        XCTAssertFalse(device.isDefault)
    }

    func testChangesAreToldOnceEach() async {
        let clock = ManualClock()
        let value = Locked(1)
        var changes = DeviceMonitor.changes(interval: .seconds(2), clock: clock) { value.withLock { $0 } }
            .makeAsyncIterator()
        let first = await changes.next()
        XCTAssertEqual(first, 1)
        for _ in 0..<3 {
            let deadline = await clock.nextDeadline()
            clock.advance(to: deadline)
        }
        _ = await clock.nextDeadline()
        value.withLock { $0 = 2 }
        clock.advance(to: await clock.nextDeadline())
        let second = await changes.next()
        XCTAssertEqual(second, 2)
    }

    func testAccessIsReadFromTheDevicesTheUserMayRead() {
        func access(
            _ devices: [String], readable: Set<String> = [], environment: [String: String] = [:],
            files: Set<String> = []
        ) -> SoundAccess {
            SoundAccess(
                devices: devices, environment: environment, isReadable: readable.contains, exists: files.contains)
        }
        let card = ["controlC0", "pcmC0D0p", "pcmC0D0c", "timer", "seq"]
        XCTAssertEqual(access([]), .hidden)
        XCTAssertEqual(access(["timer", "seq"]), .hidden)
        XCTAssertEqual(access(["controlC0", "pcmC0D0p"]), .nothing)
        XCTAssertEqual(access(card), .denied)
        XCTAssertEqual(access(card, readable: ["pcmC0D0p"]), .denied)
        XCTAssertEqual(access(card, readable: ["pcmC0D0c"]), .allowed)
        XCTAssertEqual(access([], environment: ["PULSE_SERVER": "unix:/x"]), .allowed)
        XCTAssertEqual(access(card, environment: ["XDG_RUNTIME_DIR": "/run/user/1"]), .denied)
        XCTAssertEqual(
            access(card, environment: ["XDG_RUNTIME_DIR": "/run/user/1"], files: ["/run/user/1/pulse/native"]), .allowed
        )
        XCTAssertEqual(
            [SoundAccess.hidden, .nothing, .denied, .allowed].map { AudioAuthorizationStatus($0) },
            [.restricted, .notDetermined, .denied, .authorized])
    }
}
