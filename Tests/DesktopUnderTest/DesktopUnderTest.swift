#if SecretService && os(Linux)
import Foundation
import NIOConcurrencyHelpers
import TestShell

/// A session's bus of a test's own with a service that answers as GNOME Online Accounts does; both end with it.
package final class DesktopUnderTest: Sendable {
    /// The address of the bus.
    package let address: String
    private let place: URL
    private let bus: LoggedProgram
    private let service = NIOLockedValueBox<LoggedProgram?>(nil)

    /// Starts a bus and the service.
    ///
    /// - Parameters:
    ///   - accounts: The accounts of the service.
    ///   - isServed: Whether there is a service on the bus.
    package static func start(
        _ accounts: [DesktopAccount] = [],
        isServed: Bool = true
    ) async throws -> DesktopUnderTest {
        // The path of a socket is short, and that of a test's own directory may be long.
        let place = URL(fileURLWithPath: "/tmp/countersign-desktop-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let address = "unix:path=\(place.path)/bus"
        try configuration(address).write(
            to: place.appendingPathComponent("bus.conf"), atomically: true, encoding: .utf8)
        let bus = try LoggedProgram(
            "/usr/bin/env",
            ["dbus-daemon", "--config-file=\(place.path)/bus.conf", "--nofork", "--nopidfile", "--print-address"],
            printingTo: place.appendingPathComponent("bus.log")
        )
        // From here on, everything ends with the value.
        let desktop = DesktopUnderTest(address: address, place: place, bus: bus)
        try desktop.set(DesktopState(accounts: accounts))
        _ = try await bus.printed { $0.contains("unix:path=") }
        if isServed { try await desktop.serve() }
        return desktop
    }

    /// Starts a bus and a service of desktop notifications.
    package static func startNotifications() async throws -> DesktopUnderTest {
        let desktop = try await start(isServed: false)
        let commands = desktop.place.appendingPathComponent("commands")
        try Data().write(to: commands)
        try await desktop.run("notifications.py", with: commands)
        return desktop
    }

    /// Presses a button of a notification.
    ///
    /// - Parameters:
    ///   - key: The key of the button.
    ///   - number: The number of the notification.
    package func press(_ key: String, on number: Int) throws {
        let commands = place.appendingPathComponent("commands")
        let pressed = try String(contentsOf: commands, encoding: .utf8) + "\(key) \(number)\n"
        try pressed.write(to: commands, atomically: true, encoding: .utf8)
    }

    private init(address: String, place: URL, bus: LoggedProgram) {
        (self.address, self.place, self.bus) = (address, place, bus)
    }

    private func serve() async throws {
        try await run("online_accounts.py", with: place.appendingPathComponent("state.json"))
    }

    private func run(_ script: String, with file: URL) async throws {
        let program = try LoggedProgram(
            "/usr/bin/env",
            [Self.python, Self.scripts.appendingPathComponent(script).path, address, file.path],
            printingTo: place.appendingPathComponent("service.log")
        )
        service.withLockedValue { $0 = program }
        _ = try await program.printed { $0.hasPrefix("ready\n") }
    }

    deinit {
        service.withLockedValue(\.self)?.kill()
        bus.kill()
        try? FileManager.default.removeItem(at: place)
    }

    /// Sets the state that the service answers with from now on.
    package func set(_ state: DesktopState) throws {
        try Self.write(state, to: place.appendingPathComponent("state.json"))
    }

    /// The methods that were called, in order.
    package var called: [Substring] { service.withLockedValue { $0.map { Array($0.lines.dropFirst()) } ?? [] } }

    /// Waits until a method was called.
    package func isCalled(_ method: String) async throws {
        _ = try await service.withLockedValue(\.self)?.printed { $0.contains("\(method)\n") }
    }

    /// Ends the service as a crash would.
    package func killService() { service.withLockedValue(\.self)?.kill() }

    /// Stops the bus in the middle of what it does; it keeps its connections, and answers to nobody.
    package func freezeBus() { bus.signal(SIGSTOP) }

    private static func write(_ state: DesktopState, to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        try encoder.encode(state).write(to: file, options: .atomic)
    }

    /// A bus for this user that starts no service by itself.
    private static func configuration(_ address: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>\(address)</listen>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
        </busconfig>
        """
    }

    private static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// Python with the packages that tests use, as `make test` names it.
    private static let python = ProcessInfo.processInfo.environment["COUNTERSIGN_TEST_PYTHON"] ?? "python3"
}

/// The accounts of the service, and its faults.
package struct DesktopState: Encodable, Sendable {
    package var accounts: [DesktopAccount]
    /// Providers that it knows.
    package var supported = ["facebook", "google", "twitter"]
    /// By method, such as `Account.EnsureCredentials`: the name of an error, `hang`, `nonsense` or `empty`.
    package var faults: [String: String]

    package init(accounts: [DesktopAccount], faults: [String: String] = [:]) {
        self.accounts = accounts
        self.faults = faults
    }
}

/// An account of the service.
package struct DesktopAccount: Encodable, Sendable {
    /// By what an app can sign in.
    package enum Kind: String, Encodable, Sendable {
        case oauth1, oauth2, password
    }

    package var id = "account_1"
    package var provider: String
    package var name = "anna@example.com"
    package var kind: Kind
    package var key = ""
    package var secret = ""
    package var token = "token-of-anna"
    package var tokenSecret = ""
    /// The token that replaces the first one when the service renews it.
    package var renewed: String?
    package var attention = false
    package var temporary = false

    package init(_ kind: Kind, at provider: String) {
        self.kind = kind
        self.provider = provider
    }
}
#endif
