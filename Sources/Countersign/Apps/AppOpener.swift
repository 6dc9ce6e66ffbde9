public import FoundationEssentialsCompat

/// The kinds of addresses that can switch between apps on a system.
public enum AppLinks: Sendable, Hashable, CaseIterable {
    /// App schemes only, as iOS up to version 8.
    case schemesOnly
    /// App schemes, and https addresses of an app's own domain, which open a page if that app is missing.
    case schemesAndWebAddresses
}

/// Opens addresses in other apps; the seam between a sign-in and the system, for apps that ask and apps that answer.
///
/// `XDGOpener` does it on a Linux desktop, `ApplicationOpener` and `WorkspaceOpener` on Apple's systems.
///
/// ```swift
/// struct PrintingOpener: AppOpener {
///     func canOpen(_ address: URL) async -> Bool { true }
///     func open(_ address: URL) async -> Bool {
///         print("Open \(address)")
///         return true
///     }
/// }
/// ```
public protocol AppOpener: Sendable {
    /// The kinds of addresses that can change to another app on this system; ``AppLinks/schemesAndWebAddresses`` by
    /// default.
    var links: AppLinks { get }

    /// Returns whether an installed app handles URLs like this one; opens nothing.
    ///
    /// - Parameter address: An address of the scheme in question.
    /// - Returns: Whether ``open(_:)`` would find an app.
    func canOpen(_ address: URL) async -> Bool

    /// Opens an address in the app, or in the browser, that the system has for it.
    ///
    /// - Parameter address: The address. It may hold a code, which is worth nothing without its verifier.
    /// - Returns: Whether something was opened.
    func open(_ address: URL) async -> Bool

    /// Whether this system knows which app owns the domain of an https address, so that ``openInOwner(_:)`` can find
    /// it; `false` by default.
    var knowsOwners: Bool { get }

    /// Opens an https address in the app that owns its domain, and in nothing else, not even the browser. By default it
    /// opens nothing.
    ///
    /// Standard: RFC 8252 §7.2.
    ///
    /// - Parameter address: An absolute https address; one of another scheme opens nothing.
    /// - Returns: Whether such an app was opened.
    func openInOwner(_ address: URL) async -> Bool
}

extension AppOpener {
    /// Schemes and https addresses: what every system of today can do.
    public var links: AppLinks { .schemesAndWebAddresses }
    /// No: a desktop hands https addresses to the browser.
    public var knowsOwners: Bool { false }
    /// Opens nothing.
    ///
    /// - Parameter address: Any address, which is left alone.
    public func openInOwner(_ address: URL) async -> Bool { false }
}
