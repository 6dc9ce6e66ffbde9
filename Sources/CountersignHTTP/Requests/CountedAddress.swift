internal import CountersignWire

/// The networks as which a client's address is counted.
///
/// A client with an IPv6 address has 2^64 of them, so all that share the first 64 bits count as one. A home has 256
/// such networks, an office 65,536, so these are counted together too, with larger limits. An IPv4 address that is
/// written as an IPv6 address counts as itself.
/// Standard: RFC 4291 §2.5.1, §2.5.5.2; RFC 6177 §2.
package enum CountedAddress {
    /// The network of one client; `unknown` without an address.
    package static func text(of address: String?) -> String {
        guard let address else { return "unknown" }
        guard address.utf8.contains(UInt8(ascii: ":")) else { return address }
        guard let bytes = AddressNetwork.bytes(of: address), bytes.count == 16 else {
            return AddressNetwork.plain(address)
        }
        return network(bytes, bits: 64)
    }

    /// The largest network around an address that is counted.
    package static func widest(of address: String?) -> String {
        wider(than: address).last?.network ?? text(of: address)
    }

    /// The network that one holder may have: the first 24 bits of an IPv4 address, the first 48 of an IPv6 address.
    package static func holding(_ address: String) -> String {
        guard let bytes = AddressNetwork.bytes(of: address), bytes.count == 4 else { return widest(of: address) }
        return bytes.prefix(3).map { "\($0)." }.joined() + "0/24"
    }

    /// The larger networks around an address, and the multiples of a client's limit that they have.
    package static func wider(than address: String?) -> [(network: String, factor: Int)] {
        guard let address, address.utf8.contains(UInt8(ascii: ":")), let bytes = AddressNetwork.bytes(of: address),
            bytes.count == 16
        else { return [] }
        return [(network(bytes, bits: 56), 4), (network(bytes, bits: 48), 16)]
    }

    /// The text of the network of the first bits, 64 at most.
    private static func network(_ bytes: [UInt8], bits: Int) -> String {
        let part = bytes.prefix(bits / 8) + [UInt8](repeating: 0, count: 8 - bits / 8)
        let groups = stride(from: 0, to: 8, by: 2).map { index in
            String(UInt16(part[index]) << 8 | UInt16(part[index + 1]), radix: 16)
        }
        return "\(groups.joined(separator: ":"))::/\(bits)"
    }
}
