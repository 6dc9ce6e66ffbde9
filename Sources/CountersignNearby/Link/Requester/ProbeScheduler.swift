/// Decides which found approvers are contacted next because they may be remembered.
///
/// Those at which a remembered approver was reached before, and those that have answered, have places of their own. Of the
/// others, a host at which few were contacted comes first, and hosts alike come by chance: one host that makes hundreds
/// of approvers known keeps no other waiting, and hundreds of hosts keep it waiting for seconds only.
package struct ProbeScheduler: Sendable {
    /// An approver that was not contacted.
    package struct Waiting: Sendable {
        /// Names the approver.
        package let id: NearbyApprover.ID
        /// Where it is.
        package let host: String
        /// Whether it has answered before.
        package let hasAnswered: Bool
        /// Drawn at random when it was found.
        package let rank: UInt16

        /// An approver that waits.
        package init(id: NearbyApprover.ID, host: String, hasAnswered: Bool, rank: UInt16) {
            self.id = id
            self.host = host
            self.hasAnswered = hasAnswered
            self.rank = rank
        }
    }

    /// How many are contacted at the same time: in all, at one host, and of those that have places of their own.
    private static let (most, mostAtHost, mostPreferred) = (64, 4, 16)
    /// After how long one that has not answered gives its place to another, while more wait than there are places.
    package static let crowdedTime = Duration.milliseconds(1200)

    /// How often each host was contacted so far.
    private var counts: [String: Int] = [:]
    /// The hosts at which remembered approvers were reached.
    private let known: Set<String>

    /// No approver was contacted.
    ///
    /// - Parameter known: The hosts at which remembered approvers were reached.
    package init(knowing known: Set<String> = []) {
        self.known = known
    }

    /// Whether so many wait that those which do not answer give way soon.
    package static func isCrowded(_ waiting: Int) -> Bool { waiting > most }

    /// Takes the approvers to contact now.
    ///
    /// - Parameters:
    ///   - waiting: The approvers that were not contacted.
    ///   - running: The hosts of the conversations that began so and still run, and whether each has a place of its own.
    /// - Returns: The approvers, and whether each has a place of its own.
    package mutating func take(
        from waiting: [Waiting],
        running: [(host: String, isPreferred: Bool)]
    ) -> [(id: NearbyApprover.ID, isPreferred: Bool)] {
        var atHost: [String: Int] = [:]
        for one in running { atHost[one.host, default: 0] += 1 }
        var free = [
            true: Self.mostPreferred - running.count(where: \.isPreferred),
            false: Self.most - running.count { !$0.isPreferred },
        ]
        var taken: [(id: NearbyApprover.ID, isPreferred: Bool)] = []
        for isPreferred in [true, false] {
            let earlier = counts
            let ordered = waiting.filter { isPreferred == (known.contains($0.host) || $0.hasAnswered) }.sorted {
                (earlier[$0.host] ?? 0, $0.rank, $0.id.name) < (earlier[$1.host] ?? 0, $1.rank, $1.id.name)
            }
            for next in ordered where free[isPreferred] ?? 0 > 0 {
                guard atHost[next.host] ?? 0 < Self.mostAtHost else { continue }
                atHost[next.host, default: 0] += 1
                counts[next.host, default: 0] += 1
                free[isPreferred, default: 0] -= 1
                taken.append((next.id, isPreferred))
            }
        }
        return taken
    }
}
