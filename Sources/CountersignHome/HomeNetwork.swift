/// The state of the network of a home.
struct HomeNetwork {
    /// A request that arrives after its sender has given up.
    struct LateRequest {
        let request: HomeRequest
        let due: ContinuousClock.Instant
    }

    /// The time that a late request takes.
    static let delay = Duration.seconds(7)

    /// The fate of the next message.
    var fate = HomeFate.arrives
    /// The parties that are cut off.
    var cut: Set<HomeParty> = []
    var late: [LateRequest] = []

    /// The fate of this message; later ones of the event arrive.
    mutating func takeFate() -> HomeFate {
        defer { fate = .arrives }
        return fate
    }

    /// Takes out the requests that arrive by now.
    mutating func arrivals(at now: ContinuousClock.Instant) -> [HomeRequest] {
        let due = late.filter { $0.due <= now }
        late.removeAll { $0.due <= now }
        return due.map(\.request)
    }

    /// Ends all failures.
    mutating func heal() {
        fate = .arrives
        cut = []
    }
}
