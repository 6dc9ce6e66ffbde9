public import Hummingbird

/// What a router passes along with a request at a protected service.
///
/// A service with a context of its own conforms it; others take ``BasicResourceRequestContext``.
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
}

extension ResourceRequestContext {
    /// The verified token, on a route behind a ``ResourceGuard``.
    ///
    /// - Returns: The client and the person on whose behalf the request is made.
    /// - Throws: `HTTPError` with status 500 on a route that no guard protects.
    public func requireToken() throws -> VerifiedToken {
        guard let verifiedToken else { throw HTTPError(.internalServerError) }
        return verifiedToken
    }
}

/// A context that holds the verified token and nothing else.
public struct BasicResourceRequestContext: ResourceRequestContext {
    /// What Hummingbird itself keeps for a request.
    public var coreContext: CoreRequestContextStorage
    /// The token of the request, verified; `nil` in front of the guard.
    public var verifiedToken: VerifiedToken?

    /// The context of a new request.
    ///
    /// - Parameter source: What Hummingbird knows of the request's connection.
    public init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
    }
}
