/// The addresses that do something more often in a minute than an honest requester does, such as connecting without a
/// handshake, so that they cannot take the places of others.
struct FrequentAddressTracker: Sendable {
    /// When each address did it within a minute, the oldest first.
    private var instants: [NearbyAddress: [ContinuousClock.Instant]] = [:]
    /// From how many times on an address is frequent.
    private let least: Int
    /// How long each time counts.
    private static let span = Duration.seconds(60)
    /// The largest number of addresses, so that no sender can use up the memory.
    private static let mostAddresses = 1024

    /// No addresses.
    init(least: Int) {
        self.least = max(1, least)
    }

    /// This address has done it.
    mutating func note(_ address: NearbyAddress, at now: ContinuousClock.Instant) {
        if instants[address] == nil, instants.count >= Self.mostAddresses {
            instants = instants.filter { $0.value.contains { $0 + Self.span > now } }
            guard instants.count < Self.mostAddresses else { return }
        }
        instants[address] = (instants[address] ?? []).filter { $0 + Self.span > now }.suffix(least - 1) + [now]
    }

    /// Whether this address has often done it.
    func isFrequent(_ address: NearbyAddress, at now: ContinuousClock.Instant) -> Bool {
        guard let latest = instants[address], latest.count >= least else { return false }
        return latest.allSatisfy { $0 + Self.span > now }
    }
}
