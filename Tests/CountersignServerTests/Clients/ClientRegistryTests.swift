import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The register of clients", .server)
struct ClientRegistryTests {
    let server = TestServer.current

    @Test(arguments: [nil, "approve", "deny"])
    func `ends the codes of a client that it removes`(decision: String?) async throws {
        let codes = try await server.ask(as: .tv)
        if let decision { try await server.browser(of: .anna).decide(decision, codes) }
        let register = server.register
        #expect(try await register.remove(TestClients.tv.id))
        #expect(try await server.rows(of: "exchanges") == 0)

        try await register.add(TestClients.tv.record(created: server.clock.date))
        let answer = try await server.poll(codes)
        #expect(answer.status == .badRequest && answer.error == .invalidGrant)
    }

    @Test func `adds no client of the identifier that the server's own sign-in page has`() async throws {
        await #expect(throws: ClientRegistry.ChangeError.self) {
            try await server.register.add(.signInPage)
        }
        #expect(try await server.store.read { try $0.clients.find(Client.signInPage.id) } == nil)
    }

    @Test func `adds those of many that are missing, and none where one cannot be stored`() async throws {
        let clients = [TestClients.tv, .console].map { $0.record(created: server.clock.date) }
        try await server.remove(.tv)
        #expect(try await server.register.addMissing(clients) == [TestClients.tv.id])
        try await server.remove(.tv)
        try await server.remove(.console)
        try await server.tamper(
            "CREATE TRIGGER broken BEFORE INSERT ON clients WHEN NEW.id = 'console' BEGIN SELECT RAISE(ABORT, 'x'); END"
        )
        await #expect(throws: (any Error).self) { try await server.register.addMissing(clients) }
        #expect(try await server.store.read { try $0.clients.find(TestClients.tv.id) } == nil)
        try await server.tamper("DROP TRIGGER broken")
        #expect(try await server.register.addMissing(clients) == Set(clients.map(\.id)))
    }

    @Test func `ends what a client of the same identifier left behind, before it adds one`() async throws {
        let codes = try await server.ask(as: .tv)
        let tokens = try await server.signedIn(.tv)
        try await server.browser(of: .anna).decide("approve", codes)
        // The removal is interrupted before anything else ends.
        try await server.remove(.tv)

        try await server.register.add(TestClients.tv.record(created: server.clock.date))
        #expect(try await server.poll(codes).error == .invalidGrant)
        #expect(try await server.honours(tokens.accessToken) == false)
        #expect(try await server.refresh(tokens.refreshToken).error == .invalidGrant)
    }

    @Test func `changes nothing for a person who is no administrator any more`() async throws {
        let register = ClientRegistry(
            of: server.store,
            for: .person(try await server.session(of: .bert)),
            mint: CodeMint(drawingFrom: .system),
            clock: server.serverClock
        )
        let tokens = try await server.signedIn(.tv)
        await #expect(throws: Administrator.NotAdministratorError.self) {
            _ = try await register.remove(TestClients.tv.id)
        }
        await #expect(throws: Administrator.NotAdministratorError.self) {
            _ = try await register.change(TestClients.tv.id) { $0.name = "Mine" }
        }
        try await server.remove(.console)
        await #expect(throws: Administrator.NotAdministratorError.self) {
            try await register.add(TestClients.console.record(created: server.clock.date))
        }
        #expect(try await server.honours(tokens.accessToken))
        #expect(try await server.store.read { try $0.clients.find(TestClients.console.id) } == nil)
    }

    @Test func `changes a client as it is at that moment, and records it`() async throws {
        let register = server.register
        let id = TestClients.console.id
        let changed = try await register.change(id) { $0.name += ", changed" }
        #expect(changed?.client.name == "The console, changed" && changed?.isChanged == true)
        #expect(try await server.store.read { try $0.clients.find(id) } == changed?.client)
        #expect(try await register.change(id) { $0.name += "" }?.isChanged == false)
        let entries = try await server.store.read { try $0.audit.entries(before: .max, limit: 10) }
        #expect(entries.filter { $0.facts.act == .clientChanged }.map(\.facts.client) == [id])
        #expect(try await register.change(ClientID("nobody")) { $0.name = "" }?.client == nil)
    }

    @Test func `keeps the old secret good for as long as it was said, and the one before no longer`() async throws {
        let (register, id) = (server.register, TestClients.console.id)
        let first = try #require(TestClients.console.secret)
        let renewed = try #require(try await register.renewSecret(of: id, keepingOldFor: 3600))
        #expect(renewed.1 != first)
        #expect(try await accepts(first, at: server))
        #expect(try await accepts(renewed.1, at: server))
        #expect(try await accepts(ClientSecret(revealing: "guess"), at: server) == false)

        server.clock.advance(by: .seconds(3599))
        #expect(try await accepts(first, at: server))
        server.clock.advance(by: .seconds(1))
        #expect(try await accepts(first, at: server) == false)
        #expect(try await accepts(renewed.1, at: server))

        let second = try #require(try await register.renewSecret(of: id, keepingOldFor: 3600)).1
        let third = try #require(try await register.renewSecret(of: id, keepingOldFor: 3600)).1
        #expect(try await accepts(renewed.1, at: server) == false)
        #expect(try await accepts(second, at: server))
        #expect(try await accepts(third, at: server))
    }

    @Test func `ends the old secret at once where that is asked for`() async throws {
        let (register, id) = (server.register, TestClients.console.id)
        let first = try #require(TestClients.console.secret)
        #expect(try await accepts(first, at: server))
        let secret = try #require(try await register.renewSecret(of: id, keepingOldFor: 0)).1
        #expect(try await accepts(first, at: server) == false)
        #expect(try await accepts(secret, at: server))
        let last = try #require(try await server.store.read { try $0.audit.entries(before: .max, limit: 1) }.first)
        #expect(last.facts.act == .clientSecretRenewed && last.facts.client == id)
    }

    @Test func `ends a poll that was held for the old secret`() async throws {
        let codes = try await server.ask(as: .console)
        let anna = try await server.browser(of: .anna)
        async let held = server.poll(codes, as: .console, prefer: "wait=30")
        await server.clock.sleepers(1)
        let renewed = try await server.register.renewSecret(of: TestClients.console.id, keepingOldFor: 0)
        #expect(renewed != nil)
        try await anna.decide("approve", codes)
        #expect(try await held.error == .invalidClient)
    }

    @Test func `forgets an old secret once its time is over`() async throws {
        let id = TestClients.console.id
        _ = try await server.register.renewSecret(of: id, keepingOldFor: 60)
        for (passed, isKept) in [(59, true), (1, false)] {
            server.clock.advance(by: .seconds(passed))
            try await server.maintenance().sweep()
            let client = try #require(try await server.store.read { try $0.clients.find(id) })
            guard case .confidential(_, let replaced) = client.kind else {
                Issue.record("the client is public")
                continue
            }
            #expect((replaced != nil) == isKept)
        }
    }

    @Test func `gives no secret to a client that has none, and changes no device that registered itself`() async throws
    {
        let register = server.register
        await #expect(throws: ClientRegistry.ChangeError.isPublic) {
            try await register.renewSecret(of: TestClients.tv.id, keepingOldFor: 0)
        }
        let device = Client(
            id: ClientID("device"),
            registration: .device(ClientSoftware(id: "a", version: "1"), expires: .distantFuture),
            name: "Device",
            kind: .confidential(SecretDigest(of: "secret")),
            grantTypes: [],
            scope: .none,
            tokenFormat: .opaque,
            created: server.clock.date
        )
        try await server.change { try $0.clients.insert(device) }
        await #expect(throws: ClientRegistry.ChangeError.isDevice) {
            try await register.renewSecret(of: device.id, keepingOldFor: 0)
        }
        await #expect(throws: ClientRegistry.ChangeError.isDevice) {
            try await register.change(device.id) { $0.name = "" }
        }
    }

    private func accepts(_ secret: ClientSecret, at server: TestServer) async throws -> Bool {
        let form: Form = ["client_id": "console", "client_secret": secret.revealed, "token": "any"]
        return try await server.post("/introspect", form).status == .ok
    }
}

extension TestServer {
    fileprivate var register: ClientRegistry {
        ClientRegistry(of: store, mint: CodeMint(drawingFrom: .system), clock: serverClock)
    }
}
