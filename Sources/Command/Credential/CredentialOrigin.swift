internal import CountersignWire

/// The origin of a host that may get a token, in one spelling: two texts are equal only where they name the same host.
///
/// Only names, IPv4 addresses and bracketed IPv6 addresses are read, with a port where it is not the usual one. User names,
/// dots at the end, percent signs and control characters are refused, because programs do not agree on their meaning.
///
/// Standard: RFC 6454 §4.
struct CredentialOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The origin, such as `https://git.example.com` or `http://127.0.0.1:8080`.
    let description: String
    /// Whether a token for it is not encrypted on its way.
    let isPlainHTTP: Bool
    /// The host, without its port.
    let host: String

    /// Reads scheme and host as a program names them.
    ///
    /// - Parameters:
    ///   - scheme: `https` or `http`.
    ///   - authority: The host, with its port after a colon where it has one.
    init?(scheme: String, authority: String) {
        let usualPort: UInt16
        switch scheme {
        case "https": usualPort = 443
        case "http": usualPort = 80
        default: return nil
        }
        guard let origin = WebOrigin(parsing: "\(scheme)://\(authority)") else { return nil }
        let named = origin.rawValue.dropFirst("\(scheme)://".count)
        isPlainHTTP = scheme == "http"
        guard let colon = named.lastIndex(of: ":"), let port = UInt16(named[named.index(after: colon)...]) else {
            host = String(named)
            description = origin.rawValue
            return
        }
        host = String(named[..<colon])
        description = port == usualPort ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }

    /// Reads the address of a server, or a host by which https is meant, as people and docker write it.
    init?(hostOrAddress text: String) {
        self.init(address: text.contains("://") ? text : "https://\(text)")
    }

    /// Reads the address of a server, whose path does not count.
    init?(address: String) {
        guard let end = address.firstRange(of: "://") else { return nil }
        self.init(
            scheme: address[..<end.lowerBound].lowercased(),
            authority: String(address[end.upperBound...].prefix { $0 != "/" }))
    }

    /// The sentence about a text that names no host.
    static func refusal(of text: String) -> String {
        "\(text.shown) is no host: a name or an address, with its port if it has one."
    }
}
