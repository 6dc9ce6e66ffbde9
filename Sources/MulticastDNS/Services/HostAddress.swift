/// An address of a host; a link-local one has its interface.
public struct HostAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16 bytes.
    let bytes: [UInt8]
    /// The name of the interface, for addresses that need it (IPv6 link-local ones).
    public let interface: String?
    /// The number of that interface, or 0.
    let scope: UInt32

    /// Creates an address, with its interface if it is an IPv6 link-local one.
    ///
    /// - Parameters:
    ///   - bytes: 4 or 16 bytes in network order; `nil` is returned for any other number of them.
    ///   - interface: The name of the interface, such as `eth0`; `nil` for addresses that do not need it.
    ///   - index: The system's number of that interface.
    public init?(bytes: [UInt8], interface: String?, index: UInt32) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        let isScoped = bytes.count == 16 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
        self.bytes = bytes
        self.interface = isScoped ? interface : nil
        scope = isScoped ? index : 0
    }

    /// Whether it is an IPv6 address.
    public var isVersion6: Bool { bytes.count == 16 }

    /// The address without its interface: `10.0.0.7`, `fe80::1`.
    public var bare: String { isVersion6 ? Self.version6(bytes) : bytes.map(String.init).joined(separator: ".") }

    /// The address with its interface, if it has one: `fe80::1%eth0`.
    public var description: String { bare + (interface.map { "%\($0)" } ?? "") }

    /// RFC 5952: the longest run of zeros, of two groups at least, becomes `::`.
    private static func version6(_ bytes: [UInt8]) -> String {
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        var longest = 0..<0
        var start = 0
        while start < 8 {
            var end = start
            while end < 8, groups[end] == 0 { end += 1 }
            if end - start > max(1, longest.count) { longest = start..<end }
            start = max(end, start + 1)
        }
        let text = { (part: ArraySlice<UInt16>) in part.map { String($0, radix: 16) }.joined(separator: ":") }
        guard !longest.isEmpty else { return text(groups[...]) }
        return text(groups[..<longest.lowerBound]) + "::" + text(groups[longest.upperBound...])
    }
}

extension HostAddress: Comparable {
    /// Orders IPv4 before IPv6 addresses, and each kind by its bytes.
    public static func < (left: HostAddress, right: HostAddress) -> Bool {
        if left.bytes.count != right.bytes.count { return left.bytes.count < right.bytes.count }
        if left.bytes != right.bytes { return left.bytes.lexicographicallyPrecedes(right.bytes) }
        return left.scope < right.scope
    }
}
