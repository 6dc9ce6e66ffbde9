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
    /// The system confirms it.
    case owner
    /// The system denies it: the app impersonates another one, and is refused.
    case another
    /// The system does not identify the app.
    case unknown
}

/// A system that does not identify the calling app.
public struct UnknownCaller: CallerVerifier {
    /// Creates the verifier for such a system.
    public init() {}

    /// Always ``RedirectOwnership/unknown``.
    public func ownership(of redirectURI: String) async -> RedirectOwnership { .unknown }
}
