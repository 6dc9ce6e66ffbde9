internal import Foundation

/// The desktop session of this terminal, as its environment tells.
struct DesktopSession: Sendable {
    /// The environment variables, by name.
    let environment: [String: String]

    /// The session of this process.
    static var current: DesktopSession { DesktopSession(environment: ProcessInfo.processInfo.environment) }

    /// Whether a page that opens here is in front of the person: on a desktop, and not over ssh.
    var isInFrontOfPerson: Bool { isDesktop && !["SSH_CONNECTION", "SSH_TTY"].contains(where: isSet) }

    /// Whether a page may be opened at all: on a desktop, or by the program that `BROWSER` names.
    var opensPages: Bool { isDesktop || isSet("BROWSER") }

    private var isDesktop: Bool {
        #if os(macOS)
        true
        #else
        ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: isSet)
        #endif
    }

    private func isSet(_ variable: String) -> Bool { environment[variable]?.isEmpty == false }
}
