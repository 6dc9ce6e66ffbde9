import Foundation

/// A server, and devices that know it and meet nearby.
package struct NearbyFixture: Sendable {
    package let server: RunningServer
    /// Nobody else on this network is met.
    private let app = "test-\(UUID().uuidString)"

    /// Starts the server.
    package static func start() async throws -> NearbyFixture {
        let server = try await RunningServer.start()
        _ = try await server.command.run("countersign admin client add phone --scope 'openid nearby_approve'")
        return NearbyFixture(server: server)
    }

    /// A new TV.
    package func tv(at place: NearbyHost = .loopback) throws -> NearbyDevice {
        NearbyDevice(home: try CommandUnderTest(), place: place, meeting: meeting)
    }

    /// A new phone, which Anna has signed in.
    package func phone(at place: NearbyHost = .loopback) async throws -> NearbyDevice {
        let phone = NearbyDevice(home: try CommandUnderTest(), place: place, meeting: meeting)
        let signin = try phone.home.start(
            """
            exec countersign signin --issuer \(server.base) --client phone --only code --scope 'openid nearby_approve' --yes
            """
        )
        try await approveByCode(what: signin)
        let outcome = try await signin.finish()
        guard outcome.status == 0 else { throw RunningCommand.NeverPrinted(text: outcome.output) }
        return phone
    }

    /// Anna approves in a browser, by the code that a screen shows.
    package func approveByCode(what screen: RunningCommand) async throws {
        let code = try await screen.shownCode()
        let person = PersonAtBrowser(at: server.base)
        try await person.decide("approve", on: code, as: "anna", password: RunningServer.password)
    }

    private var meeting: String { "--issuer \(server.base) --app \(app)" }
}

/// The host that a device runs on.
package struct NearbyHost: Sendable {
    /// The beginning of its commands, and the flags that name its interface.
    fileprivate let beginning: String
    fileprivate let interface: String

    /// This machine; devices outside it do not meet those here.
    package static let loopback = NearbyHost(beginning: "exec", interface: "--interface lo")

    /// A host whose commands are run by `runner`, as user 65534, who then owns the home.
    package static func host(runningBy runner: String) -> NearbyHost {
        NearbyHost(beginning: "chown -R 65534:65534 . && exec \(runner)", interface: "")
    }
}

/// A device in a story, with a home that it shares with nobody.
package struct NearbyDevice: Sendable {
    package let home: CommandUnderTest
    private let place: NearbyHost
    private let meeting: String

    fileprivate init(home: CommandUnderTest, place: NearbyHost, meeting: String) {
        self.home = home
        self.place = place
        self.meeting = meeting
    }

    /// The same device at another place.
    package func moved(to place: NearbyHost) -> NearbyDevice {
        NearbyDevice(home: home, place: place, meeting: meeting)
    }

    private var flags: String { "\(meeting) \(place.interface)" }

    /// It waits for screens, as a phone.
    package func approve(called name: String? = "Test phone", _ more: String = "") throws -> AnsweringTerminal {
        try start(approving(called: name, more))
    }

    /// The same on a terminal that can be typed at.
    package func approveAtTerminal(_ more: String = "") throws -> AnsweringTerminal {
        try start(Self.atTerminal(approving(called: "Test phone", more)))
    }

    /// It waits for what the server holds for its person, and for no screens.
    package func approveFromInbox(_ more: String = "") throws -> AnsweringTerminal {
        try start("countersign approve --only inbox \(more)")
    }

    private func approving(called name: String?, _ more: String) -> String {
        let naming = name.map { "--device-name '\($0)'" } ?? ""
        return "countersign approve \(flags) --client phone \(naming) \(more)"
    }

    /// It asks to be signed in, as a TV.
    package func signIn(by ways: String = "nearby,code", _ more: String = "") throws -> AnsweringTerminal {
        try start(signingIn(by: ways, more))
    }

    /// The same on a terminal that can be typed at.
    package func signInAtTerminal(_ more: String = "") throws -> AnsweringTerminal {
        try start(Self.atTerminal(signingIn(more)))
    }

    private static func atTerminal(_ line: String) -> String {
        "script --quiet --return --command \"\(line)\" /dev/null"
    }

    private func signingIn(by ways: String = "nearby,code", _ more: String) -> String {
        "countersign signin \(flags) --only \(ways) --client tv --device-name 'Test TV' --yes \(more)"
    }

    private func start(_ line: String) throws -> AnsweringTerminal {
        try AnsweringTerminal("\(place.beginning) \(line)", in: home)
    }

    /// Forgets the only device that it is paired with.
    package func forget() async throws {
        let list = try await home.run("countersign nearby paired list --json").output
        guard let known = list.firstMatch(of: /"id" : "([a-z2-7]+)"/) else {
            throw RunningCommand.NeverPrinted(text: list)
        }
        let forgotten = try await home.run("countersign nearby paired forget \(known.1)")
        guard forgotten.status == 0 else { throw RunningCommand.NeverPrinted(text: forgotten.output) }
    }
}
