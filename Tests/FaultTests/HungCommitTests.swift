#if PostgreSQL
import Countersign
import CountersignServer
import CountersignWire
import Foundation
import KeptDatabases
import PostgresUnderTest
import Testing

@Suite(
    "A server whose PostgreSQL server waits for a standby that is away",
    .enabled(if: PostgresCases.areRun, Comment(rawValue: PostgresCases.need))
)
struct HungCommitTests {
    @Test func `answers every change, is not ready meanwhile, and goes on when the wait is over`() async throws {
        try await PrivateCluster.run { cluster in
            try await DatabaseFixture.with(opening: { _ in try DatabaseKind.openPostgres(at: cluster.url) }) {
                fixture in
                let server = try await ServerProcess.start(on: fixture, flags: LimitRule.allOff)
                #expect(try await server.post("/token", fixture.clientCredentials).status == 200)
                #expect(try await server.get("/health/ready").status == 200)

                try await fixture.run("ALTER SYSTEM SET synchronous_standby_names = 'absent'")
                try await fixture.run("SELECT pg_reload_conf()")
                do {
                    try await expectRefusals(of: server, fixture)
                } catch {
                    try await stopWaiting(fixture)
                    throw error
                }
                try await stopWaiting(fixture)

                #expect(try await server.answers(200) { try await $0.post("/token", fixture.clientCredentials) })
                #expect(try await server.answers(200) { try await $0.get("/health/ready") })
                #expect(try await server.stop() == 0)
            }
        }
    }

    private func expectRefusals(of server: ServerProcess, _ fixture: DatabaseFixture) async throws {
        // The server of the database takes its setting a moment later. The first commit that waits is answered too.
        #expect(try await server.answers(503) { try await $0.post("/token", fixture.clientCredentials) })
        let answers = try await withThrowingTaskGroup(of: ServerProcess.Answer.self) { group in
            for _ in 0..<3 { group.addTask { try await server.post("/token", fixture.clientCredentials) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.status == 503 && $0.error == .temporarilyUnavailable })
        #expect(try await server.answers(503) { try await $0.get("/health/ready") })
        #expect(try await server.get("/health/live").status == 200)
    }

    private func stopWaiting(_ fixture: DatabaseFixture) async throws {
        try await fixture.run("ALTER SYSTEM RESET synchronous_standby_names")
        try await fixture.run("SELECT pg_reload_conf()")
    }
}

extension ServerProcess {
    /// Asks until it is answered with this status; whether it ever was.
    fileprivate func answers(_ status: UInt, _ ask: (ServerProcess) async throws -> Answer) async throws -> Bool {
        for _ in 0..<1_200 {
            if try await ask(self).status == status { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }
}
#endif
