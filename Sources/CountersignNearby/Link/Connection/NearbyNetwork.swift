/// The network of an address, which strangers are counted by: an IPv4 address, or the first 64 bits of an IPv6 address,
/// since one host may take any address that begins with them.
struct NearbyNetwork: Sendable, Hashable, CustomStringConvertible {
    /// The IPv4 address, or the first four groups of the IPv6 address without leading zeros.
    let description: String

    /// The network of an address; other text than an IPv6 address is returned unchanged.
    init(_ address: NearbyAddress) {
        let parts = address.text.prefix { $0 != "%" }.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count > 2 else {
            description = address.text
            return
        }
        let first = parts.prefix { !$0.isEmpty }
        let last = parts.dropFirst(first.count).filter { !$0.isEmpty }
        let zeros = [Substring](repeating: "0", count: max(0, 8 - first.count - last.count))
        let groups = (Array(first) + zeros + last).prefix(4)
        description = groups.map { String(UInt16($0, radix: 16) ?? 0, radix: 16) }.joined(separator: ":")
    }
}
