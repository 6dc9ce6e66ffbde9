internal import FoundationEssentialsCompat

/// A network where one person signed in or decided a request within a month; guesses from elsewhere do not delay the
/// person there.
struct KnownNetwork: Sendable {
    /// The lifetime of a note, in seconds: a month.
    static let lifetime: TimeInterval = 30 * 86_400
    /// The minimum interval between writes of a note, in seconds: a day.
    private static let freshness: TimeInterval = 86_400

    private let key: RateCounterKey

    /// The network of an address, for a person; `nil` where it cannot be seen.
    init?(_ address: String?, of subject: Subject) {
        guard let address else { return nil }
        key = RateCounterKey(.knownNetwork, of: "\(subject)\n\(CountedAddress.text(of: address))")
    }

    /// Notes that the person was seen there.
    func note(in repositories: any Repositories, at now: Date) throws {
        if let noted = try repositories.counts.find(key), noted.ends > now + Self.lifetime - Self.freshness,
            isCurrent(noted, at: now)
        {
            return
        }
        // The span is not extended while it lasts, so the note begins a new one in the future.
        _ = try repositories.counts.add(1, to: key, lasting: 1, at: now + Self.lifetime)
    }

    /// Whether the person was seen there within a month.
    func isKnown(in repositories: any Repositories, at now: Date) throws -> Bool {
        try repositories.counts.find(key).map { isCurrent($0, at: now) } ?? false
    }

    private func isCurrent(_ noted: RateCounter, at now: Date) -> Bool {
        RateCounter.isCurrent(until: noted.ends, lasting: Self.lifetime + 1, at: now)
    }
}
