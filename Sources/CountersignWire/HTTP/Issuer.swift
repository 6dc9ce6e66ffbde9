#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The base URL of an authorization server, and its name: every endpoint hangs under it.
///
/// Standard: RFC 8414 §2 (`issuer`): https, without query and fragment.
public struct Issuer: Sendable, Hashable, CustomStringConvertible {
    /// Why a text is no issuer.
    public enum Refusal: Error, Sendable, Equatable {
        case malformed
        /// The scheme is neither https nor http.
        case scheme
        /// Plain http to a host that is not this machine.
        case insecure
        /// It has a query, a fragment, or a user's name.
        case extraParts
    }

    /// The URL as it was given, without a slash at the end.
    public let text: String
    /// The same as a URL.
    public let url: URL
    /// Scheme, host and port, as a browser's `Origin` header spells them: lower-case, without the scheme's usual port.
    ///
    /// Standard: RFC 6454 §6.2.
    public let origin: String
    /// The path below the host, empty or beginning with a slash.
    public let path: String

    /// Reads an issuer. Plain http passes only for this machine's own addresses, unless `allowingInsecureHTTP`.
    ///
    /// The text must be a URL as it stands, in ASCII, because issuers are compared as they are written.
    public init(_ text: String, allowingInsecureHTTP: Bool = false) throws(Refusal) {
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

    public var description: String { text }

    /// Whether it is reached by TLS.
    public var isSecure: Bool { url.scheme?.lowercased() == "https" }

    /// The URL of an endpoint; `path` without a slash in front.
    public func appending(_ path: String) -> String {
        "\(text)/\(path)"
    }

    /// Where the metadata are when the issuer has a path: the well-known part goes between host and path.
    ///
    /// Standard: RFC 8414 §3.1.
    public func wellKnown(_ name: String) -> String {
        "\(text.dropLast(path.count))/.well-known/\(name)\(path)"
    }

    /// Whether `host` names this machine.
    public static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0).map(\.description) == String($0) }
    }
}
