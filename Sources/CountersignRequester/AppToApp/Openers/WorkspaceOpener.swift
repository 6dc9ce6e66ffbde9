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
}
#endif
