internal import Foundation
internal import NIOCore

/// A range of network addresses: one address, or all that begin alike, `10.0.0.0/8` or `2001:db8::/32`.
///
/// Standard: RFC 4632 §3.1, RFC 4291 §2.3.
public struct AddressNetwork: Sendable, Hashable, CustomStringConvertible {
    /// As it was written.
    public let description: String
    private let bytes: [UInt8]
    private let prefix: Int

    /// Reads one address, or an address and the number of bits that count; `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bytes = Self.bytes(of: String(parts[0])) else { return nil }
        var prefix = bytes.count * 8
        if parts.count == 2 {
            guard let bits = UInt8(parts[1]), Int(bits) <= prefix else { return nil }
            prefix = Int(bits)
        }
        description = text
        self.bytes = bytes
        self.prefix = prefix
    }

    /// Whether it holds more addresses than any one network has: shorter than /8, or /32 of IPv6.
    public var isWide: Bool { prefix < (bytes.count == 4 ? 8 : 32) }

    /// Whether `address` is in the range.
    func contains(_ address: String) -> Bool {
        guard let other = Self.bytes(of: address), other.count == bytes.count else { return false }
        let whole = prefix / 8
        guard bytes.prefix(whole) == other.prefix(whole) else { return false }
        let rest = prefix % 8
        return rest == 0 || (bytes[whole] ^ other[whole]) >> UInt8(8 - rest) == 0
    }

    /// Whether `text` is an address.
    static func isAddress(_ text: String) -> Bool { bytes(of: text) != nil }

    /// The bytes of an address, most significant first; `nil` for any other text.
    static func bytes(of address: String) -> [UInt8]? {
        switch try? SocketAddress(ipAddress: address, port: 0) {
        case .v4(let address): withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address): withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        default: nil
        }
    }
}
