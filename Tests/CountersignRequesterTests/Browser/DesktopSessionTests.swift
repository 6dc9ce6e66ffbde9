import Testing

@testable import CountersignRequester

@Suite("The desktop session of a process")
struct DesktopSessionTests {
    #if os(Linux)
    static let environments: [([String: String], Bool, Bool)] = [
        (["DISPLAY": ":0"], true, true), (["WAYLAND_DISPLAY": "wayland-0"], true, true),
        (["DISPLAY": ":10.0", "SSH_CONNECTION": "192.0.2.7 50000 192.0.2.9 22"], false, true),
        (["WAYLAND_DISPLAY": "wayland-0", "SSH_TTY": "/dev/pts/1"], false, true), (["DISPLAY": ""], false, false),
        (["BROWSER": "w3m"], false, true), ([:], false, false),
    ]

    @Test(arguments: environments)
    func `is in front of the person, or opens pages`(environment: [String: String], isInFront: Bool, opens: Bool) {
        let desktop = DesktopSession(environment: environment)
        #expect(desktop.isInFrontOfPerson == isInFront && desktop.opensPages == opens)
    }
    #endif
}
