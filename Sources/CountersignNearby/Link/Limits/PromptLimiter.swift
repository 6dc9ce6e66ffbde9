/// Limits how often the person is asked, and mutes requesters that the person refused.
struct PromptLimiter: Sendable {
    /// A requester that wants to ask the person something.
    enum PromptSource: Sendable, Hashable {
        /// A stranger, by its address.
        case stranger(NearbyAddress)
        /// A remembered requester.
        case paired(PairingID)
    }

    /// The questions of strangers, but for those below.
    private var strangers: RecentEvents<NearbyAddress>
    /// The questions that were kept for newcomers.
    private var newcomers: RecentEvents<NearbyAddress>
    /// When the last of those was put.
    private var lastOfNewcomers: ContinuousClock.Instant?
    /// The questions of remembered requesters within an hour.
    private var pairings = RecentEvents<PairingID>(within: .seconds(3_600))
    /// Until when each of them is muted.
    private var mutes: [PromptSource: ContinuousClock.Instant] = [:]
    /// How often each pairing was refused in a row.
    private var refusals: [PairingID: Int] = [:]
    /// How often the person may be asked.
    private let limits: ListenerLimits

    /// A limiter that has counted nothing.
    init(limits: ListenerLimits) {
        self.limits = limits
        strangers = RecentEvents(within: limits.promptSpan)
        newcomers = RecentEvents(within: limits.promptSpan)
    }

    /// Counts a question if it may be asked; otherwise returns why not.
    ///
    /// - Parameters:
    ///   - source: Who asks.
    ///   - isNewcomer: Whether it is a stranger whose address has not waited before.
    ///   - now: The instant at which this happens.
    mutating func ask(_ source: PromptSource, isNewcomer: Bool, at now: ContinuousClock.Instant) -> EndReason? {
        mutes = mutes.filter { $0.value > now }
        guard mutes[source] == nil else { return .notNow }
        switch source {
        case .stranger(let address):
            let own = strangers.count(of: address, at: now) + newcomers.count(of: address, at: now)
            guard own < limits.promptsPerAddress else { return .busy }
            if strangers.count(at: now) < limits.prompts - limits.promptsOfNewcomers {
                strangers.add(address, at: now)
            } else {
                guard isNewcomer, mayAskNewcomer(at: now) else { return .busy }
                newcomers.add(address, at: now)
                lastOfNewcomers = now
            }
        case .paired(let pairing):
            guard pairings.count(of: pairing, at: now) < limits.promptsPerPairing else { return .busy }
            pairings.add(pairing, at: now)
        }
        return nil
    }

    /// Whether one of the questions that are reserved for newcomers may be put. They are spread in time, so that many
    /// addresses that come together do not use up all, and one is left for an address that comes later.
    private mutating func mayAskNewcomer(at now: ContinuousClock.Instant) -> Bool {
        if let lastOfNewcomers, now < lastOfNewcomers + limits.newcomerPause { return false }
        return newcomers.count(at: now) < limits.promptsOfNewcomers
    }

    /// The person said "not now", or "no" to a pairing. Returns whether to suggest that the person forgets it.
    mutating func refuse(_ source: PromptSource, at now: ContinuousClock.Instant) -> Bool {
        mutes[source] = now + limits.promptSpan
        guard case .paired(let pairing) = source else { return false }
        refusals[pairing, default: 0] += 1
        return refusals[pairing, default: 0] >= limits.refusalsBeforeForgetting
    }

    /// The person said yes to a pairing.
    mutating func approve(_ pairing: PairingID) {
        refusals[pairing] = nil
    }
}
