public import HTTPTypes
public import FoundationEssentialsCompat

/// The URL of a server's endpoint: https, or http on this machine.
///
/// ```swift
/// let token = try Endpoint("https://id.example.com/token")
/// let request = token.request(.post)
/// ```
public struct Endpoint: Sendable, Hashable {
    /// The reason that a text is not accepted as an endpoint.
    public enum ParsingError: Error, Sendable, Equatable {
        /// It is no http or https URL with a host, or it has a user name, a password, a fragment, a port above 65,535,
        /// or more than 2,048 bytes.
        case malformed
        /// It is plain http to another machine.
        case insecure
    }

    /// The longest URL, in bytes.
    package static let longest = 2048

    /// The given URL.
    public let url: URL
    private let scheme: String
    private let authority: String
    private let path: String

    /// Reads the URL of an endpoint.
    ///
    /// - Parameters:
    ///   - text: An absolute URL, at most 2,048 bytes.
    ///   - allowingInsecureHTTP: Whether plain http to another machine is accepted; `false` by default, and unsafe
    ///     otherwise.
    /// - Throws: ``ParsingError`` when the text is no such URL.
    public init(_ text: String, allowingInsecureHTTP: Bool = false) throws(ParsingError) {
        guard text.utf8.count <= Self.longest, let parts = URLComponents(string: text), let url = URL(string: text),
            let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http",
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil, parts.fragment == nil,
            parts.port.map({ UInt16(exactly: $0) != nil }) ?? (parts.rangeOfPort?.isEmpty != false)
        else { throw .malformed }
        guard scheme == "https" || allowingInsecureHTTP || Issuer.isLoopback(host) else { throw .insecure }
        self.url = url
        self.scheme = scheme
        let bracketed = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        authority = parts.port.map { "\(bracketed):\($0)" } ?? bracketed
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        self.path = parts.percentEncodedQuery.map { "\(path)?\($0)" } ?? path
    }

    /// Creates a request to this endpoint that asks for JSON.
    ///
    /// - Parameter method: The method of the request.
    public func request(_ method: HTTPRequest.Method) -> HTTPRequest {
        HTTPRequest(
            method: method,
            scheme: scheme,
            authority: authority,
            path: path,
            headerFields: [.accept: "application/json"]
        )
    }
}
