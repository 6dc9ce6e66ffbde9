public import FoundationEssentialsCompat

/// The base URL of an authorization server, which is also its name; every endpoint is below it.
///
/// ```swift
/// let issuer = try Issuer("https://id.example.com/staff")
/// let token = issuer.appending("token")       // https://id.example.com/staff/token
/// let metadata = issuer.wellKnown("oauth-authorization-server")
/// // https://id.example.com/.well-known/oauth-authorization-server/staff
/// ```
///
/// Standard: RFC 8414 §2 (`issuer`): https, without query and fragment.
public struct Issuer: Sendable, Hashable, CustomStringConvertible {
    /// The reason that a text is not accepted as an issuer.
    public enum ParsingError: Error, Sendable, Equatable {
        /// It is no absolute URL with a host in ASCII.
        case malformed
        /// The scheme is neither https nor http.
        case scheme
        /// It is plain http to a host that is not this machine.
        case insecure
        /// It has a query, a fragment, a user name or a password.
        case extraParts
    }

    /// The given URL, without a slash at the end. Compare issuers by this text.
    public let text: String
    /// The same text as a URL.
    public let url: URL
    /// Scheme, host and port as in a browser's `Origin` header: lower-case, without the scheme's usual port.
    ///
    /// Standard: RFC 6454 §6.2.
    public let origin: String
    /// The path below the host; empty, or beginning with a slash.
    public let path: String

    /// Reads an issuer.
    ///
    /// The text must be a valid URL without normalization, because issuers are compared as text.
    ///
    /// - Parameters:
    ///   - text: An absolute URL in ASCII; one slash at its end is dropped.
    ///   - allowingInsecureHTTP: Whether plain http to another machine is accepted; `false` by default, and unsafe
    ///     otherwise.
    /// - Throws: ``ParsingError`` when the text is no such URL.
    public init(_ text: String, allowingInsecureHTTP: Bool = false) throws(ParsingError) {
        let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard let parts = URLComponents(string: trimmed, encodingInvalidCharacters: false),
            let url = URL(string: trimmed, encodingInvalidCharacters: false),
            let host = parts.encodedHost, !host.isEmpty, !host.contains("%"), !trimmed.hasSuffix("/")
        else { throw .malformed }
        let scheme = parts.scheme?.lowercased()
        guard scheme == "https" || scheme == "http" else { throw .scheme }
        guard parts.query == nil, parts.fragment == nil, parts.user == nil, parts.password == nil else {
            throw .extraParts
        }
        guard scheme == "https" || allowingInsecureHTTP || Self.isLoopback(host) else { throw .insecure }

        let authority = parts.port.map { "\(host):\($0)" } ?? host
        let path = parts.percentEncodedPath
        guard trimmed == "\(parts.scheme ?? "")://\(authority)\(path)", (1...65_535).contains(parts.port ?? 1) else {
            throw .malformed
        }
        let usualPort = scheme == "https" ? 443 : 80
        self.text = trimmed
        self.url = url
        self.path = path
        origin = "\(scheme ?? "")://\(parts.port == usualPort ? host : authority)".lowercased()
    }

    /// The address, without a slash at its end.
    public var description: String { text }

    /// Whether the server is reached over TLS.
    public var isSecure: Bool { url.scheme?.lowercased() == "https" }

    /// Returns the URL of an endpoint.
    ///
    /// - Parameter path: The endpoint's path below the issuer, without a slash in front.
    public func appending(_ path: String) -> String { "\(text)/\(path)" }

    /// Returns the URL of a metadata document. For an issuer with a path, the well-known part is between host and path.
    ///
    /// Standard: RFC 8414 §3.1.
    ///
    /// - Parameter name: The registered suffix, such as `oauth-authorization-server`.
    public func wellKnown(_ name: String) -> String { "\(text.dropLast(path.count))/.well-known/\(name)\(path)" }

    /// Whether `host` names this machine: `localhost` and its subdomains, `127.0.0.0/8`, or `::1`.
    ///
    /// - Parameter host: A host without a port; an IPv6 address may be in brackets.
    public static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0).map(\.description) == String($0) }
    }
}
