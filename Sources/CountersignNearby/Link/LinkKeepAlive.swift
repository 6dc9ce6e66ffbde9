/// Tracks the last message of each side, to detect a dead peer and to send keep-alives.
struct LinkKeepAlive: Sendable {
    /// The instant of the peer's last message.
    private var heard: ContinuousClock.Instant
    /// The instant of this side's last message.
    private var spoke: ContinuousClock.Instant
    /// The limits on silence.
    private let times: NearbyTimes

    /// Starts as if both sides had just sent a message.
    init(from now: ContinuousClock.Instant, times: NearbyTimes) {
        heard = now
        spoke = now
        self.times = times
    }

    /// Records a message from the peer.
    mutating func received(at now: ContinuousClock.Instant) { heard = now }

    /// Records a message that this side sent.
    mutating func speak(at now: ContinuousClock.Instant) { spoke = now }

    /// Whether the peer has been silent for too long.
    func isGone(at now: ContinuousClock.Instant) -> Bool { now >= heard + times.silence }

    /// Whether this side has to send a keep-alive.
    func isDue(at now: ContinuousClock.Instant) -> Bool { now >= spoke + times.alive }

    /// The next deadline: the peer counts as dead, or a keep-alive is due, whichever is earlier.
    var deadline: ContinuousClock.Instant { min(heard + times.silence, spoke + times.alive) }
}
