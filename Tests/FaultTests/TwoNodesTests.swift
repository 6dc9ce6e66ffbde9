import Countersign
import CountersignServer
import CountersignWire
import Foundation
import NIOConcurrencyHelpers
import Testing

@Suite("Two nodes on one database")
struct TwoNodesTests {
    @Test(arguments: StageDatabase.allCases)
    func `tell each other of decisions`(database: StageDatabase) async throws {
        try await withTwo(database) { stage, one, other in
            for (asked, elsewhere) in [(one, other), (other, one)] {
                let (code, exchange) = stage.open()
                try await stage.store.change { try $0.exchanges.insert(exchange) }
                async let held = asked.post("/token", stage.redemption(of: code), prefer: "wait=55")
                // Both nodes know the code by now, or will look it up.
                #expect(try await elsewhere.post("/token", stage.redemption(of: code)).error == .authorizationPending)
                try await stage.approve(exchange)
                #expect(try await held.read(TokenResponse.self).refreshToken != nil)
            }
        }
    }

    @Test(arguments: StageDatabase.allCases)
    func `stand in for each other when one dies while a screen waits`(database: StageDatabase) async throws {
        try await withTwo(database) { stage, one, other in
            let (code, exchange) = stage.open()
            try await stage.store.change { try $0.exchanges.insert(exchange) }
            let held = Task { try await one.post("/token", stage.redemption(of: code), prefer: "wait=55") }
            try await one.holds(1)
            one.kill()
            await #expect(throws: (any Error).self) { try await held.value }
            let again = Task { try await other.post("/token", stage.redemption(of: code), prefer: "wait=55") }
            try await stage.approve(exchange)
            #expect(try await again.value.status == 200)
        }
    }

    @Test(arguments: StageDatabase.allCases)
    func `hand a grant out once, of two hundred that ask at the same time`(database: StageDatabase) async throws {
        try await withTwo(database) { stage, one, other in
            let (code, exchange) = stage.approved()
            try await stage.store.change { try $0.exchanges.insert(exchange) }
            let answers = try await withThrowingTaskGroup(of: ServerProcess.Answer.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        try await (number % 2 == 0 ? one : other).post("/token", stage.redemption(of: code))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let good = answers.filter { $0.status == 200 }
            #expect(good.count == 1)
            #expect(answers.count { $0.error == .invalidGrant } == 199)
            // And the others have ended nothing.
            let tokens = try #require(good.first).read(TokenResponse.self)
            let refresh = try #require(tokens.refreshToken)
            #expect(try await other.post("/token", stage.refresh(of: refresh)).status == 200)
        }
    }

    @Test(arguments: StageDatabase.allCases)
    func `hold limits together`(database: StageDatabase) async throws {
        try await withTwo(database, flags: "--limit start-per-address=5/600") { _, one, other in
            for number in 0..<5 {
                let started = try await (number % 2 == 0 ? one : other).post("/device_authorization", Stage.start)
                #expect(started.status == 200)
            }
            for node in [one, other] {
                let refused = try await node.post("/device_authorization", Stage.start)
                #expect(refused.status == 429)
            }
        }
    }

    @Test(arguments: StageDatabase.allCases)
    func `forget what they remember when it changes at the other`(database: StageDatabase) async throws {
        try await withTwo(database) { stage, one, other in
            let tokens = try await one.post("/token", stage.clientCredentials).read(TokenResponse.self)
            let look = stage.introspection(of: tokens.accessToken)
            for node in [one, other] {
                let seen = try await node.post("/introspect", look).read(IntrospectionResponse.self)
                #expect(seen.active)
            }
            var revocation = stage.introspection(of: tokens.accessToken)
            revocation["token_type_hint"] = "access_token"
            #expect(try await one.post("/revoke", revocation).status == 200)
            #expect(try await one.post("/introspect", look).read(IntrospectionResponse.self).active == false)
            // The other hears of it within a second.
            var looks = 0
            while try await other.post("/introspect", look).read(IntrospectionResponse.self).active, looks < 200 {
                looks += 1
                try await Task.sleep(for: .milliseconds(25))
            }
            #expect(looks < 200)
        }
    }

    @Test(arguments: StageDatabase.allCases)
    func `write one audit`(database: StageDatabase) async throws {
        try await withTwo(database) { stage, one, other in
            let approved = (0..<80).map { _ in stage.approved() }
            try await stage.store.change { repositories in
                for one in approved { try repositories.exchanges.insert(one.exchange) }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, asked) in approved.enumerated() {
                    let node = number % 2 == 0 ? one : other
                    group.addTask { _ = try await node.post("/token", stage.redemption(of: asked.code)) }
                }
                try await group.waitForAll()
            }
            let place = try await stage.store.read { try $0.verifyAudit() }
            #expect(place.number >= 80)
        }
    }

    private func withTwo(
        _ database: StageDatabase,
        flags: String = "",
        _ body: (Stage, ServerProcess, ServerProcess) async throws -> Void
    ) async throws {
        try await Stage.with(database) { stage in
            let issuer = "--issuer http://localhost:1 \(flags)"
            let one = try await ServerProcess.start(on: stage, flags: issuer)
            let other = try await ServerProcess.start(on: stage, flags: issuer)
            try await body(stage, one, other)
            _ = (one.stop(), other.stop())
        }
    }
}

extension Stage {
    /// Anna approves, as the pages of any node would record it.
    func approve(_ exchange: StoredExchange) async throws {
        let now = TimeSource.system.now()
        let approver = Approver(subject: Self.anna, id: ApproverID("browser"))
        let request = exchange.exchange.request
        let grant = Grant(
            id: mint.identifier(),
            subject: Self.anna,
            client: request.client.value,
            scope: request.scope.value,
            evidence: Evidence([.codeTyped]),
            approved: now
        )
        try await store.change { repositories in
            guard var stored = try repositories.exchanges.find(exchange.id) else { return }
            try stored.exchange.take(by: approver, at: now)
            try stored.exchange.record(.approve(grant), by: approver, at: now)
            try repositories.exchanges.update(stored)
        }
    }
}
