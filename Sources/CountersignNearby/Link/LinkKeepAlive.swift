/// When each end was last heard, so that silence is noticed and one's own is broken.
struct LinkKeepAlive: Sendable {
    /// When the other end was last heard.
    private var heard: ContinuousClock.Instant
    /// When this end last said something.
    private var spoke: ContinuousClock.Instant
    /// After how much silence what happens.
    private let times: NearbyTimes

    /// Both ends have just spoken.
    init(from now: ContinuousClock.Instant, times: NearbyTimes) {
        heard = now
        spoke = now
        self.times = times
    }

    /// The other end has said something.
    mutating func hear(at now: ContinuousClock.Instant) { heard = now }

    /// This end has said something.
    mutating func speak(at now: ContinuousClock.Instant) { spoke = now }

    /// Whether the other end has been silent for too long.
    func isGone(at now: ContinuousClock.Instant) -> Bool { now >= heard + times.silence }

    /// Whether this end has been silent for so long that it has to say something.
    func isToSpeak(at now: ContinuousClock.Instant) -> Bool { now >= spoke + times.alive }

    /// When one of both is next the case.
    var deadline: ContinuousClock.Instant { min(heard + times.silence, spoke + times.alive) }
}
