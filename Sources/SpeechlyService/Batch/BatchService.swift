import Foundation
import SpeechlyGRPC
import SpeechlyProto
import SpeechlySync

/// Answers the batch service: files in, words out later.
///
/// Jobs live in this process: a client asks the service that took the file.
final class BatchService: Sendable {
    /// How long, and how many, jobs that are over can be asked about.
    private static let retention = Duration.seconds(3_600)
    private static let maximumKept = 1_000
    private static let maximumReference = 1_000

    private struct State {
        var jobs: [String: BatchJob] = [:]
        /// Ids in the order in which the jobs came.
        var order: [String] = []
        var waiting: [(id: String, upload: Kept)] = []
        var running = 0
        var uploads = 0
        var isStopped = false
        var tasks: [String: Task<Void, Never>] = [:]
    }

    /// Sendable: used by one task after another.
    private struct Kept: @unchecked Sendable {
        let upload: BatchUpload
    }

    private let catalog: ApplicationCatalog
    private let runner: BatchRunner
    private let monitor: ServiceMonitor
    private let maximumBytes: Int
    private let maximumJobs: Int
    private let parallel: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Locked(State())

    init(
        environment: SLUEnvironment, maximumBytes: Int, maximumJobs: Int, parallel: Int
    ) {
        catalog = environment.catalog
        runner = BatchRunner(environment: environment)
        monitor = environment.monitor
        self.maximumBytes = maximumBytes
        self.maximumJobs = maximumJobs
        self.parallel = max(1, parallel)
        now = environment.now
    }

    /// Jobs that are not over.
    var unfinished: Int { state.withLock { $0.waiting.count + $0.running } }

    // MARK: Methods

    /// Answers `ProcessAudio`: reads the pieces, and takes the job once they are all there.
    func processAudio(_ stream: ServerStream, holder: TokenClaims) async throws {
        try enter()
        defer { state.withLock { $0.uploads -= 1 } }
        var first: ProcessAudioRequest?
        var application: Application?
        var upload: BatchUpload?
        for try await bytes in stream.messages {
            let request = try Self.read(bytes)
            if first == nil {
                application = try check(request, holder)
                upload = try BatchUpload(limit: maximumBytes)
                var kept = request
                kept.source = nil
                first = kept
            }
            switch request.source {
            case .audio(let audio)?: try upload?.append(audio, first?.config)
            case .uri?, .httpSource?:
                throw GRPCStatus(
                    code: .unimplemented, message: "this service fetches nothing: send the audio in the request")
            case nil: break
            }
        }
        guard let first, let application, let upload else { throw GRPCStatus.invalid("no request was sent") }
        try upload.finish(first.config)
        let operation = try take(first, application, holder, Kept(upload: upload))
        try await stream.send(ProcessAudioResponse(operation: operation).serializedBytes())
    }

    /// Answers `QueryStatus`.
    func queryStatus(_ request: QueryStatusRequest, holder: TokenClaims) throws(GRPCStatus) -> QueryStatusResponse {
        guard request.id.isEmpty != request.reference.isEmpty else {
            throw .invalid("name a job by its id or by its reference, one of the two")
        }
        let found = state.withLock { state -> BatchOperation? in
            forget(&state)
            if !request.id.isEmpty {
                return state.jobs[request.id].flatMap { $0.owner == holder.scope ? $0.operation : nil }
            }
            // The last one, where a reference was used again.
            let jobs = state.jobs
            let last = state.order.last { id in
                jobs[id].map { $0.owner == holder.scope && $0.operation.reference == request.reference } ?? false
            }
            return last.flatMap { jobs[$0]?.operation }
        }
        guard let found else {
            throw GRPCStatus(
                code: .notFound, message: "there is no such job here; an hour after its end one is forgotten")
        }
        return QueryStatusResponse(operation: found)
    }

    /// Takes no more jobs and gives up those that are there.
    func stop() {
        let tasks = state.withLock { state in
            state.isStopped = true
            state.waiting.removeAll()
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
    }

    // MARK: Jobs

    private func enter() throws(GRPCStatus) {
        try state.withLock { state throws(GRPCStatus) in
            guard !state.isStopped else { throw .shuttingDown }
            guard state.waiting.count + state.running + state.uploads < maximumJobs else {
                throw GRPCStatus(
                    code: .resourceExhausted, message: "the service has \(maximumJobs) jobs already: try again later")
            }
            state.uploads += 1
        }
    }

    private func check(_ request: ProcessAudioRequest, _ holder: TokenClaims) throws(GRPCStatus) -> Application {
        let application = try catalog.current.application(named: request.appId, for: holder)
        for code in request.config?.languageCodes ?? [] { try application.checkLanguage(code) }
        guard request.reference.utf8.count <= Self.maximumReference else {
            throw .invalid("the reference has more than \(Self.maximumReference) bytes")
        }
        guard request.destination == nil else {
            throw GRPCStatus(
                code: .unimplemented,
                message: "this service stores nothing elsewhere: ask for the result with QueryStatus")
        }
        return application
    }

    private func take(
        _ request: ProcessAudioRequest, _ application: Application, _ holder: TokenClaims, _ upload: Kept
    ) throws(GRPCStatus) -> BatchOperation {
        let id = UUID().uuidString.lowercased()
        var appId = request.appId
        if case .application(let own) = holder.scope { appId = own }
        let operation = BatchOperation(
            id: id, reference: request.reference, status: .queued, languageCode: application.languageCode,
            appId: appId, deviceId: request.deviceId.isEmpty ? holder.deviceId : request.deviceId)
        try state.withLock { state throws(GRPCStatus) in
            guard !state.isStopped else { throw .shuttingDown }
            forget(&state)
            state.jobs[id] = BatchJob(owner: holder.scope, application: application, operation: operation)
            state.order.append(id)
            state.waiting.append((id, upload))
            startNext(&state)
        }
        return operation
    }

    private func startNext(_ state: inout State) {
        while state.running < parallel, !state.waiting.isEmpty, !state.isStopped {
            let (id, upload) = state.waiting.removeFirst()
            guard let application = state.jobs[id]?.application else { continue }
            state.running += 1
            state.jobs[id]?.operation.status = .waitingDecoder
            state.tasks[id] = Task { [self] in await run(id, application, upload) }
        }
    }

    private func run(_ id: String, _ application: Application, _ kept: Kept) async {
        let result: Result<(words: [BatchTranscript], seconds: Double), any Error>
        do {
            let path = kept.upload.path
            result = .success(
                try await runner.run(path, application) { [state] in
                    state.withLock { $0.jobs[id]?.operation.status = .processing }
                })
        } catch {
            result = .failure(error)
        }
        withExtendedLifetime(kept) {}
        state.withLock { state in
            state.running -= 1
            state.tasks[id] = nil
            state.jobs[id]?.ended = now()
            switch result {
            case .success(let heard):
                state.jobs[id]?.operation.status = .done
                state.jobs[id]?.operation.transcripts = heard.words
                state.jobs[id]?.operation.duration = ProtoDuration(
                    seconds: Int64(heard.seconds), nanos: Int32((heard.seconds - heard.seconds.rounded(.down)) * 1e9))
            case .failure(let error):
                state.jobs[id]?.operation.status = .error
                state.jobs[id]?.operation.error = Self.reason(error, path: kept.upload.path)
            }
            startNext(&state)
        }
        monitor.batchEnded(id, result.map(\.seconds))
    }

    /// What went wrong, without the place where the file was kept.
    private static func reason(_ error: any Error, path: String) -> String {
        if error is CancellationError { return "the service went down before the job was done: hand it in again" }
        return String(describing: error).replacingOccurrences(of: path, with: "the audio")
    }

    /// Drops jobs that ended long ago, or the oldest of too many.
    private func forget(_ state: inout State) {
        let limit = now() - Self.retention
        var surplus = state.order.count - Self.maximumKept
        var kept: [String] = []
        for id in state.order {
            if let job = state.jobs[id], job.isOver, surplus > 0 || job.ended.map({ $0 < limit }) ?? false {
                surplus -= 1
                state.jobs[id] = nil
            } else {
                kept.append(id)
            }
        }
        state.order = kept
    }

    private static func read(_ bytes: [UInt8]) throws(GRPCStatus) -> ProcessAudioRequest {
        do throws(ProtoError) {
            return try ProcessAudioRequest(serializedBytes: bytes)
        } catch {
            throw .invalid("a request cannot be read: \(error)")
        }
    }
}
