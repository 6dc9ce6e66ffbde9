/// The claim to a name: probes ask whether another host has it, then announcements tell all hosts.
///
///     waiting ──▶ probing ──3 × 250 ms──▶ announcing ──▶ established
///        ▲          │ ▲                                      │
///        └──yield───┘ └───────────────contested──────────────┘
///
/// There is no state for a name that is lost to another host: its publication gets another name, with a new claim.
///
/// Standard: RFC 6762 §8 and §9.
struct NameClaim: Sendable, Equatable {
    /// The state of the claim.
    enum State: Sendable, Equatable {
        /// Nothing was sent yet.
        case waiting(until: ContinuousClock.Instant)
        /// So many probes were sent.
        case probing(asked: Int, next: ContinuousClock.Instant)
        /// So many announcements were sent.
        case announcing(told: Int, next: ContinuousClock.Instant)
        /// The name is ours.
        case established
    }

    /// The message to send now.
    enum Step: Sendable, Equatable {
        /// Send a probe.
        case probe
        /// Send an announcement.
        case announce(isFirst: Bool)
    }

    /// The meaning of another host's record or probe under our name.
    enum Contest: Sendable, Equatable {
        /// The name belongs to the other host.
        case lost
        /// We probe again, to find out whether the other host really has it.
        case contested
        /// The other host lies: the name is retained, and announced again.
        case defended
    }

    private(set) var state: State
    /// The instants of other hosts' records under the name although it was ours, within a minute.
    private var contests: [ContinuousClock.Instant] = []
    /// The instants of ties lost to other hosts that probe for the name, within a minute.
    private var lostTies: [ContinuousClock.Instant] = []
    /// The instant until which other hosts are not believed, because the name was drawn at random after others were
    /// contested.
    private let defendedUntil: ContinuousClock.Instant?
    /// The instant of the last announcement of the name.
    private var announced: ContinuousClock.Instant?

    /// A claim that sends its first probe at `start`.
    ///
    /// - Parameter defendedUntil: The instant until which other hosts are not believed; `nil` if they are.
    init(startingAt start: ContinuousClock.Instant, defendedUntil: ContinuousClock.Instant? = nil) {
        state = .waiting(until: start)
        self.defendedUntil = defendedUntil
    }

    /// Whether other hosts that send records under the name lie.
    func isDefended(at now: ContinuousClock.Instant) -> Bool { defendedUntil.map { now < $0 } ?? false }

    /// Whether the name is ours, so that queries for it are answered.
    var isOurs: Bool {
        switch state {
        case .waiting, .probing: false
        case .announcing, .established: true
        }
    }

    /// The next due time of ``advance(at:)``; `nil` when nothing is due.
    var deadline: ContinuousClock.Instant? {
        switch state {
        case .waiting(let until): until
        case .probing(_, let next), .announcing(_, let next): next
        case .established: nil
        }
    }

    /// Takes the next step, if it is due.
    mutating func advance(at now: ContinuousClock.Instant) -> Step? {
        guard let deadline, deadline <= now else { return nil }
        switch state {
        case .waiting:
            state = .probing(asked: 1, next: now + Self.betweenProbes)
            return .probe
        case .probing(let asked, _) where asked < Self.probes:
            state = .probing(asked: asked + 1, next: now + Self.betweenProbes)
            return .probe
        case .probing:
            state = .announcing(told: 1, next: now + Self.untilSecondAnnouncement)
            announced = now
            return .announce(isFirst: true)
        case .announcing(let told, _):
            // The pause doubles each time, so the third announcement is sent two seconds after the second.
            let next = State.announcing(told: told + 1, next: now + Self.untilSecondAnnouncement * (1 << told))
            state = told + 1 < Self.announcements ? next : .established
            announced = now
            return .announce(isFirst: false)
        case .established: return nil
        }
    }

    /// Another host has sent other records under the name. A name that is contested repeatedly is given up: it would be
    /// claimed for most of the time, and queries for it are not answered then.
    mutating func meetOther(at now: ContinuousClock.Instant, probingFrom start: ContinuousClock.Instant) -> Contest {
        guard !isDefended(at: now) else {
            defend(at: now)
            return .defended
        }
        switch state {
        case .waiting, .probing: return .lost
        case .announcing, .established:
            contests = contests.filter { $0 + Self.contestSpan > now } + [now]
            guard contests.count < Self.mostContests else { return .lost }
            state = .waiting(until: start)
            return .contested
        }
    }

    /// Another host probes for the name at the same time and wins the tie-break; we probe again a second later. A host
    /// that takes the name has established it by then, and answers. Its further probes within that second change
    /// nothing.
    ///
    /// A name whose ties are lost repeatedly, without a host that answers for it, is given up: otherwise a host that
    /// only probes would block it.
    ///
    /// Standard: RFC 6762 §8.2; that the name is given up goes beyond it.
    mutating func yield(at now: ContinuousClock.Instant) -> Contest {
        guard !isOurs, !isDefended(at: now) else { return .defended }
        if let last = lostTies.last, now < last + Self.afterLostTie { return .contested }
        lostTies = lostTies.filter { $0 + Self.contestSpan > now } + [now]
        guard lostTies.count < Self.mostContests else { return .lost }
        let start = now + Self.afterLostTie
        state = .waiting(until: max(deadline ?? start, start))
        return .contested
    }

    /// Announces again soon, since receivers of the other host's packets delete our records; a record is sent once in a
    /// second at most.
    ///
    /// Standard: RFC 6762 §9 and §6.
    private mutating func defend(at now: ContinuousClock.Instant) {
        let allowed = announced.map { $0 + Self.untilSecondAnnouncement } ?? now
        let soon = max(now + Self.beforeDefence, allowed)
        switch state {
        case .waiting, .probing: break
        case .announcing(let told, let next): state = .announcing(told: told, next: min(next, soon))
        case .established: state = .announcing(told: Self.announcements - 1, next: soon)
        }
    }

    /// Announces again, because the records of the name have changed.
    mutating func announceAgain(at now: ContinuousClock.Instant) {
        switch state {
        case .waiting, .probing: break
        case .announcing, .established: state = .announcing(told: 0, next: now)
        }
    }

    /// The number of contests or lost ties, within ``contestSpan``, after which the name is given up.
    private static let mostContests = 3
    /// The span for counting contests and lost ties.
    private static let contestSpan = Duration.seconds(60)
    /// The time that another host has to establish the name after it wins a tie.
    private static let afterLostTie = Duration.seconds(1)
    /// The time that a name is defended without an announcement, so that several lies get one.
    private static let beforeDefence = Duration.milliseconds(100)
    private static let probes = 3
    /// The pause between two probes.
    private static let betweenProbes = Duration.milliseconds(250)
    private static let announcements = 3
    /// The pause after the first announcement; the next one is twice as long.
    private static let untilSecondAnnouncement = Duration.milliseconds(1005)
}
