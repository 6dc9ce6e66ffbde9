internal import Countersign
internal import MulticastDNS

/// Draws which address puts the next question to the person, so that coming first gains nothing.
///
/// Addresses take part that have tried to ask lately. Those win about which the person was asked least often in the
/// last hour; among these, one by chance. The winner may ask for a while, if it still takes part, and then another one
/// is drawn: so one that tries again and again, but never asks, does not keep the turn from others.
struct PromptLottery: Sendable {
    /// The addresses that take part, and when each has tried to ask; the latest comes last.
    private var entries: [(address: NearbyAddress, at: ContinuousClock.Instant)] = []
    /// The address that may ask next, and until when; `nil` when none was drawn.
    private var turn: (address: NearbyAddress, ends: ContinuousClock.Instant)?
    /// The addresses about which the person was asked within an hour.
    private var asked = RecentEvents<NearbyAddress>(within: .seconds(3_600))
    /// How long an address takes part after it has tried to ask, and how long it may ask after it was drawn.
    private let span: Duration
    /// Draws.
    private let jitter: Jitter

    /// A lottery in which no address takes part.
    ///
    /// - Parameters:
    ///   - span: How long an address takes part after it has tried to ask, and how long it may ask after it was drawn.
    ///   - random: Where random bytes come from.
    init(within span: Duration, drawingFrom random: RandomSource) {
        self.span = span
        jitter = Jitter(random)
    }

    /// An address tries to ask, or still waits for its turn.
    mutating func enter(_ address: NearbyAddress, at now: ContinuousClock.Instant) {
        let span = span
        entries.removeAll { $0.address == address || $0.at + span <= now }
        entries.append((address, now))
    }

    /// The person is asked about an address.
    mutating func countQuestion(about address: NearbyAddress, at now: ContinuousClock.Instant) {
        asked.add(address, at: now)
    }

    /// The addresses that take part.
    mutating func participants(at now: ContinuousClock.Instant) -> [NearbyAddress] {
        let span = span
        entries.removeAll { $0.at + span <= now }
        return entries.map(\.address)
    }

    /// Whether an address may ask the next question, which is free now.
    ///
    /// - Parameters:
    ///   - address: The address that asks.
    ///   - eligible: Those of the participants that may be drawn.
    ///   - now: The instant at which this happens.
    mutating func wins(
        _ address: NearbyAddress,
        among eligible: [NearbyAddress],
        at now: ContinuousClock.Instant
    ) -> Bool {
        let isHeld = turn.map { now < $0.ends && eligible.contains($0.address) } ?? false
        if !isHeld { turn = draw(from: eligible, at: now).map { ($0, now + span) } }
        guard turn?.address == address else { return false }
        turn = nil
        return true
    }

    /// Draws one of those about which the person was asked least often.
    private mutating func draw(from eligible: [NearbyAddress], at now: ContinuousClock.Instant) -> NearbyAddress? {
        var (best, fewest): ([NearbyAddress], Int) = ([], .max)
        for address in eligible {
            let count = asked.count(of: address, at: now)
            if count < fewest { (best, fewest) = ([], count) }
            if count == fewest { best.append(address) }
        }
        guard !best.isEmpty else { return nil }
        return jitter.numbers(1, below: best.count).first.map { best[$0] }
    }
}
