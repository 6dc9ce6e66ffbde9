internal import CountersignWire

/// Distinguishes hosts of the public network from those of this machine or an internal network.
package enum PublicHost {
    private static let internalDomains: Set<String> = [
        "localhost", "local", "internal", "lan", "home", "arpa", "test", "corp", "intranet", "private", "localdomain",
    ]

    /// Whether `host` is a name of the public domain name system: no number, no name without a dot, and no name in a
    /// domain for internal networks.
    package static func isName(_ host: String) -> Bool {
        let labels = host.lowercased().split(separator: ".")
        guard labels.count > 1, let last = labels.last, last.allSatisfy(\.isLetter) || last.hasPrefix("xn--")
        else { return false }
        return !internalDomains.contains(String(last))
    }

    /// Whether `host`, which may hold an IPv6 address in brackets, is a public name or an address of the public
    /// network.
    package static func contains(_ host: String) -> Bool {
        let address = String(host.drop { $0 == "[" }.prefix { $0 != "]" })
        return isName(host) || (AddressNetwork.isAddress(address) && !AddressNetwork.isInternal(address))
    }
}
