package import Countersign

extension SameNetwork {
    /// What two observed addresses tell.
    ///
    /// | addresses | one network |
    /// | --- | --- |
    /// | IPv4 | when they are equal, as behind one router |
    /// | private IPv4, which a server sees on its own network only | when the first 24 bits are equal |
    /// | IPv6 | when the first 64 bits are equal |
    /// | this machine's own, of both families (`127.0.0.1` and `::1`) | always |
    ///
    /// An address of a link alone (`fe80::`, `169.254.`) is nothing to compare by: every link has the same. It is
    /// unknown, as are other addresses of two families.
    ///
    /// Standard: RFC 1918 §3 (private addresses), RFC 4291 §2.5.6 and RFC 3927 §2.1 (addresses of a link),
    /// RFC 1122 §3.2.1.3 and RFC 4291 §2.5.3 (this machine).
    ///
    /// - Parameters:
    ///   - one: The address of one end, as the server sees it; `nil` when it sees none.
    ///   - other: The address of the other end.
    package init(_ one: String?, _ other: String?) {
        guard let one = one.flatMap(AddressNetwork.bytes), let other = other.flatMap(AddressNetwork.bytes) else {
            self = .unknown
            return
        }
        guard one.count == other.count else {
            // A machine reaches itself by either family.
            self = Self.isLoopback(one) && Self.isLoopback(other) ? .yes : .unknown
            return
        }
        guard !Self.isLinkLocal(one), !Self.isLinkLocal(other) else {
            self = .unknown
            return
        }
        let prefix = one.count == 16 ? 8 : Self.isPrivate(one) ? 3 : 4
        self = one.prefix(prefix) == other.prefix(prefix) ? .yes : .no
    }

    private static func isLinkLocal(_ address: [UInt8]) -> Bool {
        address.count == 16 ? address[0] == 0xFE && address[1] & 0xC0 == 0x80 : address[0] == 169 && address[1] == 254
    }

    private static func isLoopback(_ address: [UInt8]) -> Bool {
        address.count == 4 ? address[0] == 127 : address == [UInt8](repeating: 0, count: 15) + [1]
    }

    private static func isPrivate(_ address: [UInt8]) -> Bool {
        switch (address[0], address[1]) {
        case (10, _), (172, 16...31), (192, 168): true
        default: false
        }
    }
}
