/// Scope of a token for all applications of a project.
public struct ProjectScope: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.identity.v2.ProjectScope" }

    /// The project, a UUID. Required.
    public var projectId: String

    /// Makes a message with every field at its default.
    public init() {
        projectId = ""
    }

    /// Makes a message.
    public init(projectId: String = "") {
        self.projectId = projectId
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // project_id = 1
                projectId = try reader.string()
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.string(projectId, field: 1)
    }
}
