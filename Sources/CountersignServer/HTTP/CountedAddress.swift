internal import CountersignWire

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
