internal import Countersign
internal import NIOConcurrencyHelpers

/// The networks in which people were given tokens of late, at this node. They go on where a limit that all share has been
/// reached for a while.
final class KnownNetworks: Sendable {
    /// The most that are kept.
    static let capacity = 100_000

    private let networks = NIOLockedValueBox(SecondChanceCache<String, Void>(capacity: KnownNetworks.capacity))

    /// Notes that a person was given tokens in a network, by the text of ``CountedAddress/widest(of:)``.
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
