import SpeechlyProto

/// A message as values only, so that different ways to get to it can be compared. Fields are named as in the schema;
/// those with their default are left out, except elements of lists and members of oneofs.
enum Tree: Equatable {
    case integer(Int64)
    case unsigned(UInt64)
    case string(String)
    case bytes([UInt8])
    case list([Tree])
    case message([String: Tree])

    /// Whether proto3 leaves a field with this value out. Submessages are never left out.
    var isDefault: Bool {
        switch self {
        case .integer(let value): value == 0
        case .unsigned(let value): value == 0
        case .string(let value): value.isEmpty
        case .bytes(let value): value.isEmpty
        case .list(let value): value.isEmpty
        case .message: false
        }
    }

    /// The values of a message, found by reflection.
    init(_ message: any ProtoMessage) {
        var fields: [String: Tree] = [:]
        for (label, value) in Mirror(reflecting: message).children {
            guard let label else { continue }
            let mirror = Mirror(reflecting: value)
            guard mirror.displayStyle == .optional else {
                let tree = Tree(value: value)
                if !tree.isDefault { fields[label.snakeCase] = tree }
                continue
            }
            guard let present = mirror.children.first?.value else { continue }
            let inner = Mirror(reflecting: present)
            if inner.displayStyle == .enum, let member = inner.children.first, let name = member.label {
                fields[name.snakeCase] = Tree(value: member.value)
            } else {
                fields[label.snakeCase] = Tree(value: present)
            }
        }
        self = .message(fields)
    }

    private init(value: Any) {
        switch value {
        case let value as any ProtoMessage: self = Tree(value)
        case let value as Int32: self = .integer(Int64(value))
        case let value as Int64: self = .integer(value)
        case let value as UInt32: self = .unsigned(UInt64(value))
        case let value as UInt64: self = .unsigned(value)
        case let value as String: self = .string(value)
        case let value as [UInt8]: self = .bytes(value)
        case let value as any RawRepresentable<Int32>: self = .integer(Int64(value.rawValue))
        case let value as [Any]: self = .list(value.map { Tree(value: $0) })
        default: preconditionFailure("a field of a type the schema does not have: \(type(of: value))")
        }
    }
}

extension String {
    /// `startTime` as `start_time`.
    var snakeCase: String {
        reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }
}

/// Every message the codec knows.
let messageTypes: [any ProtoMessage.Type] = [
    LoginRequest.self, ApplicationScope.self, ProjectScope.self, LoginResponse.self,
    SLURequest.self, SLUConfig.self, SLUConfig.Option.self, SLUEvent.self, SLUStart.self, SLUStart.Option.self,
    SLUStop.self, RoundTripMeasurementRequest.self, RoundTripMeasurementResponse.self,
    SLUResponse.self, SLUTranscript.self, SLUEntity.self, SLUIntent.self, SLUSegmentEnd.self,
    SLUTentativeTranscript.self, SLUTentativeEntities.self, SLUStarted.self, SLUFinished.self, SLUError.self,
    WLURequest.self, ProtoTimestamp.self, WLUResponse.self, WLUSegment.self, WLUToken.self, WLUEntity.self,
    WLUIntent.self, TextsRequest.self, TextsResponse.self,
    IdentityV1LoginRequest.self, IdentityV1LoginResponse.self, HealthCheckRequest.self, HealthCheckResponse.self,
    ProcessAudioRequest.self, BatchOption.self, ProcessAudioResponse.self, QueryStatusRequest.self,
    QueryStatusResponse.self, BatchAudioConfiguration.self, BatchHTTPResource.self, BatchHTTPResource.Header.self,
    BatchOperation.self, BatchTranscript.self, ProtoDuration.self,
]

/// The Swift type of a message, by its name in the schema.
func messageType(_ name: String) throws -> any ProtoMessage.Type {
    guard let type = messageTypes.first(where: { $0.messageName == name }) else {
        throw SchemaParser.Failure(what: "no type for \(name)")
    }
    return type
}
