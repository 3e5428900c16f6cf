import Speechly

/// `speechly devices`: what can be captured from.
struct Devices: Command {
    private static let json = Option("json", .flag, help: "print one JSON object for each device")

    static let syntax = CommandSyntax(
        words: ["devices"],
        summary: "list the microphones and other devices to capture from",
        details: """
            Prints a line for each device: its name, as 'speechly listen --device' takes it, what it is, how many \
            channels it has and at which sample rates it captures. '*' marks the one that is used unless another is \
            named. A device that another program uses is listed without what it can do.
            """,
        operands: .none, options: [json])

    let json: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        json = arguments.has(Self.json)
    }

    func run(output: StandardStream, error: StandardStream) async throws(CommandFailure) -> ExitStatus {
        let devices = AudioDevice.all()
        if devices.isEmpty { throw CommandFailure("devices", Self.nothing(AudioRecorder.authorizationStatus)) }
        let width = devices.map(\.id.count).max() ?? 0
        for device in devices { try output.writeLine(json ? Self.json(device) : Self.line(device, width: width)) }
        return .done
    }

    static func nothing(_ status: AudioAuthorizationStatus) -> String {
        switch status {
        case .denied: "permission denied; add this user to the group 'audio' and log in again"
        case .restricted: "no sound device is visible to this process; give it /dev/snd or a sound server"
        case .notDetermined, .authorized: "there is no device to capture from"
        }
    }

    static func line(_ device: AudioDevice, width: Int) -> String {
        let id = device.id + String(repeating: " ", count: max(0, width - device.id.count))
        var parts = [device.name]
        if let least = device.minimumChannels, let most = device.maximumChannels {
            let range = least == most ? "\(most)" : "\(least)-\(most)"
            parts.append(range == "1" ? "1 channel" : "\(range) channels")
        }
        if let lowest = device.sampleRates.first, let highest = device.sampleRates.last {
            parts.append(lowest == highest ? "\(lowest) Hz" : "\(lowest)-\(highest) Hz")
        }
        return "\(device.isDefault ? "*" : " ") \(id)  \(parts.joined(separator: "; "))"
    }

    static func json(_ device: AudioDevice) -> String {
        var members = [
            JSON.Member(key: "event", value: "device"), JSON.Member(key: "id", value: .string(device.id)),
            JSON.Member(key: "name", value: .string(device.name)),
            JSON.Member(key: "isDefault", value: .boolean(device.isDefault)),
        ]
        if let least = device.minimumChannels, let most = device.maximumChannels {
            members.append(JSON.Member(key: "minimumChannels", value: .integer(Int64(least))))
            members.append(JSON.Member(key: "maximumChannels", value: .integer(Int64(most))))
        }
        let rates = device.sampleRates.map { JSON.integer(Int64($0)) }
        members.append(JSON.Member(key: "sampleRates", value: .array(rates)))
        return JSON.object(members).text
    }
}
