import CPocketSphinx
import SpeechlySync

/// One decoder of the engine: audio in, what its search has heard out.
///
/// Equal audio gives equal results, whatever was heard before and however the audio is cut, because it
/// is decoded in blocks of one size and every utterance begins with the same mean.
final class PocketSphinxDecoder {
    /// The engine hears blocks of this many samples (50 ms), because its running mean depends on them.
    static let blockSize = 800
    /// The mean that the model brings counts as this many frames of what is heard, by default five seconds.
    private let meanWeight: Int32

    /// A stretch of audio in which the search heard one thing.
    struct Segment {
        /// The name in the engine's dictionary.
        var token: String
        /// Frames of 10 ms.
        var frames: Range<Int>
        /// Whether something else was probably said.
        var isDoubtful = false

        func later(by count: Int) -> Segment {
            var segment = self
            segment.frames = frames.lowerBound + count..<frames.upperBound + count
            return segment
        }
    }

    private static let silenceLog: Void = err_set_logfp(nil)

    let handle: OpaquePointer
    private let initialMean: [mfcc_t]
    private(set) var isOpen = false

    /// - Parameter meanWeight: as how many frames the mean counts that the model brings.
    init(_ arguments: [String], model: PocketSphinxModel, meanWeight: Int32 = 500) throws(RecognizerError) {
        _ = Self.silenceLog
        self.meanWeight = meanWeight
        // Frames stay on the audio's clock because silence is not cut out. Noise removal made
        // recognition slightly worse, with noise and without.
        let all =
            ["speechly", "-hmm", model.acousticModel] + arguments
            + ["-remove_silence", "no", "-remove_noise", "no", "-dither", "no"]
        var pointers = all.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        guard let configuration = cmd_ln_parse_r(nil, ps_args(), Int32(pointers.count), &pointers, 1) else {
            throw .engineFailed(step: "read its options")
        }
        defer { cmd_ln_free_r(configuration) }
        // Where it cannot open a file of the model, the engine ends the process.
        if let shortage = DescriptorReserve.shortage(of: 4) {
            throw .engineFailed(step: "load the model \(model.acousticModel): \(shortage)")
        }
        guard let handle = ps_init(configuration) else {
            throw .engineFailed(step: "load the model \(model.acousticModel)")
        }
        self.handle = handle
        guard let features = ps_get_feat(handle), let mean = features.pointee.cmn_struct,
            let values = mean.pointee.cmn_mean
        else {
            ps_free(handle)
            throw .engineFailed(step: "normalise features")
        }
        initialMean = Array(UnsafeBufferPointer(start: values, count: Int(mean.pointee.veclen)))
    }

    deinit {
        if isOpen { ps_end_utt(handle) }
        ps_free(handle)
    }

    func begin() throws(RecognizerError) {
        if isOpen {
            isOpen = false
            ps_end_utt(handle)
        }
        // The running mean of the last utterance must not colour this one.
        if let mean = runningMean, let sum = mean.pointee.sum {
            initialMean.withUnsafeBufferPointer { cmn_live_set(mean, $0.baseAddress) }
            for index in initialMean.indices { sum[index] = initialMean[index] * mfcc_t(meanWeight) }
            mean.pointee.nframe = meanWeight
        }
        guard ps_start_stream(handle) == 0, ps_start_utt(handle) == 0 else {
            throw .engineFailed(step: "start an utterance")
        }
        isOpen = true
    }

    /// Decodes audio as it comes.
    func decode(_ block: UnsafeBufferPointer<Int16>) throws(RecognizerError) {
        if meanWeight < 500, let mean = runningMean, mean.pointee.nframe > 0 { cmn_live_update(mean) }
        guard ps_process_raw(handle, block.baseAddress, block.count, 0, 0) >= 0 else {
            throw .engineFailed(step: "decode audio")
        }
    }

    /// Decodes an utterance that has been heard to its end, with the mean of all of it.
    func decodeWhole(_ samples: UnsafeBufferPointer<Int16>) throws(RecognizerError) {
        try begin()
        guard ps_process_raw(handle, samples.baseAddress, samples.count, 0, 1) >= 0 else {
            throw .engineFailed(step: "decode audio")
        }
        try end()
    }

    /// What the engine makes of a sound before it compares it: 13 coefficients for each 10 ms.
    func cepstra(of samples: UnsafeBufferPointer<Int16>) throws(RecognizerError) -> [Float] {
        guard !isOpen, let front = ps_get_fe(handle), fe_get_output_size(front) == AcousticModel.width else {
            throw .engineFailed(step: "analyse a sound")
        }
        fe_start_stream(front)
        var count: Int32 = 0
        var rest = samples.count
        guard fe_start_utt(front) == 0, fe_process_frames(front, nil, &rest, nil, &count, nil) >= 0 else {
            throw .engineFailed(step: "analyse a sound")
        }
        let width = AcousticModel.width
        // One more for what is left when the sound ends.
        var room = max(0, count)
        var values = [mfcc_t](repeating: 0, count: (Int(room) + 1) * width)
        var last: Int32 = 0
        let isDone = values.withUnsafeMutableBufferPointer { values in
            var rows = (0...Int(room)).map { row in values.baseAddress.map { $0 + row * width } }
            var start = samples.baseAddress
            rest = samples.count
            return fe_process_frames(front, &start, &rest, &rows, &room, nil) >= 0
                && fe_end_utt(front, rows[Int(room)], &last) >= 0
        }
        guard isDone else { throw .engineFailed(step: "analyse a sound") }
        return Array(values.prefix(Int(room + last) * width))
    }

    func end() throws(RecognizerError) {
        isOpen = false
        guard ps_end_utt(handle) == 0 else { throw .engineFailed(step: "end an utterance") }
    }

    /// What was probably heard so far, or for good after ``end()``.
    func segments() -> [Segment] {
        // Without a path through the grammar there is nothing to iterate over.
        guard ps_get_hyp(handle, nil) != nil else { return [] }
        var segments: [Segment] = []
        var segment = ps_seg_iter(handle)
        while let current = segment {
            if let token = ps_seg_word(current) {
                var first: Int32 = 0
                var last: Int32 = 0
                ps_seg_frames(current, &first, &last)
                segments.append(
                    Segment(token: String(cString: token), frames: Int(first)..<max(Int(first), Int(last) + 1)))
            }
            segment = ps_seg_next(current)
        }
        return segments
    }

    private var runningMean: UnsafeMutablePointer<cmn_t>? { ps_get_feat(handle)?.pointee.cmn_struct }
}
