@_exported public import HTTPTypes

/// The seam to a network: sends one request and returns its whole answer.
///
/// An implementation follows no redirect, keeps no cookie, and gives up as soon as its task is cancelled, even while
/// a server holds the request open. It checks certificates as the platform does, and it sends each request once.
///
/// An app that needs a proxy, or its own certificates, writes another:
///
/// ```swift
/// struct LoggingTransport: HTTPTransport {
///     let base: any HTTPTransport
///
///     func send(
///         _ request: HTTPRequest,
///         body: [UInt8],
///         within limit: Duration
///     ) async throws(TransportError) -> HTTPAnswer {
///         let answer = try await base.send(request, body: body, within: limit)
///         print(request.method, request.path ?? "/", answer.response.status)
///         return answer
///     }
/// }
/// ```
public protocol HTTPTransport: Sendable {
    /// Sends a request, and waits for its whole answer.
    ///
    /// - Parameters:
    ///   - request: Method, scheme, authority, path and header fields.
    ///   - body: The body; empty for none.
    ///   - limit: The timeout, from the lookup of the name to the last byte of the answer.
    /// - Returns: The answer; one with any status is no error.
    /// - Throws: ``TransportError`` when no whole answer came, with a code that shows whether the request was sent.
    ///
    /// Standard: RFC 9110 §3; a truncated answer is a failure (RFC 9112 §8).
    func send(_ request: HTTPRequest, body: [UInt8], within limit: Duration) async throws(TransportError) -> HTTPAnswer
}

/// The answer of a server: status and fields, and the whole body.
public struct HTTPAnswer: Sendable, Equatable {
    /// The longest body that a transport takes in, 1 MiB; a longer one is a ``TransportError``.
    public static let longestBody = 1 << 20

    /// Status and header fields.
    public let response: HTTPResponse
    /// The body, whole.
    public let body: [UInt8]

    /// An answer out of its parts.
    public init(_ response: HTTPResponse, body: [UInt8] = []) {
        self.response = response
        self.body = body
    }
}

/// Returns whether an app that pins certificates accepts a server's certificate, in DER. The system has verified it
/// before, with its chain, its dates and its name.
public typealias CertificateCheck = @Sendable ([UInt8]) async -> Bool

/// The network of this machine.
///
/// On Linux it needs the package trait `AsyncHTTPClient`. Without it, every request fails with
/// ``TransportError/Code/notReached``, and an app hands in its own transport.
public enum SystemTransport {
    /// A transport that uses a connection only if its server's certificate is accepted, for apps that pin certificates;
    /// make one, and keep it.
    ///
    /// ```swift
    /// let transport = SystemTransport.make(checking: { certificate in
    ///     await pins.accepts(certificate, isTrusted: true)
    /// })
    /// ```
    ///
    /// - Parameter accepts: Returns whether a certificate, already trusted by the system, is accepted.
    /// - Returns: A transport whose requests fail with ``TransportError/Code/notTrusted`` where it is not.
    public static func make(checking accepts: @escaping CertificateCheck) -> any HTTPTransport {
        #if !os(Linux)
        URLSessionTransport(checking: accepts)
        #elseif AsyncHTTPClient
        AsyncHTTPTransport(checking: accepts)
        #else
        MissingTransport()
        #endif
    }

    /// A transport that speaks HTTP/2, for a service that demands it, such as Apple's push service; only for hosts that
    /// the operator chose. Other transports speak HTTP/1.1 on Linux, whatever the server offers.
    ///
    /// - Returns: A transport as that of ``make()``, but for the version of HTTP.
    public static func makeOfferingHTTP2() -> any HTTPTransport {
        #if !os(Linux)
        URLSessionTransport()
        #elseif AsyncHTTPClient
        AsyncHTTPTransport(offeringHTTP2: true)
        #else
        MissingTransport()
        #endif
    }

    /// The transport that suits the platform: AsyncHTTPClient on Linux, URLSession on Apple's systems.
    ///
    /// ```swift
    /// let transport = SystemTransport.make()
    /// ```
    ///
    /// - Returns: A transport that checks certificates by the roots that the system trusts.
    public static func make() -> any HTTPTransport {
        #if !os(Linux)
        URLSessionTransport()
        #elseif AsyncHTTPClient
        AsyncHTTPTransport()
        #else
        MissingTransport()
        #endif
    }
}

#if os(Linux) && !AsyncHTTPClient
/// The network of a build that has none.
private struct MissingTransport: HTTPTransport {
    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        throw TransportError(.notReached, because: "built without the package trait AsyncHTTPClient")
    }
}
#endif
