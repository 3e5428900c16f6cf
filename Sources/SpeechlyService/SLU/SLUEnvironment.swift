import Foundation

/// What all SLU streams of a service share.
struct SLUEnvironment: Sendable {
    var catalog: ApplicationCatalog
    var pool: RecognizerPool
    var workers: WorkerThreads
    var monitor = ServiceMonitor()
    /// How long a context may stay open by the clock: a client that sends nothing holds a recogniser, too.
    var contextTimeLimit = DispatchTimeInterval.seconds(StreamSession.maximumContextSeconds + 30)
    /// How long a context waits for a recogniser.
    var recognizerWait = DispatchTimeInterval.seconds(10)
    /// How long a stream whose last context is finished stays open while the service goes down, so that a client that
    /// is about to end it sees it end well.
    var drainPause = DispatchTimeInterval.milliseconds(500)
    var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
}
