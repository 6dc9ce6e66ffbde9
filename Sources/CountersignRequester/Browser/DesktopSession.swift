internal import FoundationEssentialsCompat

/// The desktop session of this process, as its environment tells.
package struct DesktopSession: Sendable {
    private let environment: [String: String]

    /// Takes the environment variables, by name.
    package init(environment: [String: String]) { self.environment = environment }

    /// The session of this process.
    package static var current: DesktopSession { DesktopSession(environment: ProcessInfo.processInfo.environment) }

    /// Whether a page that opens here is in front of the person: on a desktop, and not over ssh.
    package var isInFrontOfPerson: Bool { isDesktop && !["SSH_CONNECTION", "SSH_TTY"].contains(where: isSet) }

    /// Whether a page may be opened at all: on a desktop, or by the program that `BROWSER` names.
    package var opensPages: Bool { isDesktop || isSet("BROWSER") }

    private var isDesktop: Bool {
        #if os(macOS)
        true
        #else
        ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: isSet)
        #endif
    }

    private func isSet(_ variable: String) -> Bool { environment[variable]?.isEmpty == false }
}
