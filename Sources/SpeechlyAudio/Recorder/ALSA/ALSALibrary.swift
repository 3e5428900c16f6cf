import CALSA
import Foundation

/// The calls of libasound that capturing uses, so that tests can put their own answers in their place.
///
/// Functions return what libasound's do: a negative `errno` when they fail.
protocol ALSALibrary: Sendable {
    func open(_ handle: inout OpaquePointer?, _ name: String) -> Int32
    func close(_ handle: OpaquePointer) -> Int32
    /// Whether a sound server or another program stands behind the device, which gives any rate it is asked for.
    func isServer(_ handle: OpaquePointer) -> Bool

    func prepare(_ handle: OpaquePointer) -> Int32
    func start(_ handle: OpaquePointer) -> Int32
    func resume(_ handle: OpaquePointer) -> Int32
    func drop(_ handle: OpaquePointer) -> Int32
    func available(_ handle: OpaquePointer) -> Int
    func read(_ handle: OpaquePointer, into buffer: UnsafeMutableRawPointer, frames: Int) -> Int
    func descriptorCount(_ handle: OpaquePointer) -> Int32
    func descriptors(_ handle: OpaquePointer, into list: UnsafeMutableBufferPointer<pollfd>) -> Int32
    func events(_ handle: OpaquePointer, in list: UnsafeMutableBufferPointer<pollfd>, _ events: inout UInt16) -> Int32

    func anyParameters(_ handle: OpaquePointer, _ parameters: OpaquePointer) -> Int32
    func setResampling(_ handle: OpaquePointer, _ parameters: OpaquePointer, _ isAllowed: Bool) -> Int32
    func setInterleaved(_ handle: OpaquePointer, _ parameters: OpaquePointer) -> Int32
    func testFormat(_ handle: OpaquePointer, _ parameters: OpaquePointer, _ format: AudioSampleFormat) -> Int32
    func setFormat(_ handle: OpaquePointer, _ parameters: OpaquePointer, _ format: AudioSampleFormat) -> Int32
    func setChannels(_ handle: OpaquePointer, _ parameters: OpaquePointer, near channels: inout UInt32) -> Int32
    func setRate(_ handle: OpaquePointer, _ parameters: OpaquePointer, near rate: inout UInt32) -> Int32
    func setBufferTime(_ handle: OpaquePointer, _ parameters: OpaquePointer, near time: inout UInt32) -> Int32
    func setPeriodTime(_ handle: OpaquePointer, _ parameters: OpaquePointer, near time: inout UInt32) -> Int32
    func install(_ handle: OpaquePointer, _ parameters: OpaquePointer) -> Int32

    func rate(_ parameters: OpaquePointer, _ rate: inout UInt32) -> Int32
    func channels(_ parameters: OpaquePointer, _ channels: inout UInt32) -> Int32
    func format(_ parameters: OpaquePointer, _ format: inout AudioSampleFormat?) -> Int32
    func periodSize(_ parameters: OpaquePointer, _ frames: inout Int) -> Int32
    func bufferSize(_ parameters: OpaquePointer, _ frames: inout Int) -> Int32

    func currentSoftware(_ handle: OpaquePointer, _ software: OpaquePointer) -> Int32
    func setMinimumAvailable(_ handle: OpaquePointer, _ software: OpaquePointer, _ frames: Int) -> Int32
    func installSoftware(_ handle: OpaquePointer, _ software: OpaquePointer) -> Int32
}
