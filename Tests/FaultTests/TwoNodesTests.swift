import Countersign
import CountersignServer
import CountersignWire
import Foundation
import KeptDatabases
import NIOConcurrencyHelpers
import Testing

@Suite("Two nodes on one database")
struct TwoNodesTests {
    @Test(arguments: DatabaseKind.allCases)
    func `tell each other of decisions`(database: DatabaseKind) async throws {
        try await withTwo(database) { fixture, one, other in
            for (asked, elsewhere) in [(one, other), (other, one)] {
                let (code, exchange) = fixture.open()
                try await fixture.store.change { try $0.exchanges.insert(exchange) }
                async let held = asked.post("/token", fixture.redemption(of: code), prefer: "wait=55")
                // Both nodes know the code by now, or will look it up.
                #expect(try await elsewhere.post("/token", fixture.redemption(of: code)).error == .authorizationPending)
                try await fixture.approve(exchange)
                #expect(try await held.read(TokenResponse.self).refreshToken != nil)
            }
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `stand in for each other when one dies while a screen waits`(database: DatabaseKind) async throws {
        try await withTwo(database) { fixture, one, other in
            let (code, exchange) = fixture.open()
            try await fixture.store.change { try $0.exchanges.insert(exchange) }
            let held = Task { try await one.post("/token", fixture.redemption(of: code), prefer: "wait=55") }
            try await one.holds(1)
            one.kill()
            await #expect(throws: (any Error).self) { try await held.value }
            let again = Task { try await other.post("/token", fixture.redemption(of: code), prefer: "wait=55") }
            try await fixture.approve(exchange)
            #expect(try await again.value.status == 200)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `hand a grant out once, of two hundred that ask at the same time`(database: DatabaseKind) async throws {
        try await withTwo(database) { fixture, one, other in
            let (code, exchange) = fixture.approved()
            try await fixture.store.change { try $0.exchanges.insert(exchange) }
            let answers = try await withThrowingTaskGroup(of: ServerProcess.Answer.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        try await (number % 2 == 0 ? one : other).post("/token", fixture.redemption(of: code))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let good = answers.filter { $0.status == 200 }
            // The same client gets the same answer for ten seconds; which of them came later than that is left open.
            #expect(Set(good.map(\.body)).count == 1)
            #expect(answers.count { $0.error == .invalidGrant } == 200 - good.count)
            // And the others have ended nothing.
            let tokens = try #require(good.first).read(TokenResponse.self)
            let refresh = try #require(tokens.refreshToken)
            #expect(try await other.post("/token", fixture.refresh(of: refresh)).status == 200)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `count together against one limit`(database: DatabaseKind) async throws {
        try await withTwo(database, flags: "--limit start-per-address=5/600") { _, one, other in
            for number in 0..<5 {
                let started = try await (number % 2 == 0 ? one : other).post(
                    "/device_authorization", DatabaseFixture.start)
                #expect(started.status == 200)
            }
            for node in [one, other] {
                let refused = try await node.post("/device_authorization", DatabaseFixture.start)
                #expect(refused.status == 429)
            }
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `forget what they remember when it changes at the other`(database: DatabaseKind) async throws {
        try await withTwo(database) { fixture, one, other in
            let tokens = try await one.post("/token", fixture.clientCredentials).read(TokenResponse.self)
            let look = fixture.introspection(of: tokens.accessToken)
            for node in [one, other] {
                let seen = try await node.post("/introspect", look).read(IntrospectionResponse.self)
                #expect(seen.active)
            }
            var revocation = fixture.introspection(of: tokens.accessToken)
            revocation["token_type_hint"] = "access_token"
            #expect(try await one.post("/revoke", revocation).status == 200)
            #expect(try await one.post("/introspect", look).read(IntrospectionResponse.self).active == false)
            // The other hears of it within a second.
            var looks = 0
            while try await other.post("/introspect", look).read(IntrospectionResponse.self).active, looks < 4000 {
                looks += 1
                try await Task.sleep(for: .milliseconds(25))
            }
            #expect(looks < 4000)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `know only the new keys when all are replaced at once`(database: DatabaseKind) async throws {
        try await withTwo(database) { fixture, one, other in
            try await fixture.store.change { repositories in
                var robot = try #require(try repositories.clients.find(DatabaseFixture.robot))
                robot.tokenFormat = .es256
                try repositories.clients.update(robot)
            }
            // Both nodes remember the token and its key.
            var tokens: [TokenResponse] = []
            for node in [one, other] {
                tokens.append(try await node.post("/token", fixture.clientCredentials).read(TokenResponse.self))
            }
            for node in [one, other] {
                #expect(tokens.allSatisfy { $0.accessToken.revealed.hasPrefix("ey") })
                for token in tokens {
                    let look = fixture.introspection(of: token.accessToken)
                    #expect(try await node.post("/introspect", look).read(IntrospectionResponse.self).active)
                }
            }
            // Keys that wait for their hour are in the wrong hands too.
            let now = TimeSource.system.now()
            _ = try await fixture.store.addSigningKeys(by: fixture.mint, at: now)
            let fresh = Set(try await fixture.store.replaceKeys(by: fixture.mint, at: now).map(\.id))
            // A node that has not heard of the change yet knows no new key either.
            for node in [one, other] {
                try await node.learns {
                    try await Set($0.get("/jwks").read(JSONWebKeySet.self).keys.compactMap(\.keyID)) == fresh
                }
            }
            for node in [one, other] {
                for token in tokens {
                    let look = fixture.introspection(of: token.accessToken)
                    #expect(try await node.post("/introspect", look).read(IntrospectionResponse.self).active == false)
                }
                let anew = try await node.post("/token", fixture.clientCredentials).read(TokenResponse.self)
                let look = fixture.introspection(of: anew.accessToken)
                #expect(try await other.post("/introspect", look).read(IntrospectionResponse.self).active)
            }
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `end the codes of a client that is removed, and take a new secret beside the old one`(
        database: DatabaseKind
    ) async throws {
        try await withTwo(database) { fixture, one, other in
            let register = ClientRegistry(of: fixture.store, mint: fixture.mint, clock: .system)
            let renewed = try #require(try await register.renewSecret(of: DatabaseFixture.robot, keepingOldFor: 3600))
            var form = fixture.clientCredentials
            form["client_secret"] = renewed.1.revealed
            for node in [one, other] {
                try await node.learns { [form] in try await $0.post("/token", form).status == 200 }
                #expect(try await node.post("/token", fixture.clientCredentials).status == 200)
            }

            let (waiting, approved) = (fixture.open(), fixture.approved())
            try await fixture.store.change { repositories in
                for exchange in [waiting.exchange, approved.exchange] { try repositories.exchanges.insert(exchange) }
            }
            for node in [one, other] {
                let poll = try await node.post("/token", fixture.redemption(of: waiting.code))
                #expect(poll.error == .authorizationPending)
            }
            let tv = try #require(try await fixture.store.read { try $0.clients.find(DatabaseFixture.tv) })
            #expect(try await register.remove(tv.id))
            try await register.add(tv)
            for node in [one, other] {
                for code in [waiting.code, approved.code] {
                    try await node.learns {
                        try await $0.post("/token", fixture.redemption(of: code)).error == .invalidGrant
                    }
                }
            }
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `write one audit without gaps`(database: DatabaseKind) async throws {
        try await withTwo(database) { fixture, one, other in
            let approved = (0..<80).map { _ in fixture.approved() }
            try await fixture.store.change { repositories in
                for one in approved { try repositories.exchanges.insert(one.exchange) }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, asked) in approved.enumerated() {
                    let node = number % 2 == 0 ? one : other
                    group.addTask { _ = try await node.post("/token", fixture.redemption(of: asked.code)) }
                }
                try await group.waitForAll()
            }
            let place = try await fixture.store.read { try Audit($0).verify() }
            #expect(place.number >= 80)
        }
    }

    private func withTwo(
        _ database: DatabaseKind,
        flags: String = "",
        _ body: (DatabaseFixture, ServerProcess, ServerProcess) async throws -> Void
    ) async throws {
        try await DatabaseFixture.with(database) { fixture in
            let issuer = "--issuer http://localhost:1 \(flags)"
            let one = try await ServerProcess.start(on: fixture, flags: issuer)
            let other = try await ServerProcess.start(on: fixture, flags: issuer)
            try await body(fixture, one, other)
            _ = (try await one.stop(), try await other.stop())
        }
    }
}

extension ServerProcess {
    /// Asks until `condition` holds: what changed elsewhere is known within a second.
    fileprivate func learns(_ condition: (ServerProcess) async throws -> Bool) async throws {
        for _ in 0..<4000 {
            if try await condition(self) { return }
            try await Task.sleep(for: .milliseconds(25))
        }
        Issue.record("The node did not learn of a change.")
    }
}

extension DatabaseFixture {
    /// Anna approves, as the pages of any node would record it.
    func approve(_ exchange: SignInExchangeRecord) async throws {
        let now = TimeSource.system.now()
        let approver = ApproverIdentity(subject: Self.anna, id: ApproverID("browser"))
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
            var stored = try #require(try repositories.exchanges.find(exchange.id))
            try stored.exchange.take(by: approver, at: now)
            try stored.exchange.record(.approve(grant), by: approver, at: now)
            try repositories.exchanges.update(stored)
        }
    }
}
