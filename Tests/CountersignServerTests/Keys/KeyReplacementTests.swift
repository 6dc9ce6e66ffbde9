import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("Keys that are replaced at once", .server)
struct KeyReplacementTests {
    let server = TestServer.current
    private let mint = CodeMint(drawingFrom: .system)

    @Test(arguments: [TestClients.radio, .kiosk])
    func `leave no old one published, pending or accepted`(client: TestClients) async throws {
        let tokens = try await server.signedIn(client)
        #expect(try await server.honours(tokens.accessToken))
        // A successor waits for its hour.
        let pending = try await server.store.addSigningKeys(by: mint, at: server.clock.date)
        #expect(try await published(at: server).isSuperset(of: pending.map(\.id)))

        let fresh = try await server.store.replaceKeys(by: mint, at: server.clock.date)
        #expect(try await published(at: server) == Set(fresh.map(\.id)))
        #expect(try await server.honours(tokens.accessToken) == false)

        for _ in 0..<3 {
            try await server.rotate(after: .seconds(3600))
            #expect(try await published(at: server) == Set(fresh.map(\.id)))
        }
        // A refresh token needs no signature: it stays good, and gets an access token that the new key signs.
        let renewed = try await server.refresh(tokens.refreshToken, as: client).json(TokenResponse.self)
        #expect(try await server.honours(renewed.accessToken))
        let signer = try #require(try await server.read(renewed.accessToken.revealed).header.keyID)
        #expect(fresh.map(\.id).contains(signer))
    }

    @Test func `leave none that is retired`() async throws {
        _ = try await server.signedIn(.radio)
        try await server.rotate(after: .seconds(90 * 86_400))
        try await server.rotate(after: .seconds(3600))
        #expect(try await published(at: server).count > 2)
        let fresh = try await server.store.replaceKeys(by: mint, at: server.clock.date)
        #expect(try await published(at: server) == Set(fresh.map(\.id)))
    }

    @Test func `make introspection call their tokens inactive, and no others`() async throws {
        let form = try TestClients.robot.form.with(["grant_type": "client_credentials"])
        let signed = try await server.post("/token", form).json(TokenResponse.self).accessToken
        let opaque = try await server.signedIn(.console).accessToken
        #expect(try await server.introspect(signed.revealed, as: .robot).active)

        _ = try await server.store.replaceKeys(by: mint, at: server.clock.date)
        #expect(try await server.introspect(signed.revealed, as: .robot) == .inactive)
        #expect(try await server.introspect(opaque.revealed, as: .console).active)
        let anew = try await server.post("/token", form).json(TokenResponse.self).accessToken
        #expect(try await server.introspect(anew.revealed, as: .robot).active)
    }

    @Test func `are recorded in the audit, each`() async throws {
        _ = try await server.signedIn(.radio)
        let replaced: Set<ServerKey.Purpose> = [.signES256, .signRS256, .forms]
        let before = try await server.store.read { try $0.serverKeys.all() }
        let last = try await server.store.read { try $0.audit.head().number }
        _ = try await server.store.replaceKeys(by: mint, at: server.clock.date)

        let after = try await server.store.read { try $0.serverKeys.all() }
        let entries = try await server.store.read { try $0.audit.entries(after: last, limit: 100) }
        func keys(_ act: AuditAct) -> Set<String> {
            Set(entries.filter { $0.facts.act == act }.compactMap(\.facts.detail))
        }
        func ids(_ keys: [ServerKey]) -> Set<String> {
            Set(keys.filter { replaced.contains($0.purpose) }.map(\.id.rawValue))
        }
        #expect(keys(.keyRemoved) == ids(before))
        #expect(keys(.keyAdded) == ids(after))
        #expect(ids(before).isDisjoint(with: ids(after)))
        // User codes that are shown on screens go on.
        #expect(before.filter { $0.purpose == .userCodes } == after.filter { $0.purpose == .userCodes })
    }

    private func published(at server: TestServer) async throws -> Set<JSONWebKey.ID> {
        Set(try await server.keys().compactMap(\.keyID))
    }
}
