#if canImport(AppKit) && os(macOS)
internal import AppKit
public import Foundation

/// Opens addresses on macOS. Not compiled on Linux.
public struct WorkspaceOpener: AppOpener {
    /// Opens by the shared workspace.
    public init() {}

    /// Asks the system for an app that opens addresses of this scheme.
    public func canOpen(_ address: URL) async -> Bool {
        NSWorkspace.shared.urlForApplication(toOpen: address) != nil
    }

    /// Opens the address: in the app to whose domain or scheme it belongs, otherwise in the browser.
    public func open(_ address: URL) async -> Bool {
        NSWorkspace.shared.open(address)
    }

    /// Yes: associated domains say which app owns one.
    public var knowsOwners: Bool { true }

    /// Opens the address as a universal link, or not at all.
    public func openInOwner(_ address: URL) async -> Bool {
        let configuration = NSWorkspace.OpenConfiguration()
        configuration.requiresUniversalLinks = true
        return (try? await NSWorkspace.shared.open(address, configuration: configuration)) != nil
    }
}
#endif
