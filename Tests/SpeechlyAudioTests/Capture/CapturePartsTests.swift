import Foundation
import SpeechlySync
import XCTest

@testable import SpeechlyAudio

/// The parts of the recorder that need no thread of its own.
final class CapturePartsTests: XCTestCase {
    private let parameters = FakePCM.standard
    /// All commands that wait.
    private static func commands(_ control: CaptureControl) -> [CaptureControl.Command] {
        var commands: [CaptureControl.Command] = []
        while let command = control.nextCommand() { commands.append(command) }
        return commands
    }

    private let output = CaptureOutput(sampleRate: 16_000, channels: 1, chunk: 0.02)

    func testTheRingKeepsOrderBetweenTwoThreads() async {
        let ring = CaptureRing(slotCount: 4, slotSize: 8)
        let count = 20_000
        let writer = Task.detached {
            var next = 0
            while next < count {
                guard let slot = ring.slotToWrite() else {
                    await Task.yield()
                    continue
                }
                slot.storeBytes(of: next, as: Int.self)
                ring.publish(next % 9)
                next += 1
            }
        }
        var expected = 0
        while expected < count {
            guard let piece = ring.front() else {
                await Task.yield()
                continue
            }
            XCTAssertEqual(piece.count, expected % 9)
            if piece.count == 8 { XCTAssertEqual(piece.load(as: Int.self), expected) }
            ring.pop()
            expected += 1
        }
        await writer.value
        XCTAssertNil(ring.front())
    }

    func testWhatDoesNotFitIsCountedAsLostWhereItIsMissing() throws {
        let stream = try CaptureStream(parameters, output: output)
        let slots = 100  // two seconds
        let extra = 7
        let system = try FakePCM([.frames((slots + extra) * 320)])
        let device = try system.open(PCMRequest(device: "mic", sampleRate: 16_000, channels: 1, format: .int16))
        let delivery = try CaptureDelivery(audioQueue: .global(), delegateQueue: .global())
        var writer = CaptureWriter(stream)
        XCTAssertEqual(device.available(), (slots + extra) * 320)
        XCTAssertEqual(writer.read((slots + extra) * 320, from: device, for: delivery), (slots + extra) * 320)
        for slot in 0..<slots {
            XCTAssertNil(stream.takeEvent())
            let piece = try XCTUnwrap(stream.ring.front())
            XCTAssertEqual(Int(piece.load(as: Int16.self)), Int(Int16(truncatingIfNeeded: 1 + slot * 320)))
            stream.ring.pop()
        }
        XCTAssertNil(stream.ring.front())
        system.add([.frames(330)])
        XCTAssertEqual(device.available(), 330)
        XCTAssertEqual(writer.read(330, from: device, for: delivery), 330)
        XCTAssertEqual(stream.takeEvent(), .lost(frames: extra * 320))
        XCTAssertEqual(stream.ring.front()?.count, 640)
        stream.ring.pop()
        writer.mark(.ended(0))
        XCTAssertEqual(stream.ring.front()?.count, 20)
        XCTAssertNil(stream.takeEvent())
        stream.ring.pop()
        XCTAssertEqual(stream.takeEvent(), .ended(0))
    }

    func testLossesInOnePlaceAddUp() throws {
        let stream = try CaptureStream(parameters, output: output)
        var writer = CaptureWriter(stream)
        writer.lose(1)
        writer.lose(2)
        XCTAssertNil(stream.takeEvent())
        writer.mark(.ended(-EIO))
        XCTAssertEqual(stream.takeEvent(), .lost(frames: 3))
        XCTAssertEqual(stream.takeEvent(), .ended(-EIO))
        XCTAssertNil(stream.takeEvent())
    }

    func testEventsKeepTheirPlaceBetweenTwoThreads() async {
        let marks = CaptureMarks(capacity: 4)
        let count = 5_000
        let writer = Task.detached {
            for next in 0..<count {
                while !marks.add(.lost(frames: next), at: next / 3) { await Task.yield() }
            }
        }
        for expected in 0..<count {
            while true {
                XCTAssertNil(marks.take(at: expected / 3 + 1))
                guard let event = marks.take(at: expected / 3) else {
                    await Task.yield()
                    continue
                }
                XCTAssertEqual(event, .lost(frames: expected))
                break
            }
        }
        await writer.value
    }

    func testTheHistoryKeepsTheNewestFrames() {
        for capacity in [0, 1, 3, 10, 64] {
            let history = CaptureHistory(capacity: capacity, bytesPerFrame: 2)
            var all: [Int16] = []
            for (round, size) in [1, 2, 3, 7, 64, 100, 5, 0, 1].enumerated() {
                let piece = (0..<size).map { Int16(all.count + $0) }
                all += piece
                piece.withUnsafeBytes { bytes in
                    if let base = bytes.baseAddress { history.add(base, frames: size) }
                }
                guard round % 2 == 1 else { continue }
                var taken: [Int16] = []
                history.take { taken += UnsafeBufferPointer(start: $0.assumingMemoryBound(to: Int16.self), count: $1) }
                XCTAssertEqual(taken, Array(all.suffix(capacity)))
                all = []
                XCTAssertEqual(history.count, 0)
            }
        }
    }

    func testTheGovernorHoldsADeviceWithoutAClockToRealTime() {
        var governor = CaptureGovernor(parameters, at: 0)
        var frames = 0
        for millisecond in 0...10_000 {
            let allowance = governor.allowance(at: UInt64(millisecond) * 1_000_000)
            governor.consume(allowance)
            frames += allowance
        }
        XCTAssertEqual(Double(frames) / 160_000, 1.05, accuracy: 0.01)
    }

    func testTheGovernorLetsARealDeviceCatchUp() {
        var governor = CaptureGovernor(parameters, at: 0)
        governor.consume(governor.allowance(at: 0))
        XCTAssertEqual(governor.delay(for: parameters.periodFrames), 20)
        // This process got no processor time for longer than the device's buffer lasts.
        XCTAssertGreaterThanOrEqual(governor.allowance(at: 3_000_000_000), parameters.bufferFrames)
        XCTAssertEqual(governor.delay(for: parameters.periodFrames), 0)
    }

    func testControlRemembersWhatComesWhileTheDeviceIsOpened() throws {
        let control = try CaptureControl()
        control.send(.stop)
        XCTAssertTrue(control.isIdle)
        XCTAssertTrue(control.start())
        control.send(.stop)
        control.send(.stop)
        XCTAssertFalse(control.start())
        control.opened()
        XCTAssertEqual(Self.commands(control), [.start, .stop, .start])
        control.send(.suspend)
        XCTAssertFalse(control.beginClosing())
        XCTAssertEqual(Self.commands(control), [.suspend])
        XCTAssertTrue(control.beginClosing())
        control.send(.stop)
        XCTAssertFalse(control.closed())
        XCTAssertTrue(control.isIdle)
    }

    func testControlOpensTheDeviceAgainForAStartThatCameTooLate() throws {
        let control = try CaptureControl()
        XCTAssertTrue(control.start())
        control.opened()
        _ = Self.commands(control)
        XCTAssertTrue(control.beginClosing())
        control.send(.stop)
        XCTAssertFalse(control.start())
        XCTAssertTrue(control.closed())
        XCTAssertEqual(Self.commands(control), [.start])
        XCTAssertTrue(control.beginClosing())
        XCTAssertFalse(control.start())
        control.send(.quit)
        XCTAssertFalse(control.closed())
    }

    func testASecondStarterLearnsThatTheDeviceCannotBeOpened() throws {
        let control = try CaptureControl()
        XCTAssertTrue(control.start())
        XCTAssertFalse(control.openingFailed())
        XCTAssertTrue(control.start())
        XCTAssertFalse(control.start())
        XCTAssertTrue(control.openingFailed())
        XCTAssertTrue(control.isIdle)
    }

    func testWhatIsThereAtOnceIsCollected() {
        func text(_ messages: [CaptureDelivery.Message], upTo limit: Int = 100) -> [String] {
            CaptureDelivery.Message.collected(messages, upTo: limit).map {
                switch $0 {
                case .audio(let data): String(decoding: data, as: UTF8.self)
                case .level: "-"
                case .lost: "lost"
                default: "?"
                }
            }
        }
        func audio(_ text: String) -> CaptureDelivery.Message { .audio(Data(text.utf8)) }
        let level = CaptureDelivery.Message.level(AudioLevel(rms: 0, peak: 0))
        XCTAssertEqual(text([]), [])
        XCTAssertEqual(text([audio("ab"), audio("cd"), audio("e")]), ["abcde"])
        XCTAssertEqual(text([audio("ab"), audio("cd"), audio("e")], upTo: 4), ["abcd", "e"])
        XCTAssertEqual(text([audio("abcdef"), audio("g")], upTo: 4), ["abcdef", "g"])
        XCTAssertEqual(text([audio("a"), .lost(1), audio("b"), audio("c"), .stopped]), ["a", "lost", "bc", "?"])
        XCTAssertEqual(text([audio("a"), level, audio("b"), level, .lost(1)]), ["ab", "-", "-", "lost"])
        XCTAssertEqual(text([level, audio("a")]), ["a", "-"])
    }
}
