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
    private(set) var wider: [Wider] = []

    /// The count of a larger network.
    struct Wider: Sendable {
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
            Wider(whom: whom(network), network: network, factor: factor)
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

/// The counted form of a network address.
///
/// A client that has one IPv6 address has 2^64 of them, so all that share the first 64 bits count as one. A home has
/// 256 such networks, an office 65,536, so those are counted together too, each with a larger limit. An IPv4 address
/// that is written as an IPv6 one counts as itself.
/// Standard: RFC 4291 §2.5.1, §2.5.5.2; RFC 6177 §2.
enum CountedAddress {
    static func text(of address: String?) -> String {
        guard let address else { return "unknown" }
        guard address.utf8.contains(UInt8(ascii: ":")) else { return address }
        guard let bytes = AddressNetwork.bytes(of: address), bytes.count == 16 else {
            return AddressNetwork.plain(address)
        }
        return network(bytes, bits: 64)
    }

    /// The largest network around an address that is counted.
    static func widest(of address: String?) -> String { wider(than: address).last?.network ?? text(of: address) }

    /// The network that may belong to one holder: all addresses with the first 24 bits of an IPv4 address, or with the
    /// first 48 of an IPv6 address.
    static func holding(_ address: String) -> String {
        guard let bytes = AddressNetwork.bytes(of: address), bytes.count == 4 else { return widest(of: address) }
        return bytes.prefix(3).map { "\($0)." }.joined() + "0/24"
    }

    /// The larger networks around an address, each with how many times the limit of one client it has.
    static func wider(than address: String?) -> [(network: String, factor: Int)] {
        guard let address, address.utf8.contains(UInt8(ascii: ":")), let bytes = AddressNetwork.bytes(of: address),
            bytes.count == 16
        else { return [] }
        return [(network(bytes, bits: 56), 4), (network(bytes, bits: 48), 16)]
    }

    /// The text of the network of the first bits, 64 at most.
    private static func network(_ bytes: [UInt8], bits: Int) -> String {
        let kept = bytes.prefix(bits / 8) + [UInt8](repeating: 0, count: 8 - bits / 8)
        let groups = stride(from: 0, to: 8, by: 2).map { index in
            String(UInt16(kept[index]) << 8 | UInt16(kept[index + 1]), radix: 16)
        }
        return "\(groups.joined(separator: ":"))::/\(bits)"
    }
}
