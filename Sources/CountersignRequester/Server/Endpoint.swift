internal import CountersignWire
internal import HTTPTypes
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A place that may be talked to: by https, or by http on this machine.
struct Endpoint: Sendable, Equatable {
    let url: URL
    private let scheme: String
    private let authority: String
    private let path: String

    /// Reads the URL of an endpoint.
    ///
    /// - Throws: ``SignInError`` `insecure_endpoint` for plain http to another machine, `bad_answer` for anything that
    ///   is no URL of a server.
    init(_ text: String, named name: String, allowingInsecureHTTP: Bool) throws(SignInError) {
        guard text.utf8.count <= 2048, let parts = URLComponents(string: text), let url = URL(string: text),
            let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http",
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil, parts.fragment == nil
        else { throw SignInError(.badAnswer, because: "\(name) is no URL of a server") }
        guard scheme == "https" || allowingInsecureHTTP || Issuer.isLoopback(host) else {
            throw SignInError(.insecureEndpoint, because: "\(name) is not https")
        }
        self.url = url
        self.scheme = scheme
        let bracketed = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        authority = parts.port.map { "\(bracketed):\($0)" } ?? bracketed
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        self.path = parts.percentEncodedQuery.map { "\(path)?\($0)" } ?? path
    }

    /// A request to this place that wants JSON.
    func request(_ method: HTTPRequest.Method) -> HTTPRequest {
        HTTPRequest(
            method: method,
            scheme: scheme,
            authority: authority,
            path: path,
            headerFields: [.accept: "application/json"]
        )
    }
}
