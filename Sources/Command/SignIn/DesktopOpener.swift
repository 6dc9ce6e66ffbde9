internal import Countersign

/// The opener of addresses in the other programs of this machine.
#if os(macOS)
typealias DesktopOpener = WorkspaceOpener
#else
typealias DesktopOpener = XDGOpener
#endif
