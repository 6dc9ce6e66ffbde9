import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

@testable import CountersignServer

/// The real server inside this process: on a loopback port, with a database and a clock of its own.
///
///     try await JourneyServer.with { server in
///         let screen = JourneyScreen(at: server.issuer)
///         …
///         server.clock.advance(by: .seconds(61))
///     }
///
/// Time stands still until a test moves it. The parties of ``JourneyParties`` are registered.
actor JourneyServer {
    nonisolated let issuer: Issuer
    nonisolated let clock: ManualClock
    /// The metrics of the server and its store.
    nonisolated let metrics = PrometheusMetrics()
    /// Kept also while the server is stopped, so that it can come back at the same address.
    private let reserved: ReservedPort
    private let settings: ServerSettings
    /// The directory of the database, for a command beside the server.
    nonisolated let place: URL
    private var running: Running?

    private struct Running {
        let group: ServiceGroup
        let task: Task<Void, any Error>
        let store: SQLiteStore
        let paths: Set<String>
    }

    struct NotStarted: Error, CustomStringConvertible {
        let description = "The server ended before it answered."
    }

    private init(
        clock: ManualClock,
        host: String,
        certificate: ServerCertificate?,
        configuring: @Sendable (inout ServerSettings) -> Void
    ) throws {
        self.clock = clock
        reserved = try ReservedPort(at: SocketAddress(ipAddress: "127.0.0.1", port: 0))
        issuer = try Issuer("\(certificate == nil ? "http" : "https")://\(host):\(reserved.number)")
        var settings = ServerSettings(issuer: issuer)
        settings.passwordCost = JourneyParties.cost
        settings.certificate = certificate
        configuring(&settings)
        self.settings = settings
        place = FileManager.default.temporaryDirectory
            .appending(component: "countersign-journey-\(UUID().uuidString.prefix(8))")
    }

    nonisolated var port: Int { reserved.number }

    /// Runs a server for as long as `body` takes, then stops it and removes what it kept.
    ///
    /// - Parameters:
    ///   - host: The name of this machine in the issuer.
    ///   - certificate: For TLS of its own; without one it speaks plain HTTP.
    static func with<Result>(
        clock: ManualClock = ManualClock(),
        host: String = "127.0.0.1",
        certificate: ServerCertificate? = nil,
        configuring: @Sendable (inout ServerSettings) -> Void = { _ in },
        isolation: isolated (any Actor)? = #isolation,
        _ body: (JourneyServer) async throws -> Result
    ) async throws -> Result {
        let server = try JourneyServer(clock: clock, host: host, certificate: certificate, configuring: configuring)
        do {
            try await server.start()
            try await server.registerParties()
            let result = try await body(server)
            try await server.remove()
            return result
        } catch {
            try? await server.remove()
            throw error
        }
    }

    /// Starts to answer, with what was kept before; returns once it does.
    func start() async throws {
        let store = try SQLiteStore.open(in: place, measuring: metrics)
        let server = try AuthorizationServer(
            settings,
            keeping: store,
            clock: clock.source,
            random: .system,
            logger: Self.logger,
            measuring: metrics
        )
        let (answers, answering) = AsyncStream.makeStream(of: Void.self)
        let application = server.application(listening: .hostname("127.0.0.1", port: port)) { _ in
            answering.yield()
            answering.finish()
        }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [.init(service: application)], logger: Self.logger)
        )
        let task = Task {
            defer { answering.finish() }
            try await group.run()
        }
        running = Running(
            group: group,
            task: task,
            store: store,
            paths: Set(server.router().routes.map(\.path.description))
        )
        for await _ in answers { return }
        try await task.value
        throw NotStarted()
    }

    /// Stops to answer, as an operator would; what it was asked before is answered first.
    func stop() async throws {
        guard let running else { return }
        self.running = nil
        await running.group.triggerGracefulShutdown()
        let ended = await running.task.result
        try await running.store.close()
        try ended.get()
    }

    /// The store of the server while it answers.
    var store: SQLiteStore? { running?.store }

    /// Makes a change behind the server's back, as an operator does.
    func change(_ body: @escaping @Sendable (any Repositories) throws -> Void) async throws {
        try await running?.store.change(body)
    }

    /// Every path of the server, in order.
    var paths: [String] { (running?.paths ?? []).sorted() }

    private func registerParties() async throws {
        let parties = try await JourneyParties.registered(at: clock.date)
        try await change { repositories in
            for client in parties.clients { try repositories.clients.insert(client) }
            for person in parties.people { try repositories.people.insert(person) }
        }
    }

    private func remove() async throws {
        defer { try? FileManager.default.removeItem(at: place) }
        try await stop()
    }

    /// Says what went wrong inside the server; a page that failed is no part of any story.
    private static let logger: Logger = {
        var logger = Logger(label: "countersign") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        return logger
    }()
}
