internal import Countersign
internal import CountersignWire

/// The key of a count: a limit, and the address, person, client or name that it applies to.
struct RateLimitKey: Sendable, Hashable {
    let rule: LimitRule
    let whom: String
    // The parts that the audit may name.
    var address: String?
    var subject: Subject?
    var client: ClientID?
    /// Whether it is for an address that the server cannot see.
    var isUnseen = false
    /// The factor that multiplies the limit for a network larger than that of a single client.
    var factor = 1
    /// The party whose attempts are also counted separately under the same limit; with at most ``few`` attempts in the
    /// span it passes while others wait, until the whole limit is used up.
    private(set) var newcomer: String?
    /// The same count for the larger networks around the address.
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
    /// Clients whose address cannot be seen are not counted: one count for all of them would let one of them block the
    /// others.
    static func address(_ rule: LimitRule, _ address: String?) -> RateLimitKey {
        at(address, rule) { $0 }
    }

    /// A count for a network address and a name together, so that strangers elsewhere cannot use up the attempts of the
    /// person or client with this name.
    static func name(_ name: String, at address: String?, _ rule: LimitRule) -> RateLimitKey {
        at(address, rule) { "\($0) \(name)" }
    }

    /// A count for a name as it was presented, whether it exists or not.
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

    /// The most attempts of a party that passes while others wait.
    static let few = 2

    /// The same count of a paced limit, where a party with few attempts of its own passes while others wait.
    ///
    /// - Parameter whom: The party that makes the attempts; `nil` when it cannot be seen.
    func sparing(_ whom: String?) -> RateLimitKey {
        var key = self
        key.newcomer = whom
        return key
    }

    /// The key of the separate count for the party that makes the attempts.
    var newcomerKey: RateCounterKey? { newcomer.map { RateCounterKey(rule.counter, of: "newcomer\n\($0)") } }

    /// Whether attempts are delayed longer and longer instead of refused until the span ends.
    var isPaced: Bool { rule.declaration.manner == .delays }

    /// The number of attempts in a span before some may be refused.
    func mostForAll(of limit: Limit) -> Int { isPaced ? max(1, limit.most / 2) : limit.most }

    /// A count for the one who causes the cost: a client that the operator registered and that proved who it is, and for
    /// every other the network.
    static func party(
        _ client: Client,
        _ provenance: Provenance,
        at address: String?,
        perClient: LimitRule,
        perAddress: LimitRule
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

    /// A count for what one client asks one person.
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
        // For most addresses there are none, and then nothing is copied.
        allSatisfy(\.wider.isEmpty) ? self : flatMap(\.withWider)
    }
}
