/// When each end was last heard, so that silence is noticed and one's own is broken.
struct LinkKeepAlive: Sendable {
    private var heard: ContinuousClock.Instant
    private var spoke: ContinuousClock.Instant
    private let times: NearbyTimes

    init(from now: ContinuousClock.Instant, times: NearbyTimes) {
        heard = now
        spoke = now
        self.times = times
    }

    mutating func hear(at now: ContinuousClock.Instant) { heard = now }

    mutating func speak(at now: ContinuousClock.Instant) { spoke = now }

    func isGone(at now: ContinuousClock.Instant) -> Bool { now >= heard + times.silence }

    func isToSpeak(at now: ContinuousClock.Instant) -> Bool { now >= spoke + times.alive }

    var deadline: ContinuousClock.Instant { min(heard + times.silence, spoke + times.alive) }
}
