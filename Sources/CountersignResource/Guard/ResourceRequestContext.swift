public import Hummingbird

/// What a router passes along with a request at a service that is protected.
///
///     struct RadioContext: ResourceRequestContext {
///         var coreContext: CoreRequestContextStorage
///         var verifiedToken: VerifiedToken?
///
///         init(source: Source) { coreContext = .init(source: source) }
///     }
public protocol ResourceRequestContext: RequestContext {
    /// Who asks; `nil` in front of the ``ResourceGuard``. The guard alone sets it.
    var verifiedToken: VerifiedToken? { get set }
}

extension ResourceRequestContext {
    /// Who asks, behind a ``ResourceGuard``.
    ///
    /// - Throws: an error that is answered with 500, on a route that no guard protects.
    public func requireToken() throws -> VerifiedToken {
        guard let verifiedToken else { throw HTTPError(.internalServerError) }
        return verifiedToken
    }
}

/// A context that holds nothing but who asks.
public struct BasicResourceRequestContext: ResourceRequestContext {
    public var coreContext: CoreRequestContextStorage
    public var verifiedToken: VerifiedToken?

    public init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
    }
}
