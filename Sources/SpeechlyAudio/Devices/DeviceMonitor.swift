import SpeechlySync

/// Looks at something again and again, and tells when it has changed.
enum DeviceMonitor {
    static func changes<Value: Equatable & Sendable>(
        interval: Duration, clock: any Clock<Duration>, of value: @escaping @Sendable () -> Value
    ) -> AsyncStream<Value> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task.detached {
                var last: Value?
                while !Task.isCancelled {
                    let now = value()
                    if now != last {
                        last = now
                        continuation.yield(now)
                    }
                    do {
                        try await clock.sleep(for: interval.within(.milliseconds(100) ... .longest))
                    } catch { break }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
