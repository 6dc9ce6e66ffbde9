/// The addresses that connect and begin no handshake, so that they cannot take the slots of others.
///
/// An honest requester sends its first frame at once. One whose connection was closed before that frame arrived is not
/// suspected at once, since that may happen in a crowd.
struct SilentConnectionTracker: Sendable {
    /// When connections of each address ended in silence within a minute, the oldest first.
    private var silences: [NearbyAddress: [ContinuousClock.Instant]] = [:]
    /// From how many on an address is suspected.
    private let most: Int
    /// How long a silence counts.
    private static let span = Duration.seconds(60)
    /// The largest number of addresses, so that no sender can use up the memory.
    private static let mostAddresses = 1024

    /// No addresses.
    init(most: Int) {
        self.most = max(1, most)
    }

    /// A connection of this address has ended without a handshake.
    mutating func note(_ address: NearbyAddress, at now: ContinuousClock.Instant) {
        if silences[address] == nil, silences.count >= Self.mostAddresses {
            silences = silences.filter { $0.value.contains { $0 + Self.span > now } }
            guard silences.count < Self.mostAddresses else { return }
        }
        silences[address] = (silences[address] ?? []).filter { $0 + Self.span > now }.suffix(most - 1) + [now]
    }

    /// Whether connections of this address have often ended so.
    func isSuspected(_ address: NearbyAddress, at now: ContinuousClock.Instant) -> Bool {
        guard let instants = silences[address], instants.count >= most else { return false }
        return instants.allSatisfy { $0 + Self.span > now }
    }
}
