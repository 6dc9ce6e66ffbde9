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
            this terminal in against it. Everything that it asks you to open and type is on this machine.
            """
    )

    @Option(help: "Where the server listens; port 0 takes a free one.")
    var listen = "127.0.0.1:0"

    @Flag(help: "Stop as soon as the TV is signed in, instead of keeping the server for a look around.")
    var once = false

    func run() async throws {
        try await ending {
            let address = try ListenAddress(listen).settled()
            try address.tried()
            let issuer = try ServeCommand.issuer("http://\(address)")
            let place = FileManager.default.temporaryDirectory
                .appendingPathComponent("countersign-demo-\(ProcessInfo.processInfo.processIdentifier)")
            defer { try? FileManager.default.removeItem(at: place) }
            let store = try SQLiteStore.open(in: place)
            let desk = DemoBackchannelClient(issuer: issuer, place: place)
            let anna = try await DemoAccounts.add(to: store, deskSecret: try desk.writeSecret())
            let phone = DemoPhone(issuer: issuer, directory: place.appendingPathComponent("phone").path)
            try await phone.signIn(as: anna, in: store)
            let server = try AuthorizationServer(
                ServerSettings(issuer: issuer),
                keeping: store,
                clock: .system,
                random: .system,
                logger: try ServeCommand.logger("warning")
            )
            let tv = place.appendingPathComponent("tokens").path
            try await play(server, at: address, issuer: issuer, with: phone, desk, savingIn: tv)
            try await store.close()
        }
    }

    /// Runs server and TV side by side until the person has seen enough.
    private func play(
        _ server: AuthorizationServer,
        at address: ListenAddress,
        issuer: Issuer,
        with phone: DemoPhone,
        _ desk: DemoBackchannelClient,
        savingIn directory: String
    ) async throws {
        let (started, starting) = AsyncStream.makeStream(of: Void.self)
        let application = server.application(listening: address.bindAddress) { _ in starting.finish() }
        let tv = DemoTV(
            started: started, issuer: issuer, phone: phone, desk: desk, directory: directory, staysOn: !once)
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
                logger: try ServeCommand.logger("critical")
            )
        )
        try await services.run()
    }
}
