/// A network address, in text: `10.0.0.7`, `fe80::1`.
public struct NearbyAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address, without a port.
    public let text: String

    /// Names an address. An IPv4-mapped IPv6 address is converted to IPv4.
    public init(_ text: String) {
        let mapped = "::ffff:"
        let isCloaked = text.lowercased().hasPrefix(mapped) && text.contains(".")
        self.text = isCloaked ? String(text.dropFirst(mapped.count)) : text
    }

    /// The address as text.
    public var description: String { text }
}
