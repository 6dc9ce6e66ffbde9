package import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
package import Hummingbird

/// The hosts under which browsers may reach this server: the issuer's, and names of this machine for a local issuer.
///
/// Another site can point its own name at the server's address (DNS rebinding), so that a browser lets its pages read
/// the server's answers. `Host` still has the other name.
/// Standard: RFC 9110 §7.2, §7.4.
package struct AllowedHosts: Sendable {
    private let names: Set<String>
    private let usualPort: String
    private let scheme: String

    /// Creates the set of the issuer's host, and of `others` with their ports.
    package init(_ issuer: Issuer, and others: [String] = []) {
        scheme = issuer.isSecure ? "https" : "http"
        usualPort = issuer.isSecure ? ":443" : ":80"
        var names = Set(others.map { $0.lowercased() })
        names.insert(issuer.authority)
        if let host = issuer.url.host, Issuer.isLoopback(host) {
            let port = issuer.url.port ?? (issuer.isSecure ? 443 : 80)
            names.formUnion(["localhost", "127.0.0.1", "[::1]"].map { "\($0):\(port)" })
        }
        let usual = usualPort
        self.names = Set(names.map { $0.hasSuffix(usual) ? String($0.dropLast(usual.count)) : $0 })
    }

    /// Whether a request names one of them.
    package func isNamed(by request: Request) -> Bool {
        guard let authority = request.head.authority else { return false }
        return contains(authority.lowercased())
    }

    /// Whether this origin is the server's own.
    ///
    /// Standard: RFC 6454 §7.
    package func isOrigin(_ origin: String) -> Bool {
        let origin = origin.lowercased()
        guard origin.hasPrefix("\(scheme)://") else { return false }
        return contains(String(origin.dropFirst(scheme.count + "://".count)))
    }

    private func contains(_ authority: String) -> Bool {
        if names.contains(authority) { return true }
        return authority.hasSuffix(usualPort) && names.contains(String(authority.dropLast(usualPort.count)))
    }
}

extension Issuer {
    /// Host and port, lower-case, without the scheme's usual port.
    package var authority: String { String(origin.drop { $0 != ":" }.dropFirst("://".count)) }
}
