import Speechly

/// One file on its way through the client, and its events on their way to standard output.
struct TranscribeSession: Sendable {
    let client: Client
    let appId: String?
    let options: ContextOptions
    let file: String
    let output: StandardStream
    let error: StandardStream

    /// What became of a file.
    struct Outcome: Sendable {
        /// Whether all went well; what did not has been printed.
        let isGood: Bool
        let measurement: Report.Measurement
    }

    func run(
        realtime: Bool, format: any TranscriptFormat, _ interruption: Interruption
    ) async throws(CommandFailure) -> Outcome {
        let audio: AudioFile
        do {
            audio = try AudioFile(path: file, realtime: realtime)
        } catch {
            if !interruption.isInterrupted { try tell(error, format, at: .zero) }
            throw CommandFailure("", error.description)
        }
        interruption.watch(audio)
        defer { interruption.watch(nil) }
        let events = EventQueue<ClientEvent>()
        let source = TimedSource(audio) { await events.waitForRoom() }
        // Before the context starts, so that no event is missed.
        client.observe { events.push($0) }
        defer { client.observe(nil) }
        let printer = Task { await print(events, format, source) }
        let result: Result<AudioContext, any Error>
        do {
            result = .success(try await client.transcribe(source, appId: appId, options: options))
        } catch {
            result = .failure(error)
        }
        let printed = await end(of: printer, events, after: result)
        if let gone = printed.outputFailure { throw gone }
        if case .failure(let error) = result, printed.failures.isEmpty, !interruption.isInterrupted {
            try tell(error, format, at: source.elapsed)
        }
        let isGood = try report(result, printed, warnings: audio.warnings)
        return Outcome(isGood: isGood, measurement: printed.measurement)
    }

    /// Prints the event for a failure that the client has not told of.
    private func tell(
        _ failure: any Error, _ format: any TranscriptFormat, at time: Duration
    ) throws(CommandFailure) {
        var format = format
        let failure =
            failure as? Failure ?? Failure(code: .audioFailed, side: .audio, what: String(describing: failure))
        for line in format.lines(.failure(failure), at: time) { try output.write(line) }
    }

    /// Waits until all events of the file are printed.
    private func end(
        of printer: Task<Printed, Never>, _ events: EventQueue<ClientEvent>,
        after result: Result<AudioContext, any Error>
    ) async -> Printed {
        // A context that the service has named comes to its end, also when it fails; one that it has not never does.
        // What has happened until the queue is closed is still printed.
        let patience: Duration =
            switch result {
            case .success: .seconds(60)
            case .failure(let failure as Failure) where failure.contextId == nil: .zero
            case .failure: .seconds(5)
            }
        let timer = Task {
            try await Task.sleep(for: patience)
            events.finish()
        }
        defer { timer.cancel() }
        return await printer.value
    }

    private struct Printed: Sendable {
        var failures: [Failure] = []
        var measurement = Report.Measurement()
        var outputFailure: CommandFailure?
    }

    private func print(
        _ events: EventQueue<ClientEvent>, _ format: any TranscriptFormat, _ source: TimedSource
    ) async -> Printed {
        var printed = Printed()
        var format = format
        defer { events.finish() }
        while let event = await events.next() {
            do throws(CommandFailure) {
                for line in format.lines(event, at: source.elapsed) { try output.write(line) }
            } catch {
                printed.outputFailure = error
                source.stop()
                return printed
            }
            switch event {
            case .segmentUpdated where printed.measurement.firstResult == nil:
                printed.measurement.firstResult = source.elapsed
            case .failure(let failure): printed.failures.append(failure)
            case .contextStopped:
                printed.measurement.audio = source.duration
                printed.measurement.total = source.elapsed
                printed.measurement.lastResult = source.elapsedSinceEnd
                return printed
            default: break
            }
        }
        return printed
    }

    private func report(
        _ result: Result<AudioContext, any Error>, _ printed: Printed, warnings: [AudioFileWarning]
    ) throws(CommandFailure) -> Bool {
        for warning in warnings { try error.writeLine(errorLine("", warning.description)) }
        var thrown: (any Error)?
        if case .failure(let error) = result { thrown = error }
        let reason = thrown.map { String(describing: $0) }
        for failure in printed.failures where failure.description != reason && !isSame(failure.cause, thrown) {
            try error.writeLine(errorLine(file, failure.description))
        }
        guard let thrown, let reason else { return printed.failures.isEmpty }
        throw thrown is AudioFileError ? CommandFailure("", reason) : CommandFailure(file, reason)
    }

    private func isSame(_ cause: (any Error)?, _ error: (any Error)?) -> Bool {
        guard let cause, let error else { return false }
        return String(describing: cause) == String(describing: error)
    }
}
