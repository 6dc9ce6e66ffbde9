import Foundation
import TestShell

/// File systems that only one server process sees: it runs in a mount namespace of its own, and they end with it.
enum PrivateMounts {
    /// Whether this machine lets us make them: as root, or where users may have namespaces of their own.
    static let areAllowed: Bool = succeeds("mount -t tmpfs none /mnt")

    /// The words to put before a command, so that `preparation` (shell; its `mount` is private) runs first.
    static func shell(_ preparation: String) -> String {
        "exec unshare \(flags) sh -c '\(preparation) && exec \"$0\" \"$@\"'"
    }

    private static let flags = geteuid() == 0 ? "--mount" : "--user --map-root-user --mount"

    private static func succeeds(_ preparation: String) -> Bool {
        (try? Shell.run("\(shell(preparation)) true 2> /dev/null")) != nil
    }
}
