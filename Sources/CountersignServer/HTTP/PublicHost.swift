internal import CountersignWire

/// Tells hosts of the public network from those of this machine or an inner network.
enum PublicHost {
    private static let inner: Set<String> = [
        "localhost", "local", "internal", "lan", "home", "arpa", "test", "corp", "intranet", "private", "localdomain",
    ]

    /// Whether `host` is a name of the public domain name system: no number, no name without a dot, and none below a
    /// domain for inner networks.
    static func isName(_ host: String) -> Bool {
        let labels = host.lowercased().split(separator: ".")
        guard labels.count > 1, let last = labels.last, last.allSatisfy(\.isLetter) || last.hasPrefix("xn--")
        else { return false }
        return !inner.contains(String(last))
    }

    /// Whether `host`, which may hold an IPv6 address in brackets, is a public name or an address of the public
    /// network.
    static func contains(_ host: String) -> Bool {
        let address = String(host.drop { $0 == "[" }.prefix { $0 != "]" })
        return isName(host) || (AddressNetwork.isAddress(address) && !AddressNetwork.isInternal(address))
    }
}
