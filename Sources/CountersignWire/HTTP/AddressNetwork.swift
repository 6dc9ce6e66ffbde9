#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A range of network addresses: one address, or all with the same prefix, such as `10.0.0.0/8` or `2001:db8::/32`.
///
/// Standard: RFC 4632 §3.1, RFC 4291 §2.3.
public struct AddressNetwork: Sendable, Hashable, CustomStringConvertible {
    /// The range as it was written.
    public let description: String
    private let bytes: [UInt8]
    private let prefix: Int

    /// Reads a range.
    ///
    /// - Parameter text: An IPv4 or IPv6 address, optionally with a slash and the number of bits that count; `nil` is
    ///   returned for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bytes = Self.bytes(of: String(parts[0])) else { return nil }
        var prefix = bytes.count * 8
        if parts.count == 2 {
            // The first 96 bits of an IPv4 address in IPv6 notation only mark it as such.
            let unwritten = bytes.count == 4 && parts[0].contains(":") ? 96 : 0
            guard let bits = UInt8(parts[1]), unwritten...(prefix + unwritten) ~= Int(bits) else { return nil }
            prefix = Int(bits) - unwritten
        }
        description = text
        self.bytes = bytes
        self.prefix = prefix
    }

    /// Whether it holds more addresses than one network has: a prefix shorter than /8 for IPv4, /32 for IPv6.
    public var isWide: Bool { prefix < (bytes.count == 4 ? 8 : 32) }

    /// Whether `address` is in the range.
    package func contains(_ address: String) -> Bool {
        guard let other = Self.bytes(of: address), other.count == bytes.count else { return false }
        let whole = prefix / 8
        guard bytes.prefix(whole) == other.prefix(whole) else { return false }
        let rest = prefix % 8
        return rest == 0 || (bytes[whole] ^ other[whole]) >> UInt8(8 - rest) == 0
    }

    /// Whether `text` is an address.
    package static func isAddress(_ text: String) -> Bool { bytes(of: text) != nil }

    /// The bytes of an address, most significant first; `nil` for any other text.
    ///
    /// An IPv4 address that is written as an IPv6 one, as by a socket that takes both (`::ffff:192.0.2.1`) or by a
    /// translator (`64:ff9b::192.0.2.1`), has four. The scope of a local address (`fe80::1%eth0`) is no part of it.
    /// Standard: RFC 4291 §2.2, §2.5.5.2; RFC 6052 §2.1; RFC 4007 §11.
    package static func bytes(of address: String) -> [UInt8]? {
        guard address.utf8.count <= 128, !address.utf8.contains(0) else { return nil }
        if let bytes = read(address, AF_INET, length: 4) { return bytes }
        let parts = address.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 1 || isScope(parts[1]), let bytes = read(String(parts[0]), AF_INET6, length: 16)
        else { return nil }
        return ipv4(in: bytes) ?? bytes
    }

    /// Whether `text` may name an interface of this machine.
    ///
    /// Standard: RFC 6874 §2; characters that need no encoding are accepted.
    private static func isScope(_ text: Substring) -> Bool {
        (1...32).contains(text.utf8.count) && text.utf8.allSatisfy(URLSafeText.isUnreserved)
    }

    private static func read(_ text: String, _ family: Int32, length: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: length)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    /// An address as some proxies write it, `192.0.2.7:4711` or `[2001:db8::7]:4711`, without the port; any other text
    /// unchanged.
    package static func withoutPort(_ text: String) -> String {
        let (address, rest): (Substring, Substring)
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            (address, rest) = (text[text.index(after: text.startIndex)..<end], text[text.index(after: end)...])
        } else if let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") {
            (address, rest) = (text[..<colon], text[colon...])
        } else {
            return text
        }
        let isPort = rest.isEmpty || (rest.first == ":" && UInt16(rest.dropFirst()) != nil)
        return isPort ? String(address) : text
    }

    /// An address in its shortest family: an IPv4 address that is written as an IPv6 one becomes plain IPv4.
    package static func plain(_ address: String) -> String {
        guard address.utf8.contains(UInt8(ascii: ":")), let bytes = bytes(of: address), bytes.count == 4 else {
            return address
        }
        return bytes.map { String($0) }.joined(separator: ".")
    }
}
