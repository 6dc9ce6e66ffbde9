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

    /// Reads an issuer. Plain http passes only for this machine's own addresses, unless `allowingInsecureHTTP`.
    public init(_ text: String, allowingInsecureHTTP: Bool = false) throws(Refusal) {
        let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard let parts = URLComponents(string: trimmed), let url = URL(string: trimmed),
            let host = parts.host, !host.isEmpty
        else { throw .malformed }
        guard let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http" else { throw .scheme }
        guard parts.query == nil, parts.fragment == nil, parts.user == nil, parts.password == nil else {
            throw .extraParts
        }
        guard scheme == "https" || allowingInsecureHTTP || Self.isLoopback(host) else { throw .insecure }
        self.text = trimmed
        self.url = url
    }

    public var description: String { text }

    /// Whether it is reached by TLS.
    public var isSecure: Bool { url.scheme?.lowercased() == "https" }

    /// Scheme, host and port, as a browser's `Origin` header spells them.
    ///
    /// Standard: RFC 6454 §6.2.
    public var origin: String {
        let end = text.index(text.endIndex, offsetBy: -path.utf8.count)
        return String(text[..<end]).lowercased()
    }

    /// The path below the host, empty or beginning with a slash.
    public var path: String {
        URLComponents(string: text)?.percentEncodedPath ?? ""
    }

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
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
