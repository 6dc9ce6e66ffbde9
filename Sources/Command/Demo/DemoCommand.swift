internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignServer
internal import CountersignSQLite
internal import CountersignWire
internal import Foundation
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import UnixSignals

/// `countersign demo`: a server, a person and a screen, all on this machine and gone afterwards.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Try it: a server with a ready person, and this terminal as the TV.",
        discussion: """
            Starts a server on a free loopback port with a database of its own, which is removed at the end, and signs \
            this terminal in against it. Everything that it asks you to open and type is on this machine.
            """
    )

    @Option(name: .long, help: "Where the server listens; port 0 takes a free one.")
    var listen = "127.0.0.1:0"

    @Flag(name: .long, help: "Stop as soon as the TV is signed in, instead of keeping the server for a look around.")
    var once = false

    func run() async throws {
        try await ending {
            let address = try await ListenAddress(listen).settled()
            let issuer = try ServeCommand.issuer("http://\(address)")
            let place = FileManager.default.temporaryDirectory
                .appendingPathComponent("countersign-demo-\(ProcessInfo.processInfo.processIdentifier)")
            defer { try? FileManager.default.removeItem(at: place) }
            let store = try SQLiteStore.open(in: place)
            try await DemoCast.enter(store)
            let server = try AuthorizationServer(
                ServerSettings(issuer: issuer),
                keeping: store,
                clock: .system,
                random: .system,
                logger: try ServeCommand.logger("warning")
            )
            try await play(server, at: address, issuer: issuer, savingIn: place.appendingPathComponent("tokens").path)
            try await store.close()
        }
    }

    /// Runs server and TV side by side until the person has seen enough.
    private func play(
        _ server: AuthorizationServer,
        at address: ListenAddress,
        issuer: Issuer,
        savingIn directory: String
    ) async throws {
        let (started, starting) = AsyncStream.makeStream(of: Void.self)
        let application = server.application(listening: address.bindAddress) { _ in starting.finish() }
        let tv = DemoTV(started: started, issuer: issuer, directory: directory, staysOn: !once)
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: application),
                    .init(
                        service: tv,
                        successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .gracefullyShutdownGroup
                    ),
                ],
                gracefulShutdownSignals: [.sigint, .sigterm],
                logger: try ServeCommand.logger("critical")
            )
        )
        try await services.run()
    }
}

/// The TV of the demo: it waits for its server, signs in, and stays on.
struct DemoTV: Service {
    let started: AsyncStream<Void>
    let issuer: Issuer
    let directory: String
    let staysOn: Bool

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            for await _ in started {}
            guard !Task.isCancelled else { return }
            introduce()
            var options = SignInOptions()
            options.renewals = 100
            let signIn = SignIn(
                at: issuer,
                as: DemoCast.client,
                for: Scope([.openid, .profile]),
                deviceName: "Terminal TV",
                keepingTokensIn: SealedFileTokenStore(directory: directory),
                options: options
            )
            let display: any SignInDisplay =
                if Terminal.showsOutput { LiveDisplay(showsTokens: false) } else { PlainDisplay(showsTokens: false) }
            // Without a terminal nobody can be asked, and nothing is at stake here.
            let confirmation = Confirmation(isGiven: !Terminal.givesInput, quiet: false)
            do {
                try await SigningIn(signIn: signIn, display: display, confirmation: confirmation)
                    .run(savingIn: directory)
            } catch let failure as Failure where failure.status == .interrupted {
                return
            }
            guard staysOn else {
                // The browser still asks for the page that says that it worked.
                try? await Task.sleep(for: .seconds(2))
                return
            }
            Terminal.say("")
            Terminal.say("See where \(DemoCast.name) is signed in, and undo it within a minute: \(issuer)/account")
            Terminal.say("The server keeps running; press Ctrl-C to stop and remove everything.")
            try? await Task.sleep(for: .seconds(86_400))
        }
    }

    private func introduce() {
        Terminal.say(
            """
            This is a TV that wants to be signed in, and a server for it at \(issuer).

            1. Open the link or scan the QR code below (on this machine: a phone cannot reach 127.0.0.1).
            2. Sign in there as \(DemoCast.username) with the password \(DemoCast.password).
            3. Compare the code, look at who asks, and approve.
            """
        )
    }
}

/// Who takes part in the demo.
enum DemoCast {
    static let client = ClientID("demo-tv")
    static let username = "anna"
    static let name = "Anna Example"
    /// No secret: the server answers this machine only, and is gone in a moment.
    static let password = "open-sesame"

    /// Registers the client and the person.
    static func enter(_ store: some Store) async throws {
        let now = ServerClock.system.now()
        let tv = Client(
            id: client,
            name: "Demo TV",
            kind: .public,
            grantTypes: [.deviceCode, .refreshToken],
            scope: Scope([.openid, .profile]),
            tokenFormat: .opaque,
            created: now
        )
        let hasher = PasswordHasher(cost: PasswordCost(logN: 14), drawingFrom: .system, on: .singleton)
        let anna = Person(
            subject: CodeMint(drawingFrom: .system).identifier(),
            username: Username(rawValue: username),
            name: name,
            password: try await hasher.hash(Password(revealing: password)),
            created: now
        )
        try await store.change { repositories in
            try repositories.clients.insert(tv)
            try repositories.people.insert(anna)
        }
    }
}
