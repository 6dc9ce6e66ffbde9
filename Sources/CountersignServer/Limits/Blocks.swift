internal import Foundation
internal import NIOConcurrencyHelpers

/// Who has reached a limit, as far as this node knows: turned away without a look into the store.
final class Blocks: Sendable {
    /// The most that are remembered; whoever is forgotten is found in the store again at their next wrong attempt.
    static let capacity = 50_000

    private let ends = NIOLockedValueBox<[Tally: Date]>([:])

    var isEmpty: Bool { ends.withLockedValue(\.isEmpty) }

    /// Until when `tally` is blocked; `nil` when it is not.
    func end(of tally: Tally, at now: Date) -> Date? {
        ends.withLockedValue { ends in
            guard !ends.isEmpty, let end = ends[tally] else { return nil }
            if end > now { return end }
            ends[tally] = nil
            return nil
        }
    }

    func block(_ tally: Tally, until end: Date, at now: Date) {
        ends.withLockedValue { ends in
            if ends.count >= Self.capacity {
                ends = ends.filter { $0.value > now }
                if ends.count >= Self.capacity { ends = [:] }
            }
            ends[tally] = end
        }
    }
}
