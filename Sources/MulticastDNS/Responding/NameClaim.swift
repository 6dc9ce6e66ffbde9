/// The way to a name of one's own: ask whether another host has it, then tell all hosts.
///
///     waiting ──▶ probing ──3 × 250 ms──▶ announcing ──▶ established
///        ▲          │ ▲                                      │
///        └──beaten──┘ └───────────────contested──────────────┘
///
/// A name that another has is lost, which is no state here: its owner takes another name, with a claim of its own.
///
/// Standard: RFC 6762 §8 and §9.
struct NameClaim: Sendable, Equatable {
    /// How far the claim has come.
    enum State: Sendable, Equatable {
        /// Nothing was sent yet.
        case waiting(until: ContinuousClock.Instant)
        /// Others were asked for the name so often.
        case probing(asked: Int, next: ContinuousClock.Instant)
        /// Others were told of the name so often.
        case announcing(told: Int, next: ContinuousClock.Instant)
        /// The name is ours.
        case established
    }

    /// What is to be sent now.
    enum Step: Sendable, Equatable {
        /// Ask whether another host has the name.
        case probe
        /// Tell everybody that the name is ours.
        case announce(isFirst: Bool)
    }

    /// What a record of another under our name means.
    enum Contest: Sendable, Equatable {
        /// The name is the other's.
        case lost
        /// The other is asked whether it really has it.
        case contested
    }

    /// How far the claim has come.
    private(set) var state: State

    /// A claim that begins to ask at `start`, which is drawn at random.
    init(startingAt start: ContinuousClock.Instant) {
        state = .waiting(until: start)
    }

    /// Whether the name is ours, so that it can be answered for.
    var isOurs: Bool {
        switch state {
        case .waiting, .probing: false
        case .announcing, .established: true
        }
    }

    /// When ``advance(at:)`` is next to be called; `nil` when nothing is due.
    var deadline: ContinuousClock.Instant? {
        switch state {
        case .waiting(let until): until
        case .probing(_, let next), .announcing(_, let next): next
        case .established: nil
        }
    }

    /// Takes the next step, if its time has come.
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
            return .announce(isFirst: true)
        case .announcing(let told, _):
            // The span doubles each time; so the third comes two seconds after the second.
            let next = State.announcing(told: told + 1, next: now + Self.untilSecondAnnouncement * (1 << told))
            state = told + 1 < Self.announcements ? next : .established
            return .announce(isFirst: false)
        case .established:
            return nil
        }
    }

    /// Another answers for the name, with something else.
    mutating func meetOther(at now: ContinuousClock.Instant) -> Contest {
        switch state {
        case .waiting, .probing:
            return .lost
        case .announcing, .established:
            state = .waiting(until: now)
            return .contested
        }
    }

    /// Another asks for the name at the same time, and comes first: it may go on, and we ask again later.
    mutating func yield(at now: ContinuousClock.Instant) {
        switch state {
        case .waiting, .probing: state = .waiting(until: now + .seconds(1))
        case .announcing, .established: break
        }
    }

    /// Tells everybody once more, because what stands under the name has changed.
    mutating func announceAgain(at now: ContinuousClock.Instant) {
        switch state {
        case .waiting, .probing: break
        case .announcing, .established: state = .announcing(told: 0, next: now)
        }
    }

    /// How often others are asked.
    private static let probes = 3
    /// The pause between two questions.
    private static let betweenProbes = Duration.milliseconds(250)
    /// How often others are told.
    private static let announcements = 3
    /// The pause after the first announcement; the next one is twice as long.
    private static let untilSecondAnnouncement = Duration.milliseconds(1005)
}
