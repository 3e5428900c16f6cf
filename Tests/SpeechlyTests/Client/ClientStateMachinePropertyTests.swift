import XCTest

@testable import Speechly

final class ClientStateMachinePropertyTests: XCTestCase {
    private func settings(_ seed: UInt64) -> ClientStateMachine.Settings {
        var settings = ClientStateMachine.Settings()
        settings.maximumBufferedBytes = seed % 3 == 0 ? 200 : 10_000
        return settings
    }

    /// Whatever happens in whatever order: commands keep the protocol, audio stays with its utterance, every start
    /// ends exactly once, and nothing is left over.
    func testRandomEvents() {
        for seed in 0..<240 as Range<UInt64> {
            var world = ClientWorld(seed: seed, recorderReports: seed % 4 != 0, settings: settings(seed))
            for step in 1...150 {
                switch Int.random(in: 0..<44, using: &world.random) {
                case 0...3: world.start(step, appId: ["a", "b", nil].randomElement(using: &world.random) ?? nil)
                case 40: world.start(step, appId: nil, source: .external)
                case 41, 42: world.sources.max().map { world.supply(to: $0) }
                case 43: world.endSource()
                case 4...6: world.perform(world.machine.stop(now: world.now))
                case 7: world.perform(world.machine.suspend(now: world.now))
                case 8, 9: _ = world.machine.resume()
                case 10...12: world.stepRecorder()
                case 13...17: world.capture()
                case 18, 19: world.endTail()
                case 20...22: world.stepLogin(succeeds: Int.random(in: 0..<4, using: &world.random) > 0)
                case 23...25: world.stepConnect(succeeds: Int.random(in: 0..<4, using: &world.random) > 0)
                case 26...33: world.stepSender()
                case 34...36: world.stepService()
                case 37: world.advance(by: .milliseconds(Int.random(in: 0...4000, using: &world.random)))
                case 38:
                    let ends: [ClientStateMachine.StreamEnd] = [
                        .refused(.notListening), .lost(.notListening), .failed(.notListening),
                    ]
                    world.breakStream(ends.randomElement(using: &world.random) ?? .failed(.notListening))
                default:
                    let id = world.machine.utterances.last?.id ?? 0
                    if world.startsToDo.contains(id) {
                        world.startsToDo.removeAll { $0 == id }
                        world.perform(
                            world.machine.recorderFailedToStart(utterance: id, .notListening, now: world.now))
                    }
                }
            }
            _ = world.machine.resume()
            world.settle()
            XCTAssertEqual(world.machine.utterances, [], "seed \(seed)")
            XCTAssertEqual(world.requests, world.ended, "seed \(seed)")
            XCTAssertEqual(world.machine.bytesInFlight, 0, "seed \(seed)")
            XCTAssertNil(world.machine.handover, "seed \(seed)")
            XCTAssertEqual(world.machine.expectedRecorderStops, [], "seed \(seed)")
        }
    }

    /// With a good network, everything captured is sent, once and in order, whatever the starts and stops.
    func testNoAudioIsLostOrRepeated() {
        for seed in 0..<120 as Range<UInt64> {
            var settings = ClientStateMachine.Settings()
            settings.maximumBufferedBytes = 1_000_000
            var world = ClientWorld(seed: seed, recorderReports: true, settings: settings)
            var captured: [UInt8] = []
            for step in 1...120 {
                switch Int.random(in: 0..<20, using: &world.random) {
                case 0, 1: world.start(step, appId: ["a", "b"].randomElement(using: &world.random))
                case 2: world.perform(world.machine.stop(now: world.now))
                case 3...5: world.stepRecorder()
                case 6...11:
                    // What is captured before the recorder has begun for an utterance has none to belong to.
                    if world.recorder != .off, world.machine.isRecording {
                        world.capture()
                        captured += Array(repeating: world.nextByte, count: ClientWorld.wordLength)
                    }
                case 12: world.endTail()
                case 13: world.stepLogin(succeeds: true)
                case 14: world.stepConnect(succeeds: true)
                case 15...17: world.stepSender()
                default: world.stepService()
                }
            }
            world.settle()
            XCTAssertEqual(world.contexts.flatMap(\.audio), captured, "seed \(seed)")
            XCTAssertEqual(world.requests, world.ended, "seed \(seed)")
        }
    }

    /// A file of many contexts is heard whole by a service that is much slower than its client and works in order,
    /// though starts are given little time and streams break.
    func testAFileIsHeardWholeByABusyService() {
        for seed in stride(from: 0, to: 400, by: 2) as StrideTo<UInt64> {
            var settings = ClientStateMachine.Settings()
            settings.maximumReconnects = 1000
            settings.maximumLostStreams = 1000
            settings.maximumReplayBytes = 0
            settings.contextLimit = .milliseconds(400)
            settings.startTimeout = .milliseconds(300)
            var world = ClientWorld(seed: seed, recorderReports: true, settings: settings)
            XCTAssertTrue(world.worksInOrder)
            world.start(1, appId: nil, source: .external)
            for _ in 0..<20_000 where world.nextByte < 200 {
                switch Int.random(in: 0..<40, using: &world.random) {
                case 0...11: world.supply(to: 1)
                case 12, 13: world.stepLogin(succeeds: true)
                case 14, 15: world.stepConnect(succeeds: true)
                case 16...31: world.stepSender()
                case 32...35: world.stepService()
                case 36...38: world.advance(by: .milliseconds(Int.random(in: 0...40, using: &world.random)))
                default:
                    if seed % 4 == 0, Int.random(in: 0..<20, using: &world.random) == 0 {
                        world.breakStream(.lost(.notListening))
                    }
                }
            }
            XCTAssertEqual(world.nextByte, 200, "seed \(seed)")
            world.perform(world.machine.sourceEnded(utterance: 1, now: world.now))
            world.settle()
            XCTAssertEqual(world.completed, [1], "seed \(seed): \(world.failures)")
            XCTAssertEqual(world.words[1]?.map(\.value), world.captured[1], "seed \(seed)")
            if seed % 4 != 0 { XCTAssertEqual(world.machine.session, 1, "seed \(seed): a stream was given up") }
        }
    }

    /// However often the stream breaks: every word reaches the host once, in order, at its time, in segments and at
    /// indices that go on, and every context ends complete.
    func testBrokenStreamsCostNoWord() {
        for seed in 0..<300 as Range<UInt64> {
            var settings = ClientStateMachine.Settings()
            settings.maximumReconnects = 1000
            settings.maximumLostStreams = 1000
            settings.contextLimit = seed % 3 == 0 ? .milliseconds(400) : nil
            var world = ClientWorld(seed: seed, recorderReports: true, settings: settings)
            var breaks = 0
            for step in 1...300 {
                switch Int.random(in: 0..<40, using: &world.random) {
                case 0 where world.machine.utterances.isEmpty: world.start(step, appId: nil)
                case 1:
                    if Int.random(in: 0..<3, using: &world.random) == 0 {
                        world.perform(world.machine.stop(now: world.now))
                    }
                case 2...4: world.stepRecorder()
                case 5...15: if world.machine.isRecording { world.capture() }
                case 16: world.endTail()
                case 17, 18: world.stepLogin(succeeds: true)
                case 19, 20: world.stepConnect(succeeds: true)
                case 21...28: world.stepSender()
                case 29...36: world.stepService()
                case 37, 38: world.advance(by: .milliseconds(Int.random(in: 0...100, using: &world.random)))
                default:
                    if world.streamSession != nil { breaks += 1 }
                    let isRefused =
                        Bool.random(using: &world.random)
                        && !world.machine.utterances.contains(where: \.hasLoggedInAgain)
                    world.breakStream(isRefused ? .refused(.notListening) : .lost(.notListening))
                }
            }
            world.settle()
            XCTAssertGreaterThan(breaks, 0, "seed \(seed)")
            XCTAssertEqual(world.requests, world.ended, "seed \(seed)")
            for id in world.completed {
                let words = world.words[id] ?? []
                XCTAssertEqual(words.map(\.value), world.captured[id] ?? [], "seed \(seed), utterance \(id)")
                for (number, word) in words.enumerated() {
                    XCTAssertEqual(
                        word.start, Double(number * ClientWorld.wordLength) / 1000, accuracy: 1e-6, "seed \(seed)")
                }
                for (word, next) in zip(words, words.dropFirst()) {
                    if next.segment == word.segment {
                        XCTAssertEqual(next.index, word.index + 1, "seed \(seed)")
                    } else {
                        XCTAssertEqual(next.segment, word.segment + 1, "seed \(seed)")
                        XCTAssertEqual(next.index, 0, "seed \(seed)")
                    }
                }
            }
            XCTAssertEqual(world.completed.union(world.failures.keys), world.ended, "seed \(seed)")
        }
    }
}
