#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// By which addresses a system can bring a person from one app to another.
public enum AppLinks: Sendable, Hashable, CaseIterable {
    /// By schemes of apps only, as iOS up to version 8.
    case schemesOnly
    /// By schemes, and by https addresses of an app's own domain, which open a page where that app is missing.
    case schemesAndWebAddresses
}

/// Opens addresses in other apps; the seam between a sign-in and the system.
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
    /// By which addresses this system can change to another app; ``AppLinks/schemesAndWebAddresses`` by default.
    var links: AppLinks { get }

    /// Tells whether an app is there that opens addresses like this one; opens nothing.
    ///
    /// - Parameter address: An address of the scheme in question.
    /// - Returns: Whether ``open(_:)`` would find an app.
    func canOpen(_ address: URL) async -> Bool

    /// Opens an address in the app, or in the browser, that the system has for it.
    ///
    /// - Parameter address: The address, which holds no secret.
    /// - Returns: Whether something was opened.
    func open(_ address: URL) async -> Bool
}

extension AppOpener {
    /// Schemes and https addresses: what every system of today can do.
    public var links: AppLinks { .schemesAndWebAddresses }
}
