import SpeechlyGRPC

/// The service's side of one stream, as far as its handler needs it.
protocol StreamTransport: Sendable {
    /// Queues a message, or says that the peer has to read first, or that the call is over.
    func send(_ message: [UInt8]) -> SendResult
    /// Ends the call behind everything queued.
    func finish(_ status: GRPCStatus)
    /// Takes no more messages from the peer than have been read already.
    func pauseReading()
    /// Takes messages from the peer again.
    func resumeReading()
}

/// What happens on a stream.
enum StreamEvent {
    /// The peer sent a message; valid during the call only.
    case message(UnsafeRawBufferPointer)
    /// The peer sends nothing more.
    case halfClosed
    /// After ``SendResult/full``: messages can be queued again.
    case writable
    /// The call is over, whoever ended it.
    case ended
}
