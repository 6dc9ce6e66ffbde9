#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// A place that may be talked to: by https, or by http on this machine.
public struct Endpoint: Sendable, Hashable {
    /// Why a text is no such place.
    public enum Refusal: Error, Sendable, Equatable {
        /// It is no URL of a server.
        case malformed
        /// Plain http to another machine.
        case insecure
    }

    public let url: URL
    private let scheme: String
    private let authority: String
    private let path: String

    /// Reads the URL of an endpoint. Plain http passes only to this machine, unless `allowingInsecureHTTP`.
    public init(_ text: String, allowingInsecureHTTP: Bool = false) throws(Refusal) {
        guard text.utf8.count <= 2048, let parts = URLComponents(string: text), let url = URL(string: text),
            let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http",
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil, parts.fragment == nil
        else { throw .malformed }
        guard scheme == "https" || allowingInsecureHTTP || Issuer.isLoopback(host) else { throw .insecure }
        self.url = url
        self.scheme = scheme
        let bracketed = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        authority = parts.port.map { "\(bracketed):\($0)" } ?? bracketed
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        self.path = parts.percentEncodedQuery.map { "\(path)?\($0)" } ?? path
    }

    /// A request to this place that wants JSON.
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
