import Countersign
import CountersignResource
import CountersignTesting
import CountersignWire
import Hummingbird
import Logging

/// A service beside the real server that wants people to have authenticated in certain ways.
enum GuardedService {
    /// Runs it on a port of its own; `body` gets the address of its one page.
    static func run(
        beside server: JourneyServer,
        wanting classes: [String],
        within age: Duration? = nil,
        _ body: @Sendable (String) async throws -> Void
    ) async throws {
        let checker = SignedTokenChecker(
            issuer: IssuerName(server.issuer.text),
            keysAt: try Endpoint(server.issuer.appending("jwks")),
            audience: ResourceName(JourneyParties.audience)
        )
        let guarded = ResourceGuard<BasicResourceRequestContext>(
            checking: checker, challenge: .bearer(realm: "bank"), clock: server.clock.source
        ).requiringAuthentication(classes: classes, within: age)
        let router = Router(context: BasicResourceRequestContext.self)
        router.group("money").add(middleware: guarded).get("") { _, context in
            try context.requireToken().person?.rawValue ?? "nobody"
        }
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in listening.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "bank") { _ in SwiftLogNoOpLogHandler() }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            for await port in ports {
                try await body("http://127.0.0.1:\(port)/money")
                break
            }
            group.cancelAll()
        }
    }
}
