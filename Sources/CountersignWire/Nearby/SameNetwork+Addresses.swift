package import Countersign

extension SameNetwork {
    /// Compares two observed addresses: equal for IPv4, the same first 64 bits for IPv6.
    ///
    /// Link-local addresses (`fe80::`, `169.254`) are not compared, because every network uses the same ones.
    package init(_ one: String?, _ other: String?) {
        guard let one = one.flatMap(AddressNetwork.bytes), let other = other.flatMap(AddressNetwork.bytes),
            one.count == other.count, !Self.isLinkLocal(one), !Self.isLinkLocal(other)
        else {
            self = .unknown
            return
        }
        let prefix = one.count == 4 ? 4 : 8
        self = one.prefix(prefix) == other.prefix(prefix) ? .yes : .no
    }

    /// Standard: RFC 4291 §2.5.6, RFC 3927 §2.1.
    private static func isLinkLocal(_ address: [UInt8]) -> Bool {
        address.count == 16 ? address[0] == 0xFE && address[1] & 0xC0 == 0x80 : address[0] == 169 && address[1] == 254
    }
}
