/// Limits how often the person is asked, and mutes requesters that the person refused.
struct PromptLimiter: Sendable {
    /// A requester that wants to ask the person something.
    enum Asker: Sendable, Hashable {
        /// A stranger, by its address.
        case stranger(NearbyAddress)
        /// A remembered requester.
        case paired(PairingID)
    }

    /// The questions of strangers.
    private var strangers: RecentEvents<NearbyAddress>
    /// The questions of remembered requesters within an hour.
    private var pairings = RecentEvents<PairingID>(within: .seconds(3_600))
    /// Until when each asker is muted.
    private var mutes: [Asker: ContinuousClock.Instant] = [:]
    /// How often each pairing was refused in a row.
    private var refusals: [PairingID: Int] = [:]
    /// How often the person may be asked.
    private let limits: ListenerLimits

    /// A limiter that has counted nothing.
    init(limits: ListenerLimits) {
        self.limits = limits
        strangers = RecentEvents(within: limits.promptSpan)
    }

    /// Counts a question if it may be asked; otherwise returns why not.
    mutating func ask(_ asker: Asker, at now: ContinuousClock.Instant) -> EndReason? {
        mutes = mutes.filter { $0.value > now }
        guard mutes[asker] == nil else { return .notNow }
        switch asker {
        case .stranger(let address):
            guard strangers.count(of: address, at: now) < limits.promptsPerAddress,
                strangers.count(at: now) < limits.prompts
            else { return .busy }
            strangers.add(address, at: now)
        case .paired(let pairing):
            guard pairings.count(of: pairing, at: now) < limits.promptsPerPairing else { return .busy }
            pairings.add(pairing, at: now)
        }
        return nil
    }

    /// The person said "not now", or "no" to a pairing. Returns whether to suggest that the person forgets it.
    mutating func refuse(_ asker: Asker, at now: ContinuousClock.Instant) -> Bool {
        mutes[asker] = now + limits.promptSpan
        guard case .paired(let pairing) = asker else { return false }
        refusals[pairing, default: 0] += 1
        return refusals[pairing, default: 0] >= limits.refusalsBeforeForgetting
    }

    /// The person said yes to a pairing.
    mutating func approve(_ pairing: PairingID) {
        refusals[pairing] = nil
    }
}
