extension SameNetwork {
    /// Compares two observed addresses.
    ///
    /// | addresses | one network |
    /// | --- | --- |
    /// | IPv4 | when they are equal, as behind one router |
    /// | private IPv4, which a server sees on its own network only | when the first 24 bits are equal |
    /// | IPv6 | when the first 64 bits are equal |
    /// | this machine's own, of both families (`127.0.0.1` and `::1`) | always |
    ///
    /// An address of a link alone (`fe80::`, `169.254.`) is nothing to compare by: every link has the same. It is
    /// unknown, as are other addresses of two families. An IPv4 address in the well-known prefix of translators
    /// (`64:ff9b::192.0.2.1`) is compared as IPv4; other addresses that translators made are unknown.
    ///
    /// - Parameter one: The address of one end, as the server sees it; `nil` when it sees none.
    package init(_ one: String?, _ other: String?) {
        guard let one = one.flatMap(AddressNetwork.bytes), let other = other.flatMap(AddressNetwork.bytes) else {
            self = .unknown
            return
        }
        guard one.count == other.count else {
            // A machine reaches itself by either family.
            self = AddressNetwork.isLoopback(one) && AddressNetwork.isLoopback(other) ? .yes : .unknown
            return
        }
        guard ![one, other].contains(where: { AddressNetwork.isLinkLocal($0) || AddressNetwork.isTranslated($0) })
        else {
            self = .unknown
            return
        }
        let prefix = one.count == 16 ? 8 : AddressNetwork.isPrivate(one) ? 3 : 4
        self = one.prefix(prefix) == other.prefix(prefix) ? .yes : .no
    }
}
