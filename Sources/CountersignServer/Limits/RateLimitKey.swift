internal import Countersign
internal import CountersignWire

/// What a count is kept under: a limit, and the address, person, client or name that it applies to.
struct RateLimitKey: Sendable, Hashable {
    let limit: LimitName
    let whom: String
    // What the audit may name.
    var address: String?
    var subject: Subject?
    var client: ClientID?
    /// Whether it is for an address that the server cannot see.
    var isUnseen = false

    /// One count for all requests.
    static func overall(_ limit: LimitName) -> RateLimitKey {
        RateLimitKey(limit: limit, whom: "")
    }

    /// A count for a client's network address.
    ///
    /// Clients whose address cannot be seen are not counted: one count for all of them would let one of them block the
    /// others.
    static func address(_ limit: LimitName, _ address: String?) -> RateLimitKey {
        let counted = CountedAddress.text(of: address)
        return RateLimitKey(limit: limit, whom: counted, address: counted, isUnseen: address == nil)
    }

    /// A count for a network address and a name together, so that strangers elsewhere cannot use up the attempts of the
    /// person or client with this name.
    static func name(_ name: String, at address: String?, _ limit: LimitName) -> RateLimitKey {
        let counted = CountedAddress.text(of: address)
        return RateLimitKey(limit: limit, whom: "\(counted) \(name)", address: counted, isUnseen: address == nil)
    }

    /// A count for a name as it was presented, whether it exists or not.
    static func name(_ name: String, _ limit: LimitName) -> RateLimitKey {
        RateLimitKey(limit: limit, whom: name)
    }

    static func subject(_ limit: LimitName, _ subject: Subject) -> RateLimitKey {
        RateLimitKey(limit: limit, whom: subject.rawValue, subject: subject)
    }

    static func client(_ limit: LimitName, _ client: ClientID) -> RateLimitKey {
        RateLimitKey(limit: limit, whom: client.rawValue, client: client)
    }

    var countKey: RateCounterKey { RateCounterKey(limit, of: whom) }

    static func == (left: RateLimitKey, right: RateLimitKey) -> Bool {
        left.limit == right.limit && left.whom == right.whom
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(limit)
        hasher.combine(whom)
    }
}

/// The form in which a network address is counted.
///
/// A client that has one IPv6 address has 2^64 of them, so all that share the first 64 bits count as one. An IPv4
/// address that is written as an IPv6 one counts as itself.
/// Standard: RFC 4291 §2.5.1, §2.5.5.2.
enum CountedAddress {
    static func text(of address: String?) -> String {
        guard let address else { return "unknown" }
        guard address.utf8.contains(UInt8(ascii: ":")) else { return address }
        guard let bytes = AddressNetwork.bytes(of: address), bytes.count == 16 else {
            return AddressNetwork.plain(address)
        }
        let groups = stride(from: 0, to: 8, by: 2).map { index in
            String(UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]), radix: 16)
        }
        return "\(groups.joined(separator: ":"))::/64"
    }
}
