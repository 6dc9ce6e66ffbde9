#if canImport(AppKit) && os(macOS)
internal import AppKit
public import FoundationEssentialsCompat

/// Opens addresses on macOS. Not compiled on Linux.
public struct WorkspaceOpener: AppOpener {
    /// Opens by the shared workspace.
    public init() {}

    /// Asks the system for an app that opens addresses of this scheme.
    ///
    /// - Parameter address: An address whose scheme alone counts.
    public func canOpen(_ address: URL) async -> Bool { NSWorkspace.shared.urlForApplication(toOpen: address) != nil }

    /// Opens the address: in the app that its domain or scheme belongs to, otherwise in the browser.
    ///
    /// - Parameter address: A whole address, with https or a scheme of an app.
    public func open(_ address: URL) async -> Bool { NSWorkspace.shared.open(address) }

    /// Yes: associated domains define the owning app.
    public var knowsOwners: Bool { true }

    /// Opens the address as a universal link, or not at all.
    ///
    /// - Parameter address: An https address that another app may have claimed.
    public func openInOwner(_ address: URL) async -> Bool {
        let configuration = NSWorkspace.OpenConfiguration()
        configuration.requiresUniversalLinks = true
        return (try? await NSWorkspace.shared.open(address, configuration: configuration)) != nil
    }
}
#endif
