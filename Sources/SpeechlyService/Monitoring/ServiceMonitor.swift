import Speechly

/// Counts and logs what happens in a service.
struct ServiceMonitor: Sendable {
    var log = ServiceLog.silent
    let metrics = ServiceMetrics()

    func count(_ counter: ServiceMetrics.Counter, label: String = "") { metrics.add(to: counter, label: label) }

    func login(_ code: GRPCStatus.Code, message: String?) {
        metrics.add(to: .logins, label: code.description)
        if code != .ok {
            log.write(.info, "login_refused", [("code", .text(code.description)), ("reason", .text(message ?? ""))])
        }
    }

    func tokenRefused(_ error: TokenError, peer: String) {
        metrics.add(to: .refusedTokens, label: error.name)
        log.write(.info, "token_refused", [("reason", .text(error.name)), ("peer", .text(peer))])
    }

    func streamEnded(_ status: GRPCStatus, _ holder: TokenClaims) {
        metrics.add(to: .streamsEnded, label: status.code.description)
        let level: LogLevel = status.code == .internal ? .error : status.isOk ? .debug : .info
        log.write(
            level, "stream_ended",
            [
                ("scope", .text(holder.scope.description)), ("code", .text(status.code.description)),
                ("reason", .text(status.message ?? "")),
            ])
    }

    func contextFinished(
        _ id: String, _ holder: TokenClaims, audio: Double, took: Duration
    ) {
        metrics.add(to: .contextsFinished)
        metrics.add(audio, to: .audioSeconds)
        log.write(
            .info, "context_finished",
            [
                ("context", .text(id)), ("scope", .text(holder.scope.description)), ("audio_s", .number(audio)),
                ("took_s", .number(took.inSeconds)),
            ])
    }

    func batchEnded(_ id: String, _ result: Result<Double, any Error>) {
        switch result {
        case .success(let seconds):
            metrics.add(to: .batchJobs, label: "done")
            metrics.add(seconds, to: .audioSeconds)
            log.write(.info, "batch_job_done", [("job", .text(id)), ("audio_s", .number(seconds))])
        case .failure:
            metrics.add(to: .batchJobs, label: "error")
            log.write(.info, "batch_job_failed", [("job", .text(id))])
        }
    }

    func segmentEnded(_ messages: [SegmentMessage]) {
        let ends = messages.count { if case .segmentEnd = $0.content { true } else { false } }
        if ends > 0 { metrics.add(Double(ends), to: .segments) }
    }
}

extension TokenClaims.Scope: CustomStringConvertible {
    /// `app:…` or `project:…`.
    var description: String {
        switch self {
        case .application(let id): "app:\(id.lowercased())"
        case .project(let id): "project:\(id.lowercased())"
        }
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
