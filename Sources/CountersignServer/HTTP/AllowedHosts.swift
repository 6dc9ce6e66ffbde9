internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The hosts that browsers may reach this server by: the issuer's, and names of this machine where it listens locally.
///
/// Another site can point its own name at our address (DNS rebinding); the browser then lets its pages read our
/// answers. But `Host` still has the name that the browser asked for.
/// Standard: RFC 9110 §7.2, §7.4.
struct AllowedHosts: Sendable {
    private let names: Set<String>
    private let usualPort: String
    private let scheme: String

    /// The issuer's host, and `others` with their ports.
    init(_ issuer: Issuer, and others: [String] = []) {
        scheme = issuer.isSecure ? "https" : "http"
        usualPort = issuer.isSecure ? ":443" : ":80"
        var names = Set(others.map { $0.lowercased() })
        names.insert(issuer.authority)
        if let host = issuer.url.host, Issuer.isLoopback(host) {
            let port = issuer.url.port ?? (issuer.isSecure ? 443 : 80)
            names.formUnion(Self.loopback(port: port))
        }
        let usual = usualPort
        self.names = Set(names.map { $0.hasSuffix(usual) ? String($0.dropLast(usual.count)) : $0 })
    }

    /// The names of this machine for itself.
    static func loopback(port: Int) -> [String] {
        ["localhost:\(port)", "127.0.0.1:\(port)", "[::1]:\(port)"]
    }

    /// Whether a request asked for one of them.
    func isNamed(by request: Request) -> Bool {
        guard let authority = request.head.authority else { return false }
        return contains(authority.lowercased())
    }

    /// Whether this origin is the server's own.
    ///
    /// Standard: RFC 6454 §7.
    func isOrigin(_ origin: String) -> Bool {
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
    var authority: String { String(origin.drop { $0 != ":" }.dropFirst("://".count)) }
}
