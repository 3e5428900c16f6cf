/// Which channels of a recording become the single channel that recognition wants.
public enum ChannelSelection: Sendable, Hashable {
    /// The mean of all channels.
    case average
    /// One channel, counted from 0; for arrays of microphones of which some are silent.
    case channel(Int)
}
