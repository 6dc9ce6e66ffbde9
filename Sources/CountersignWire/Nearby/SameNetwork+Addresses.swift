package import Countersign

extension SameNetwork {
    /// What two observed addresses tell: equal by IPv4, or in one network of 64 bits by IPv6.
    ///
    /// An address of a link alone (`fe80::`) is nothing to compare by: every link has the same.
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
