import Foundation
import SpeechlySync

@testable import SpeechlyAudio

/// libasound with a microphone at 48 kHz, whose calls answer what a test wants.
final class FakeALSA: ALSALibrary {
    /// The calls there are, by name.
    enum Call: String, CaseIterable, Sendable {
        case open, close, prepare, start, resume, drop, available, read, descriptorCount, descriptors, events
        case anyParameters, setResampling, setInterleaved, testFormat, setFormat, setChannels
        case setRate, setBufferTime, setPeriodTime, install, rate, channels, format, periodSize, bufferSize
        case currentSoftware, setMinimumAvailable, installSoftware
    }

    /// What a call answers in the place of its own answer.
    struct Fault: Sendable {
        var call: Call
        var code: Int32
        /// Which of the calls of that name answer so, counted from 1.
        var when: ClosedRange<Int>
    }

    private struct State {
        var counts: [Call: Int] = [:]
        var open: Set<Int> = []
        var nextHandle = 1
        var closedTwice = 0
        var startedAt: UInt64?
        var framesRead = 0
        var framesInAll = 0
        /// When the device was started, in nanoseconds.
        var starts: [UInt64] = []
    }

    static let rate = 48_000
    private let faults: [Fault]
    private let time: VirtualTime
    private let state = Locked(State())

    init(_ faults: [Fault], time: VirtualTime) {
        self.faults = faults
        self.time = time
    }

    var openHandles: Int { state.withLock { $0.open.count } }
    var wronglyClosed: Int { state.withLock { $0.closedTwice } }
    /// How many frames were read in all.
    var framesRead: Int { state.withLock { $0.framesInAll } }
    var starts: [UInt64] { state.withLock { $0.starts } }
    func count(of call: Call) -> Int { state.withLock { $0.counts[call] ?? 0 } }

    /// Counts a call; the answer that is forced on it, if any.
    private func forced(_ call: Call) -> Int32? {
        let number = state.withLock { state in
            state.counts[call, default: 0] += 1
            return state.counts[call] ?? 0
        }
        return faults.first { $0.call == call && $0.when.contains(number) }?.code
    }

    private func answer(_ call: Call, _ own: () -> Int32 = { 0 }) -> Int32 { forced(call) ?? own() }

    // MARK: Device

    func open(_ handle: inout OpaquePointer?, _ name: String) -> Int32 {
        if let code = forced(.open) { return code }
        handle = state.withLock { state in
            defer { state.nextHandle += 1 }
            state.open.insert(state.nextHandle)
            return OpaquePointer(bitPattern: state.nextHandle * 16)
        }
        return 0
    }

    func close(_ handle: OpaquePointer) -> Int32 {
        state.withLock { state in
            if state.open.remove(Int(bitPattern: handle) / 16) == nil { state.closedTwice += 1 }
        }
        return answer(.close)
    }

    func isServer(_ handle: OpaquePointer) -> Bool { false }

    func prepare(_ handle: OpaquePointer) -> Int32 { answer(.prepare) }

    func start(_ handle: OpaquePointer) -> Int32 {
        let now = time.now
        state.withLock { $0.starts.append(now) }
        return answer(.start) {
            state.withLock { state in
                state.startedAt = now
                state.framesRead = 0
            }
            return 0
        }
    }

    func resume(_ handle: OpaquePointer) -> Int32 { answer(.resume) }
    func drop(_ handle: OpaquePointer) -> Int32 { answer(.drop) }

    func available(_ handle: OpaquePointer) -> Int {
        if let code = forced(.available) { return Int(code) }
        let now = time.now
        return state.withLock { state in
            guard let start = state.startedAt else { return 0 }
            return Int((now - start) * UInt64(Self.rate) / 1_000_000_000) - state.framesRead
        }
    }

    func read(_ handle: OpaquePointer, into buffer: UnsafeMutableRawPointer, frames: Int) -> Int {
        if let code = forced(.read) { return Int(code) }
        memset(buffer, 7, frames * 4)
        state.withLock { state in
            state.framesRead += frames
            state.framesInAll += frames
        }
        return frames
    }

    func descriptorCount(_ handle: OpaquePointer) -> Int32 { answer(.descriptorCount) { 1 } }

    func descriptors(_ handle: OpaquePointer, into list: UnsafeMutableBufferPointer<pollfd>) -> Int32 {
        answer(.descriptors) { Int32(list.count) }
    }

    func events(_ handle: OpaquePointer, in list: UnsafeMutableBufferPointer<pollfd>, _ events: inout UInt16) -> Int32 {
        events = UInt16(POLLIN)
        return answer(.events)
    }

    // MARK: Parameters

    func anyParameters(_ handle: OpaquePointer, _ parameters: OpaquePointer) -> Int32 { answer(.anyParameters) }
    func setResampling(_ handle: OpaquePointer, _ parameters: OpaquePointer, _ isAllowed: Bool) -> Int32 {
        answer(.setResampling)
    }
    func setInterleaved(_ handle: OpaquePointer, _ parameters: OpaquePointer) -> Int32 { answer(.setInterleaved) }
    func testFormat(_ handle: OpaquePointer, _ parameters: OpaquePointer, _ format: AudioSampleFormat) -> Int32 {
        answer(.testFormat)
    }
    func setFormat(_ handle: OpaquePointer, _ parameters: OpaquePointer, _ format: AudioSampleFormat) -> Int32 {
        answer(.setFormat)
    }
    func setChannels(_ handle: OpaquePointer, _ parameters: OpaquePointer, near channels: inout UInt32) -> Int32 {
        channels = 2
        return answer(.setChannels)
    }
    func setRate(_ handle: OpaquePointer, _ parameters: OpaquePointer, near rate: inout UInt32) -> Int32 {
        rate = UInt32(Self.rate)
        return answer(.setRate)
    }
    func setBufferTime(_ handle: OpaquePointer, _ parameters: OpaquePointer, near time: inout UInt32) -> Int32 {
        answer(.setBufferTime)
    }
    func setPeriodTime(_ handle: OpaquePointer, _ parameters: OpaquePointer, near time: inout UInt32) -> Int32 {
        answer(.setPeriodTime)
    }
    func install(_ handle: OpaquePointer, _ parameters: OpaquePointer) -> Int32 { answer(.install) }

    func rate(_ parameters: OpaquePointer, _ rate: inout UInt32) -> Int32 {
        rate = UInt32(Self.rate)
        return answer(.rate)
    }
    func channels(_ parameters: OpaquePointer, _ channels: inout UInt32) -> Int32 {
        channels = 2
        return answer(.channels)
    }
    func format(_ parameters: OpaquePointer, _ format: inout AudioSampleFormat?) -> Int32 {
        format = .int16
        return answer(.format)
    }
    func periodSize(_ parameters: OpaquePointer, _ frames: inout Int) -> Int32 {
        frames = 960
        return answer(.periodSize)
    }
    func bufferSize(_ parameters: OpaquePointer, _ frames: inout Int) -> Int32 {
        frames = 24_000
        return answer(.bufferSize)
    }

    func currentSoftware(_ handle: OpaquePointer, _ software: OpaquePointer) -> Int32 { answer(.currentSoftware) }
    func setMinimumAvailable(_ handle: OpaquePointer, _ software: OpaquePointer, _ frames: Int) -> Int32 {
        answer(.setMinimumAvailable)
    }
    func installSoftware(_ handle: OpaquePointer, _ software: OpaquePointer) -> Int32 { answer(.installSoftware) }
}
