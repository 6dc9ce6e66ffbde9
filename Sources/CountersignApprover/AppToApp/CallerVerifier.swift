/// Decides whether the app that opened this one may receive answers at a redirect URI, on systems that identify the
/// calling app.
///
/// On Android it is the activity that started this one, and the links that its package has proved to own. iOS and the
/// desktops of Linux name no app: there the answer goes to the owner of the redirect URI, even if another app asked.
///
/// ```swift
/// struct CallerByPackage: CallerVerifier {
///     let package: String
///     let packages: [String: String]
///     func ownership(of redirectURI: String) async -> RedirectOwnership {
///         packages[redirectURI] == package ? .owner : .another
///     }
/// }
/// ```
public protocol CallerVerifier: Sendable {
    /// Whether the app that opened this one owns a redirect URI.
    ///
    /// - Parameter redirectURI: The registered address that the answer goes to.
    /// - Returns: ``RedirectOwnership/unknown`` unless the system itself names that app.
    func ownership(of redirectURI: String) async -> RedirectOwnership
}

/// Whether the app that opened this one owns the redirect URI of its request.
public enum RedirectOwnership: Sendable, Hashable, CaseIterable {
    /// The system says that it does.
    case owner
    /// The system says that it does not: it asks in the name of another app, and is refused.
    case another
    /// The system does not say which app it is.
    case unknown
}

/// A system that does not say which app opened this one.
public struct UnknownCaller: CallerVerifier {
    /// Creates the verifier for such a system.
    public init() {}

    /// Always ``RedirectOwnership/unknown``.
    ///
    /// - Parameter redirectURI: The address that the answer would go to; it is not looked at.
    public func ownership(of redirectURI: String) async -> RedirectOwnership { .unknown }
}
