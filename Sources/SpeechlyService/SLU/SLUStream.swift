import Foundation
import SpeechlyGRPC
import SpeechlyProto
import SpeechlySync

/// One SLU stream: requests come in on the transport's thread and are checked there; their audio is
/// decoded by one job at a time on the worker threads, a stretch at a time, so that streams take
/// turns.
///
/// Everything is bounded. A client that sends faster than its audio is decoded is stopped; a client
/// that does not read stops the decoding of its audio, so no messages pile up.
final class SLUStream<Transport: StreamTransport>: Sendable {
    /// Audio decoded in one turn, in bytes: a second at 16 kHz.
    private static var turn: Int { 32_000 }

    private struct State {
        var session: StreamSession
        var inbox = StreamInbox()
        var outbox = StreamOutbox()
        var openContext: String?
        var hasJob = false
        var isPaused = false
        var isDraining = false
        var isOver = false
        var waiting: RecognizerPool.Ticket?
        var lease: RecognizerPool.Lease?
    }

    /// Sendable: touched only by the stream's job, of which there is one at a time; the lock around
    /// `hasJob` orders them.
    private final class Worker: @unchecked Sendable {
        var contextId = ""
        var options = ContextSettings()
        var application: Application?
        var started = ContinuousClock.now
        var audioBytes = 0
        var lease: RecognizerPool.Lease?
        var decoder: ContextDecoder?

        func reset() {
            decoder = nil
            lease = nil
            application = nil
        }
    }

    private let transport: Transport
    private let holder: TokenClaims
    private let environment: SLUEnvironment
    private let state: Locked<State>
    private let worker = Worker()

    init(transport: Transport, holder: TokenClaims, environment: SLUEnvironment) {
        self.transport = transport
        self.holder = holder
        self.environment = environment
        state = Locked(State(session: StreamSession(holder: holder, catalog: environment.catalog)))
    }

    /// Takes an event, in order, on the transport's thread. Never blocks.
    func handle(_ event: StreamEvent) {
        switch event {
        case .message(let bytes):
            let request = Self.request(bytes)
            receive { session throws(GRPCStatus) in try session.receive(request.get(), size: bytes.count) }
        case .halfClosed: receive { session throws(GRPCStatus) in try session.receiveEnd() }
        case .writable:
            state.withLock { state in
                guard !state.isOver else { return }
                state.outbox.flush(over: transport)
                schedule(&state)
            }
        case .ended: abandon()
        }
    }

    /// Ends the stream as soon as its contexts are finished, because the service goes down.
    func drain() {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isDraining = true
            endIfDrained(&state)
        }
    }

    private func endIfDrained(_ state: inout State) {
        guard state.isDraining, !state.isOver, state.openContext == nil, state.inbox.isEmpty else { return }
        fail(.shuttingDown, &state)
    }

    // MARK: Requests

    private static func request(_ bytes: UnsafeRawBufferPointer) -> Result<SLURequest, GRPCStatus> {
        do throws(ProtoError) {
            return .success(try SLURequest(serializedBytes: bytes))
        } catch {
            return .failure(.invalid("a request cannot be read: \(error)"))
        }
    }

    private func receive(_ step: (inout StreamSession) throws(GRPCStatus) -> StreamSession.Action) {
        state.withLock { state in
            guard !state.isOver else { return }
            do throws(GRPCStatus) {
                switch try step(&state.session) {
                case .nothing: return
                case .open(let options, let application): open(options, application, &state)
                case .audio(let audio):
                    state.inbox.append(.audio(audio[...]))
                    if state.inbox.bytes > StreamInbox.upperLimit, !state.isPaused {
                        state.isPaused = true
                        transport.pauseReading()
                    }
                case .close:
                    state.openContext = nil
                    state.inbox.append(.close)
                case .end: state.inbox.append(.end)
                }
                schedule(&state)
            } catch {
                fail(error, &state)
            }
        }
    }

    private func open(_ options: ContextSettings, _ application: Application, _ state: inout State) {
        let id = UUID().uuidString.lowercased()
        state.openContext = id
        send([SegmentMessage(segmentId: 0, content: .started(SLUStarted()))], of: id, &state)
        state.inbox.append(.open(id: id, options: options, application: application))
        environment.monitor.count(.contexts)
        DispatchQueue.global().asyncAfter(deadline: .now() + environment.contextTimeLimit) { [weak self] in
            guard let self else { return }
            self.state.withLock { state in
                guard state.openContext == id, !state.isOver else { return }
                self.fail(.contextTooLong, &state)
            }
        }
    }

    /// Ends the stream with a status, after the results of the contexts that were stopped before.
    private func fail(_ status: GRPCStatus, _ state: inout State) {
        let isDecodingOpenContext = state.openContext != nil && state.inbox.dropOpenContext()
        state.openContext = nil
        if isDecodingOpenContext || (state.inbox.isEmpty && state.outbox.isEmpty && !state.hasJob) {
            end(status, &state)
        } else {
            state.inbox.append(.fail(status))
            schedule(&state)
        }
    }

    private func end(_ status: GRPCStatus, _ state: inout State) {
        guard !state.isOver else { return }
        release(&state)
        environment.monitor.streamEnded(status, holder)
        transport.finish(status)
    }

    private func abandon() {
        state.withLock { state in
            guard !state.isOver else { return }
            release(&state)
            environment.monitor.streamEnded(GRPCStatus(code: .cancelled, message: "the client went away"), holder)
        }
    }

    /// Lets go of everything; the job, if there is one, does the same for what is its own.
    private func release(_ state: inout State) {
        state.isOver = true
        state.inbox.removeAll()
        state.outbox.removeAll()
        if let ticket = state.waiting, environment.pool.cancel(ticket) {
            state.waiting = nil
            state.hasJob = false
        }
        if !state.hasJob { startJob(&state) }
    }

    private func send(_ messages: [SegmentMessage], of contextId: String, _ state: inout State) {
        for message in messages {
            let response = SLUResponse(
                audioContext: contextId, segmentId: message.segmentId, streamingResponse: message.content)
            state.outbox.send(response.serializedBytes(), over: transport)
        }
    }

    // MARK: Decoding

    private func schedule(_ state: inout State) {
        guard !state.hasJob, !state.inbox.isEmpty, state.outbox.isEmpty else { return }
        startJob(&state)
    }

    private func startJob(_ state: inout State) {
        state.hasJob = true
        environment.workers.run { self.runJob() }
    }

    private func runJob() {
        var budget = Self.turn
        while budget > 0 {
            let item = state.withLock { state -> StreamItem? in
                if let lease = state.lease {
                    worker.lease = lease
                    state.lease = nil
                }
                if state.isOver || !state.outbox.isEmpty { return nil }
                let item = state.inbox.next(limit: budget)
                if state.isPaused, state.inbox.bytes < StreamInbox.lowerLimit {
                    state.isPaused = false
                    transport.resumeReading()
                }
                return item
            }
            guard let item else { break }
            if case .audio(let audio) = item {
                guard worker.lease != nil else {
                    guard let kind = worker.application?.recognizers else { break }
                    return waitForRecognizer(kind, audio)
                }
                budget -= audio.count
            }
            work(on: item)
        }
        let isOver = state.withLock { state in
            state.hasJob = false
            if !state.isOver { schedule(&state) }
            return state.isOver
        }
        if isOver { worker.reset() }
    }

    private func work(on item: StreamItem) {
        do {
            switch item {
            case .open(let id, let options, let application):
                worker.contextId = id
                worker.options = options
                worker.application = application
                worker.started = environment.now()
                worker.audioBytes = 0
            case .audio(let audio):
                let decoder = try worker.decoder ?? makeDecoder()
                worker.decoder = decoder
                worker.audioBytes += audio.count
                deliver(try decoder.hear(audio))
            case .close:
                var messages = try worker.decoder?.finish() ?? []
                worker.reset()
                environment.monitor.contextFinished(
                    worker.contextId, holder,
                    audio: Double(worker.audioBytes / 2) / Double(max(1, state.withLock { $0.session.sampleRate })),
                    took: environment.now() - worker.started)
                messages.append(SegmentMessage(segmentId: 0, content: .finished(SLUFinished())))
                deliver(messages)
                guard state.withLock({ $0.isDraining }) else { return }
                DispatchQueue.global().asyncAfter(deadline: .now() + environment.drainPause) { [weak self] in
                    guard let self else { return }
                    self.state.withLock { self.endIfDrained(&$0) }
                }
            case .end: state.withLock { end(.ok, &$0) }
            case .fail(let status): state.withLock { end(status, &$0) }
            }
        } catch {
            worker.lease?.discard()
            worker.reset()
            let status = (error as? GRPCStatus) ?? GRPCStatus(code: .internal, message: "recognition failed: \(error)")
            state.withLock { end(status, &$0) }
        }
    }

    private func deliver(_ messages: [SegmentMessage]) {
        guard !messages.isEmpty else { return }
        environment.monitor.segmentEnded(messages)
        state.withLock { state in
            guard !state.isOver else { return }
            send(messages, of: worker.contextId, &state)
        }
    }

    private func makeDecoder() throws -> ContextDecoder {
        guard let lease = worker.lease, let application = worker.application else {
            throw GRPCStatus(code: .internal, message: "no recogniser was lent")
        }
        return try ContextDecoder(
            recognizer: lease.recognizer(), interpreter: application.interpreter, options: worker.options,
            sampleRate: state.withLock { $0.session.sampleRate })
    }

    /// Leaves the thread to others until a recogniser is free.
    private func waitForRecognizer(_ kind: RecognizerKind, _ audio: ArraySlice<UInt8>) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.inbox.putBack(audio)
        }
        let ticket = environment.pool.request(kind) { [self] lease in
            state.withLock { state in
                state.waiting = nil
                state.lease = state.isOver ? nil : lease
                startJob(&state)
            }
        }
        guard let ticket else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + environment.recognizerWait) { [weak self] in
            guard let self, self.environment.pool.cancel(ticket) else { return }
            self.state.withLock { state in
                state.waiting = nil
                state.hasJob = false
                self.end(.noRecognizer(limit: self.environment.pool.limit), &state)
            }
        }
        state.withLock { state in
            // It may have been met meanwhile, or the stream may be over.
            guard !state.isOver else {
                if environment.pool.cancel(ticket) { state.hasJob = false }
                return
            }
            state.waiting = ticket
        }
    }
}
