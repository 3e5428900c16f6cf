import CALSA
import Foundation

/// Opens capture devices of ALSA.
struct ALSASystem: PCMSystem {
    typealias Failure = AudioRecorder.AudioRecorderError

    var library: any ALSALibrary = LibASound()
    /// What this process may do with the sound devices.
    var access: @Sendable () -> SoundAccess = { SoundAccess.current() }

    func open(_ request: PCMRequest) throws(Failure) -> any PCMDevice {
        guard !request.device.isEmpty else { throw .openFailed(device: "", reason: "the name is empty") }
        return try quietly { () throws(Failure) in
            let handle = try handle(
                named: request.device, device: request.device, namesOthers: request.namesOthers)
            let failure: Failure
            do throws(Failure) {
                return try configured(handle, request)
            } catch {
                failure = error
            }
            // A device that has nothing suitable itself may have it behind ALSA's conversions.
            guard !request.device.contains("'"),
                let converted = try? self.handle(named: "plug:SLAVE='\(request.device)'", device: request.device)
            else { throw failure }
            do throws(Failure) { return try configured(converted, request) } catch { throw failure }
        }
    }

    /// Makes a device of a handle, or closes it.
    private func configured(_ handle: OpaquePointer, _ request: PCMRequest) throws(Failure) -> any PCMDevice {
        do throws(Failure) {
            let parameters = try ALSAConfiguration(library: library, request: request).configure(handle)
            return ALSADevice(library: library, handle: handle, parameters: parameters)
        } catch {
            _ = library.close(handle)
            throw error
        }
    }

    private func handle(
        named name: String, device: String, namesOthers: Bool = false
    ) throws(Failure) -> OpaquePointer {
        var handle: OpaquePointer?
        let code = library.open(&handle, name)
        if code >= 0, let handle { return handle }
        switch -code {
        case EACCES, EPERM: throw .permissionDenied(device: device)
        case ENOENT, ENXIO, ENODEV:
            // To a user without permission ALSA's devices are not there.
            if access() == .denied { throw .permissionDenied(device: device) }
            // What ALSA's configuration tells of is mostly plug-ins and servers that are not there.
            let known = namesOthers ? Array(DeviceList.current().prefix(12).map(\.id)) : []
            throw .noSuchDevice(device: device, known: known)
        case EBUSY, EAGAIN: throw .deviceBusy(device: device)
        case ECONNREFUSED:
            throw .openFailed(device: device, reason: Self.text(of: code) + "; is the sound server running?")
        default: throw .openFailed(device: device, reason: code < 0 ? Self.text(of: code) : "no device came of it")
        }
    }

    /// The text for a negative error number.
    static func text(of code: Int32) -> String { String(cString: snd_strerror(code)) }
}
