internal import Countersign
internal import NIOConcurrencyHelpers

/// Networks in which people recently received tokens from this node. They still pass when a shared limit is far
/// exceeded; see ``NetworkShare``.
final class KnownNetworks: Sendable {
    /// The most that are kept.
    static let capacity = 100_000

    private let networks = NIOLockedValueBox(SecondChanceCache<String, Void>(capacity: KnownNetworks.capacity))

    /// Notes that a person received tokens in a network, by the text of ``CountedAddress/widest(of:)``.
    func note(_ network: String) {
        networks.withLockedValue { networks in
            if networks.use(network) == nil { networks.put((), for: network) }
        }
    }

    /// Whether a network was noted, and is not forgotten.
    func contains(_ network: String) -> Bool {
        networks.withLockedValue { $0.peek(network) != nil }
    }
}
