/// The kinds of addresses, by their bytes as ``bytes(of:)`` returns them.
extension AddressNetwork {
    private static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
    private static let translation: [UInt8] = [0x00, 0x64, 0xFF, 0x9B]
    private static let wellKnownTranslation = translation + [UInt8](repeating: 0, count: 8)
    private static let loopback = [UInt8](repeating: 0, count: 15) + [1]

    /// The IPv4 address that an IPv6 address stands for; `nil` when there is none.
    ///
    /// `::ffff:192.0.2.1` is how a socket for both families shows an IPv4 client, `64:ff9b::192.0.2.1` how a translator
    /// in front of an IPv6 server does. A translator drops addresses that are not global, so one from there is no
    /// IPv4 address that could be trusted.
    ///
    /// Standard: RFC 4291 §2.5.5.2; RFC 6052 §2.1, §3.1.
    static func ipv4(in address: [UInt8]) -> [UInt8]? {
        let last = Array(address.suffix(4))
        if address.starts(with: mapped) { return last }
        guard address.starts(with: wellKnownTranslation), !isInternal(last), 1...223 ~= last[0] else { return nil }
        return last
    }

    /// Whether a translator made the address, so that unrelated IPv4 clients may share its first 64 bits.
    ///
    /// Standard: RFC 6052 §2.1, RFC 8215 §5.
    static func isTranslated(_ address: [UInt8]) -> Bool { address.count == 16 && address.starts(with: translation) }

    /// Whether it is an address of this machine.
    ///
    /// Standard: RFC 1122 §3.2.1.3, RFC 4291 §2.5.3.
    package static func isLoopback(_ address: [UInt8]) -> Bool {
        address.count == 4 ? address[0] == 127 : address == loopback
    }

    /// Whether it is an address of one link, which every link has.
    ///
    /// Standard: RFC 3927 §2.1, RFC 4291 §2.5.6.
    package static func isLinkLocal(_ address: [UInt8]) -> Bool {
        address.count == 16 ? address[0] == 0xFE && address[1] & 0xC0 == 0x80 : address[0] == 169 && address[1] == 254
    }

    /// Whether it is an IPv4 address of a private network.
    ///
    /// Standard: RFC 1918 §3.
    static func isPrivate(_ address: [UInt8]) -> Bool {
        guard address.count == 4 else { return false }
        return switch (address[0], address[1]) {
        case (10, _), (172, 16...31), (192, 168): true
        default: false
        }
    }

    /// Whether it is no address of the public network: of this machine, a link, a private network, or a provider's
    /// inner network.
    ///
    /// Standard: RFC 6598 §7 (`100.64.0.0/10`), RFC 4193 §3.1 (`fc00::/7`), and those above.
    static func isInternal(_ address: [UInt8]) -> Bool {
        if isLoopback(address) || isLinkLocal(address) || isPrivate(address) { return true }
        return address.count == 16 ? address[0] & 0xFE == 0xFC : address[0] == 100 && address[1] & 0xC0 == 64
    }

    /// Whether `text` is an address, and none of the public network.
    package static func isInternal(_ text: String) -> Bool { bytes(of: text).map(isInternal) ?? false }
}
