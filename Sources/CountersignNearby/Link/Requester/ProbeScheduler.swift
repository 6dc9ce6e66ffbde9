/// Decides which found approvers are contacted next because they may be paired.
///
/// Approvers that have answered, and hosts where a paired approver was reached before, have reserved places. Among
/// the others, the host with the fewest contacts comes first: one host that makes hundreds of approvers known keeps no
/// other waiting, and hundreds of hosts keep it waiting for seconds only.
///
/// The addresses of an approver are its host's claims, which may name those of others. The least often contacted ones
/// come first, and one that names the host of a paired approver is contacted there only.
struct ProbeScheduler: Sendable {
    /// An approver that was not contacted since it has appeared.
    struct Waiting: Sendable {
        let id: NearbyApprover.ID
        let hosts: Set<String>
        /// Whether it has answered before.
        let hasAnswered: Bool
        /// The number of contacts since its discovery.
        let contacts: Int
        /// The number of the batch of discovery events that found it.
        let found: Int
        /// Drawn at random at discovery: breaks ties.
        let rank: UInt16
    }

    /// A connection to an approver that may be paired.
    struct Probe: Sendable {
        let hosts: Set<String>
        /// Whether it has a reserved place.
        let isPreferred: Bool
    }

    /// The maximum numbers of simultaneous contacts: in all, at one host, and with reserved places.
    private static let (most, mostAtHost, mostPreferred) = (64, 4, 16)
    /// The time after which an unresponsive one gives its place to another, while more wait than there are places.
    static let crowdedTime = Duration.milliseconds(1200)

    /// The number of contacts with each host so far.
    private var counts: [String: Int] = [:]
    /// The hosts where paired approvers were reached.
    private let known: Set<String>

    /// No approver was contacted.
    init(knowing known: Set<String> = []) { self.known = known }

    /// Whether so many wait that unresponsive ones give way soon.
    static func isCrowded(_ waiting: Int) -> Bool { waiting > most }

    /// Takes the approvers to contact now.
    ///
    /// - Parameter waiting: The approvers that were not contacted.
    /// - Returns: The approvers, and how each is contacted.
    mutating func take(from waiting: [Waiting], running: [Probe]) -> [(id: NearbyApprover.ID, probe: Probe)] {
        var atHost: [String: Int] = [:]
        for host in running.flatMap(\.hosts) { atHost[host, default: 0] += 1 }
        var free = [
            true: Self.mostPreferred - running.count(where: \.isPreferred),
            false: Self.most - running.count { !$0.isPreferred },
        ]
        let candidates = waiting.map { one in (waiting: one, probe: probe(of: one), count: count(of: one)) }
        var taken: [(id: NearbyApprover.ID, probe: Probe)] = []
        for isPreferred in [true, false] {
            let ordered = candidates.filter { $0.probe.isPreferred == isPreferred }.sorted { left, right in
                (left.waiting.contacts, left.count, left.waiting.found, left.waiting.rank)
                    < (right.waiting.contacts, right.count, right.waiting.found, right.waiting.rank)
            }
            for next in ordered where free[isPreferred] ?? 0 > 0 {
                guard next.probe.hosts.allSatisfy({ atHost[$0] ?? 0 < Self.mostAtHost }) else { continue }
                for host in next.probe.hosts {
                    atHost[host, default: 0] += 1
                    counts[host, default: 0] += 1
                }
                free[isPreferred, default: 0] -= 1
                taken.append((next.waiting.id, next.probe))
            }
        }
        return taken
    }

    /// The probe of an approver: its hosts, and whether it has a reserved place.
    private func probe(of one: Waiting) -> Probe {
        let there = one.hosts.intersection(known)
        return Probe(hosts: there.isEmpty ? one.hosts : there, isPreferred: !there.isEmpty || one.hasAnswered)
    }

    /// The number of contacts with its host: the largest among its hosts, since it may add new ones.
    private func count(of one: Waiting) -> Int { probe(of: one).hosts.map { counts[$0] ?? 0 }.max() ?? 0 }
}
