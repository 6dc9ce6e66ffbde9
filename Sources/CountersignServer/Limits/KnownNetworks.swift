internal import NIOConcurrencyHelpers

/// The networks in which people were given tokens of late, at this node. They go on where a limit that all share has been
/// reached for a while.
///
/// There are two generations: when the newer one is full, the older one is forgotten.
final class KnownNetworks: Sendable {
    /// The most that are kept.
    static let capacity = 100_000

    private struct Generations {
        var newer: Set<String> = []
        var older: Set<String> = []
    }

    private let generations = NIOLockedValueBox(Generations())

    /// Notes that a person was given tokens in a network, by the text of ``CountedAddress/widest(of:)``.
    func note(_ network: String) {
        generations.withLockedValue { generations in
            guard !generations.newer.contains(network) else { return }
            if generations.newer.count >= Self.capacity / 2 {
                generations.older = generations.newer
                generations.newer = []
            }
            generations.newer.insert(network)
        }
    }

    /// Whether a network was noted, and is not forgotten.
    func contains(_ network: String) -> Bool {
        generations.withLockedValue { $0.newer.contains(network) || $0.older.contains(network) }
    }
}
