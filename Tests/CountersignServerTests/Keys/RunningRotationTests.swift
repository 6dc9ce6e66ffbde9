import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import Logging
import Testing

@testable import CountersignServer

@Suite("A server whose keys rotate", .server)
struct RunningRotationTests {
    let server = TestServer.current

    @Test func `publishes the successor before it signs, and the old key a day after`() async throws {
        let first = try await signer(at: server)
        #expect(try await published(at: server) == [first])

        try await server.rotate(after: .seconds(90 * 86_400))
        let both = try await published(at: server)
        #expect(both.count == 2 && both.contains(first))
        #expect(try await signer(at: server) == first)

        try await server.rotate(after: .seconds(3600))
        let second = try await signer(at: server)
        #expect(second != first && both.contains(second))
        #expect(try await published(at: server) == both)

        try await server.rotate(after: .seconds(86_400 - 10))
        #expect(try await published(at: server) == both)

        try await server.rotate(after: .seconds(10))
        #expect(try await published(at: server) == [second])
        #expect(try await signer(at: server) == second)
    }

    @Test func `keeps tokens of the old key good`() async throws {
        let token = try await server.signedIn(.radio)
        try await server.change { repositories in
            let now = server.clock.date
            let mint = CodeMint(drawingFrom: .system)
            let next = try ServerKey.generate(.signES256, by: mint, created: now, activates: now + 10)
            try repositories.serverKeys.insert(next)
        }
        try await server.rotate(after: .seconds(20))
        let other = try await server.signedIn(.radio)

        let earlier = try await server.read(token.accessToken.revealed)
        let later = try await server.read(other.accessToken.revealed)
        #expect(earlier.header.keyID != later.header.keyID)
        #expect(try await server.honours(token.accessToken))
    }

    @Test func `goes on signing when the clock was set back`() async throws {
        let first = try await signer(at: server)
        server.clock.setDate(server.clock.date - 7200)
        #expect(try await signer(at: server) == first)
        #expect(try await published(at: server) == [first])
    }

    @Test func `makes one successor, however many processes look`() async throws {
        _ = try await signer(at: server)
        server.clock.advance(by: .seconds(90 * 86_400))
        let processes = (0..<8).map { _ in server.maintenance() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for maintenance in processes { group.addTask { try await maintenance.rotate() } }
            try await group.waitForAll()
        }
        server.clock.advance(by: .seconds(1))
        #expect(try await published(at: server).count == 2)
    }

    @Test(.server(withSigningKeys: false)) func `makes each first key once, however many ask at once`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await server.get("/jwks") } }
            try await group.waitForAll()
        }
        let stored = try await server.store.read { try $0.serverKeys.all() }
        #expect(stored.count == ServerKey.Purpose.made.count)
    }

    /// Which key signs now: seen from the newest token.
    private func signer(at server: TestServer) async throws -> JSONWebKey.ID {
        let form = try TestClients.robot.form.with(["grant_type": "client_credentials"])
        let token = try await server.post("/token", form).json(TokenResponse.self).accessToken
        return try #require(try await server.read(token.revealed).header.keyID)
    }

    /// The published keys for ES256.
    private func published(at server: TestServer) async throws -> Set<JSONWebKey.ID> {
        Set(try await server.keys().filter { $0.algorithm == "ES256" }.compactMap(\.keyID))
    }
}

extension ServerKey.Purpose {
    /// The purposes that a server makes a key for when it has none.
    static let made = Set(allCases).subtracting([.verifyHints])
}

extension TestServer {
    /// Lets time pass, lets maintenance do its work, and gives the server a moment to see that.
    func rotate(after span: Duration) async throws {
        clock.advance(by: span)
        try await maintenance().rotate()
        clock.advance(by: .seconds(1))
    }

    /// The maintenance task of another process on the same database, which that process may open as `other`.
    func maintenance(on other: (any Store)? = nil, auditLifetime: Double = 400 * 86_400) -> Maintenance {
        let mint = CodeMint(drawingFrom: .system)
        return Maintenance(
            store: other ?? store,
            keys: KeyRing(store: store, mint: mint, clock: serverClock),
            mint: mint,
            newDevices: server.services.accounts.newDevices,
            clock: serverClock,
            auditLifetime: auditLifetime,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
    }
}
