/// The key of a count: a limit, and the counted address, person, client or name.
struct RateLimitKey: Sendable, Hashable {
    let rule: LimitRule
    let whom: String
    // The parts that the audit may name.
    var address: String?
    var subject: Subject?
    var client: ClientID?
    /// Whether it is for an unknown address.
    var isUnseen = false
    /// The factor that multiplies the limit for a network larger than that of a single client.
    var factor = 1
    /// The party with an additional separate count; with fewer than ``few`` attempts it passes while others wait, up to
    /// the whole limit.
    private(set) var newcomer: String?
    /// The counts for the larger networks around the address.
    private(set) var wider: [NetworkCount] = []

    /// The count of a larger network.
    struct NetworkCount: Sendable {
        let whom: String
        let network: String
        let factor: Int
    }

    /// One count for all requests.
    static func overall(_ rule: LimitRule) -> RateLimitKey {
        RateLimitKey(rule: rule, whom: "")
    }

    /// A count for a client's network address.
    ///
    /// Unknown addresses are not counted: a common count would let one client block the others.
    static func address(_ rule: LimitRule, _ address: String?) -> RateLimitKey {
        at(address, rule) { $0 }
    }

    /// A count for a network address and a name together, which strangers elsewhere cannot use up.
    static func name(_ name: String, at address: String?, _ rule: LimitRule) -> RateLimitKey {
        at(address, rule) { "\($0) \(name)" }
    }

    /// A count for a presented name, known or unknown.
    static func name(_ name: String, _ rule: LimitRule) -> RateLimitKey {
        RateLimitKey(rule: rule, whom: name)
    }

    /// A count for a network address and the larger networks around it; `whom` names the count of one of them.
    private static func at(_ address: String?, _ rule: LimitRule, _ whom: (String) -> String) -> RateLimitKey {
        let counted = CountedAddress.text(of: address)
        var key = RateLimitKey(rule: rule, whom: whom(counted), address: counted, isUnseen: address == nil)
        key.wider = CountedAddress.wider(than: address).map { network, factor in
            NetworkCount(whom: whom(network), network: network, factor: factor)
        }
        return key
    }

    /// The count itself and those of the larger networks around it.
    var withWider: [RateLimitKey] {
        guard !wider.isEmpty else { return [self] }
        var key = self
        key.wider = []
        return [key]
            + wider.map { network in
                var key = RateLimitKey(
                    rule: rule, whom: network.whom, address: network.network, factor: network.factor)
                key.newcomer = newcomer
                return key
            }
    }

    /// The number of attempts from which a newcomer waits like others.
    static let few = 2

    /// The key with a newcomer, who passes while others wait.
    ///
    /// - Parameter whom: The party of the attempts; `nil` when it is unknown.
    func sparing(_ whom: String?) -> RateLimitKey {
        var key = self
        key.newcomer = whom
        return key
    }

    /// The key of the newcomer's separate count.
    var newcomerKey: RateCounterKey? { newcomer.map { RateCounterKey(rule.counter, of: "newcomer\n\($0)") } }

    /// Whether the limit delays attempts instead of refusing them.
    var isPaced: Bool { rule.declaration.manner == .delays }

    /// The number of attempts in a span before some may be refused.
    func mostForAll(of limit: Limit) -> Int { isPaced ? max(1, limit.most / 2) : limit.most }

    /// A count for an authenticated client of the operator, and for the network of every other client.
    static func party(
        _ client: Client, _ provenance: Provenance, at address: String?, perClient: LimitRule, perAddress: LimitRule
    ) -> RateLimitKey {
        guard provenance == .verified, case .operator = client.registration else {
            return .address(perAddress, address)
        }
        return .client(perClient, client.id)
    }

    static func subject(_ rule: LimitRule, _ subject: Subject) -> RateLimitKey {
        RateLimitKey(rule: rule, whom: subject.rawValue, subject: subject)
    }

    static func client(_ rule: LimitRule, _ client: ClientID) -> RateLimitKey {
        RateLimitKey(rule: rule, whom: client.rawValue, client: client)
    }

    /// A count for the requests of one client to one person.
    static func source(_ rule: LimitRule, _ client: ClientID, _ subject: Subject) -> RateLimitKey {
        RateLimitKey(rule: rule, whom: "\(client)\n\(subject)", subject: subject, client: client)
    }

    var countKey: RateCounterKey { RateCounterKey(rule.counter, of: whom) }

    static func == (left: RateLimitKey, right: RateLimitKey) -> Bool {
        left.rule == right.rule && left.whom == right.whom
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(rule)
        hasher.combine(whom)
    }
}

extension [RateLimitKey] {
    /// All of them and those of the larger networks around their addresses.
    var withWider: [RateLimitKey] {
        // Most addresses have none, which needs no copy.
        allSatisfy(\.wider.isEmpty) ? self : flatMap(\.withWider)
    }
}
