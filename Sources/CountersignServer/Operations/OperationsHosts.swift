internal import Hummingbird
internal import FoundationEssentialsCompat

/// The host names of the operations listener.
///
/// Monitoring uses an address or an internal name; DNS rebinding needs a public domain. So all addresses and names
/// without a dot are accepted, and of other names only the configured ones: that of the listener, and that of the
/// issuer.
/// Standard: RFC 9110 §7.2, §7.4.
struct OperationsHosts: Sendable {
    private let names: Set<String>

    init(listening host: String?, issuer: Issuer) {
        names = Set([host, issuer.url.host()].compactMap { $0?.lowercased() })
    }

    /// Whether a request has one of them, at any port.
    func isNamed(by request: Request) -> Bool {
        guard let authority = request.head.authority?.lowercased() else { return false }
        guard !authority.hasPrefix("[") else { return true }
        let host = String(authority.prefix { $0 != ":" })
        return names.contains(host) || AddressNetwork.isAddress(host) || !host.contains(".")
    }
}
