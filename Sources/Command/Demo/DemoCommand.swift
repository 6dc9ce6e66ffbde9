internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignSQLite
internal import CountersignServer
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
            this terminal in against it. Everything that it asks you to open and type is on this machine. With --lan a \
            phone takes part: its browser warns of the certificate, which is made for the demo, and you compare the \
            fingerprint.
            """
    )

    @Option(
        help: ArgumentHelp(
            """
            Where the server listens; port 0 takes a free one. (default: 127.0.0.1:0, or this machine's address on the \
            local network)
            """,
            valueName: "host:port"
        )
    )
    var listen: String?

    @Flag(help: "Listen on the local network, with TLS, so that a phone can take part.")
    var lan = false

    @Flag(help: "Stop as soon as the TV is signed in, instead of keeping the server for a look around.")
    var once = false

    func validate() throws {
        #if !os(Linux)
        // URLSession asks the keychain alone, which does not know the certificate.
        guard !lan else { throw ValidationError("--lan has no effect on this system, whose keychain is not changed.") }
        #endif
    }

    func run() async throws {
        try await ending {
            let address = try listeningAddress()
            let issuer = try ServeCommand.issuer("\(lan ? "https" : "http")://\(address)")
            let place = FileManager.default.temporaryDirectory
                .appendingPathComponent("countersign-demo-\(ProcessInfo.processInfo.processIdentifier)")
            defer { try? FileManager.default.removeItem(at: place) }
            let store = try SQLiteStore.open(in: place)
            let desk = DemoBackchannelClient(issuer: issuer, place: place)
            let password = lan ? DemoAccounts.drawnPassword() : DemoAccounts.password
            let anna = try await DemoAccounts.add(to: store, password: password, deskSecret: try desk.writeSecret())
            let phone = DemoPhone(issuer: issuer, directory: place.appendingPathComponent("phone").path)
            try await phone.signIn(as: anna, in: store)
            let certificate =
                lan ? try DemoCertificate(for: address.host, in: place, at: TimeSource.system.now()) : nil
            certificate?.trust()
            var settings = ServerSettings(issuer: issuer)
            settings.certificate = certificate?.certificate
            let server = try AuthorizationServer(
                settings,
                keeping: store,
                clock: .system,
                random: .system,
                logger: ServeCommand.logger(.warning)
            )
            let (started, starting) = AsyncStream.makeStream(of: Void.self)
            let tv = DemoTV(
                started: started,
                issuer: issuer,
                introduction: DemoIntroduction(
                    issuer: issuer, password: password, certificate: certificate, phone: phone, desk: desk),
                phone: phone,
                directory: place.appendingPathComponent("tokens").path,
                staysOn: !once
            )
            try await play(server, at: address, with: tv, starting)
            try await store.close()
        }
    }

    /// The address to listen at.
    ///
    /// - Throws: a ``CommandError`` when this machine has none on a local network, or it cannot be used.
    private func listeningAddress() throws -> ListenAddress {
        let address = try ListenAddress(listen ?? (lan ? "\(DemoAddress.onLocalNetwork()):0" : "127.0.0.1:0")).settled()
        guard !lan || !address.isEverywhere else {
            throw CommandError.usage("With --lan, --listen takes one address of this machine, as in 192.168.1.7:0.")
        }
        try address.tried()
        return address
    }

    /// Runs server and TV side by side until the person has seen enough.
    private func play(
        _ server: AuthorizationServer,
        at address: ListenAddress,
        with tv: DemoTV,
        _ starting: AsyncStream<Void>.Continuation
    ) async throws {
        let application = server.application(listening: address.bindAddress) { _ in starting.finish() }
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: Listener(application: application, address: address)),
                    .init(
                        service: tv,
                        successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .gracefullyShutdownGroup
                    ),
                ],
                gracefulShutdownSignals: UnixSignal.interruptions,
                logger: ServeCommand.logger(.critical)
            )
        )
        try await services.run()
    }
}
