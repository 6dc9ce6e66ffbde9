/// Decides which found approvers are contacted next because they may be remembered.
///
/// A host at which few were contacted comes first, so that one that makes hundreds of approvers known keeps no other
/// waiting.
struct ProbePlaces: Sendable {
    /// How many are contacted at the same time: in all, and at one host.
    private static let (most, mostAtHost) = (64, 4)

    /// How often each host was contacted so far.
    private var counts: [String: Int] = [:]

    /// No approver was contacted.
    init() {}

    /// Takes the approvers to contact now.
    ///
    /// - Parameters:
    ///   - waiting: The approvers that were not contacted, each with its host.
    ///   - running: The hosts of the conversations that began so and still run.
    mutating func take(
        from waiting: [(id: NearbyApprover.ID, host: String)],
        running: [String]
    ) -> [NearbyApprover.ID] {
        var atHost: [String: Int] = [:]
        for host in running { atHost[host, default: 0] += 1 }
        let earlier = counts
        let ordered = waiting.sorted { left, right in
            (earlier[left.host] ?? 0, left.id.name) < (earlier[right.host] ?? 0, right.id.name)
        }
        var taken: [NearbyApprover.ID] = []
        for next in ordered where running.count + taken.count < Self.most {
            guard atHost[next.host] ?? 0 < Self.mostAtHost else { continue }
            atHost[next.host, default: 0] += 1
            counts[next.host, default: 0] += 1
            taken.append(next.id)
        }
        return taken
    }
}
