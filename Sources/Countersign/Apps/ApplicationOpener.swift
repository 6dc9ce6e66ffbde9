#if canImport(UIKit) && (os(iOS) || os(tvOS) || os(visionOS))
internal import UIKit
public import FoundationEssentialsCompat

/// Opens addresses on iOS, tvOS and visionOS. Not compiled on Linux.
///
/// A scheme can be asked about only when the app's `Info.plist` lists it under `LSApplicationQueriesSchemes`; https
/// addresses need no such entry.
public struct ApplicationOpener: AppOpener {
    /// Opens by the shared application.
    public init() {}

    /// Asks the system for an app that opens addresses of this scheme.
    ///
    /// - Parameter address: An address whose scheme alone counts; the app's `Info.plist` has to name it in
    ///   `LSApplicationQueriesSchemes`.
    @MainActor
    public func canOpen(_ address: URL) async -> Bool { UIApplication.shared.canOpenURL(address) }

    /// Opens the address: in the app that its domain or scheme belongs to, otherwise in the browser.
    ///
    /// - Parameter address: A whole address, with https or a scheme of an app.
    @MainActor
    public func open(_ address: URL) async -> Bool { await UIApplication.shared.open(address) }

    /// Yes: associated domains define the owning app.
    public var knowsOwners: Bool { true }

    /// Opens the address as a universal link, or not at all.
    ///
    /// - Parameter address: An https address that another app may have claimed.
    @MainActor
    public func openInOwner(_ address: URL) async -> Bool {
        await UIApplication.shared.open(address, options: [.universalLinksOnly: true])
    }
}
#endif
