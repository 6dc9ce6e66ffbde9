internal import Countersign

/// Limits how often the person is asked, and mutes requesters that the person refused.
struct PromptLimiter: Sendable {
    /// A requester that wants to ask the person something.
    enum PromptSource: Sendable, Hashable {
        /// A stranger, by its address.
        case stranger(NearbyAddress)
        /// A remembered requester.
        case paired(PairingID)
    }

    /// The questions of strangers that any address may put.
    private var strangers: RecentEvents<NearbyAddress>
    /// The further questions, of addresses about which the person was not asked lately.
    private var further: RecentEvents<NearbyAddress>
    /// From when on a newcomer may put the next further question.
    private var nextOfNewcomers: ContinuousClock.Instant?
    /// From when on any address about which the person was not asked lately may put the next further question.
    private var nextOfUnasked: ContinuousClock.Instant?
    /// Draws which of these addresses that is.
    private var lottery: PromptLottery
    /// The questions of remembered requesters within an hour.
    private var pairings = RecentEvents<PairingID>(within: .seconds(3_600))
    /// Until when each of them is muted.
    private var mutes: [PromptSource: ContinuousClock.Instant] = [:]
    /// How often each pairing was refused in a row.
    private var refusals: [PairingID: Int] = [:]
    /// How often the person may be asked.
    private let limits: ListenerLimits

    /// A limiter that has counted nothing.
    ///
    /// - Parameters:
    ///   - limits: How often the person may be asked.
    ///   - random: Where random bytes come from.
    init(limits: ListenerLimits, drawingFrom random: RandomSource) {
        self.limits = limits
        lottery = PromptLottery(within: limits.promptDrawSpan, drawingFrom: random)
        strangers = RecentEvents(within: limits.promptSpan)
        further = RecentEvents(within: limits.promptSpan)
    }

    /// An address of a stranger wants to ask: it takes part in the next draw of a further question.
    mutating func enter(_ address: NearbyAddress, at now: ContinuousClock.Instant) {
        lottery.enter(address, at: now)
    }

    /// Counts a question if it may be asked; otherwise returns why not.
    ///
    /// - Parameters:
    ///   - source: Who asks.
    ///   - isNewcomer: Whether it is a stranger whose address has not waited before.
    ///   - isRepeated: Whether the person has answered its question, and is asked once more because a code was wrong.
    ///   - now: The instant at which this happens.
    ///   - mayAskFurther: Whether an address may put further questions at all.
    mutating func ask(
        _ source: PromptSource,
        isNewcomer: Bool,
        isRepeated: Bool,
        at now: ContinuousClock.Instant,
        furtherIf mayAskFurther: (NearbyAddress) -> Bool
    ) -> EndReason? {
        mutes = mutes.filter { $0.value > now }
        guard mutes[source] == nil else { return .notNow }
        switch source {
        case .stranger(let address):
            let own = count(of: address, at: now)
            guard own < limits.promptsPerAddress else { return .busy }
            if strangers.count(at: now) < limits.prompts {
                strangers.add(address, at: now)
            } else {
                let isFree =
                    own == 0 && mayAskFurther(address)
                    && takeFurther(address, isNewcomer: isNewcomer, at: now, furtherIf: mayAskFurther)
                guard isRepeated || isFree else { return .busy }
                further.add(address, at: now)
            }
            lottery.countQuestion(about: address, at: now)
        case .paired(let pairing):
            guard pairings.count(of: pairing, at: now) < limits.promptsPerPairing else { return .busy }
            pairings.add(pairing, at: now)
        }
        return nil
    }

    /// Takes a further question, if one may be put; returns whether it may.
    ///
    /// An address has at most one of these in the span, and they go on for as long as addresses ask, a pause apart. So
    /// a few addresses soon have had theirs, and the next one is left for another address, which may have asked in vain
    /// before. Where several are left, one is drawn. Newcomers have some of their own, which many addresses that come
    /// again and again cannot take.
    ///
    /// - Parameters:
    ///   - address: The address that asks.
    ///   - isNewcomer: Whether it has not waited before.
    ///   - now: The instant at which this happens.
    ///   - mayAskFurther: Whether an address may put further questions at all.
    private mutating func takeFurther(
        _ address: NearbyAddress,
        isNewcomer: Bool,
        at now: ContinuousClock.Instant,
        furtherIf mayAskFurther: (NearbyAddress) -> Bool
    ) -> Bool {
        let next = now + limits.furtherPromptPause
        if isNewcomer, nextOfNewcomers.map({ $0 <= now }) ?? true {
            nextOfNewcomers = next
            return true
        }
        guard nextOfUnasked.map({ $0 <= now }) ?? true else { return false }
        let eligible = unasked(at: now).filter(mayAskFurther)
        guard lottery.wins(address, among: eligible, at: now) else { return false }
        nextOfUnasked = next
        return true
    }

    /// The addresses that take part in the draw, and about which the person was not asked lately.
    private mutating func unasked(at now: ContinuousClock.Instant) -> [NearbyAddress] {
        var addresses: [NearbyAddress] = []
        for address in lottery.participants(at: now) {
            if mutes[.stranger(address)] == nil, count(of: address, at: now) == 0 { addresses.append(address) }
        }
        return addresses
    }

    /// How many questions an address has put lately.
    private mutating func count(of address: NearbyAddress, at now: ContinuousClock.Instant) -> Int {
        strangers.count(of: address, at: now) + further.count(of: address, at: now)
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
