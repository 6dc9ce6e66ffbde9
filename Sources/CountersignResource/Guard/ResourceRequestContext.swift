public import CountersignWire
public import Hummingbird

/// The context that a router passes along with a request at a protected service.
///
/// A service with its own context conforms it; others use ``BasicResourceRequestContext``.
///
/// ```swift
/// struct RadioContext: ResourceRequestContext {
///     var coreContext: CoreRequestContextStorage
///     var verifiedToken: VerifiedToken?
///
///     init(source: Source) { coreContext = .init(source: source) }
/// }
/// ```
public protocol ResourceRequestContext: RequestContext {
    /// The token of the request, verified; `nil` in front of the ``ResourceGuard``, which alone sets it.
    var verifiedToken: VerifiedToken? { get set }

    /// The certificate that the client proved when it opened the TLS connection; `nil`, the default, if the service
    /// does not see one.
    ///
    /// A service that terminates TLS itself, or knows that only its own proxy can write the certificate header, sets
    /// it: the ``ResourceGuard`` accepts certificate-bound tokens only then. Standard: RFC 8705 §3.
    var clientCertificate: CertificateThumbprint? { get }
}

extension ResourceRequestContext {
    /// No certificate.
    public var clientCertificate: CertificateThumbprint? { nil }

    /// The verified token, on a route behind a ``ResourceGuard``.
    ///
    /// - Returns: The client and the person behind the request.
    /// - Throws: `HTTPError` with status 500 on a route that no guard protects.
    public func requireToken() throws -> VerifiedToken {
        guard let verifiedToken else { throw HTTPError(.internalServerError) }
        return verifiedToken
    }
}

/// A context that holds the verified token and nothing else.
public struct BasicResourceRequestContext: ResourceRequestContext {
    /// The context that Hummingbird itself keeps for a request.
    public var coreContext: CoreRequestContextStorage
    /// The token of the request, verified; `nil` in front of the guard.
    public var verifiedToken: VerifiedToken?

    /// The context of a new request.
    ///
    /// - Parameter source: Hummingbird's description of the request's connection.
    public init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
    }
}
