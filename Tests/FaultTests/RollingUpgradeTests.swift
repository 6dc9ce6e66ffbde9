import CountersignServer
import Foundation
import KeptDatabases
import Testing

/// Expand, roll, contract: the tables get more, then one node after the other is replaced.
@Suite("Two nodes behind a load balancer", .timeLimit(.minutes(10)))
struct RollingUpgradeTests {
    @Test(arguments: DatabaseKind.allCases)
    func `are replaced on the database of a release, one after the other, without a failed request`(
        database: DatabaseKind
    ) async throws {
        let kept = try #require(KeptDatabase.all.last)
        try await DatabaseFixture.with(opening: { try await database.open(in: $0, restoring: kept) }) { fixture in
            var nodes = [try await start(on: fixture), try await start(on: fixture)]
            try await LoadBalancer.with(nodes.map(\.base)) { balancer in
                let load = SignInLoad(at: balancer.base, of: fixture)
                try await load.run {
                    try await load.goesOn()
                    for step in database.expansion { try await fixture.run(step) }
                    for index in nodes.indices {
                        try await load.goesOn()
                        let node = nodes[index]
                        try await node.drain()
                        try await balancer.leave(node.base)
                        // Until then another signal counts as a repetition of the first.
                        try await Task.sleep(for: .seconds(3.1))
                        #expect(try await node.stop() == 0)
                        try await load.goesOn()
                        nodes[index] = try await start(on: fixture)
                        try await balancer.add(nodes[index].base)
                    }
                    try await load.goesOn()
                }
                #expect(load.failures == [])
            }
            for node in nodes { node.kill() }
            _ = try await fixture.store.read { try Audit($0).verify() }
        }
    }

    /// A node whose drain lasts until it is told to stop.
    private func start(on fixture: DatabaseFixture) async throws -> ServerProcess {
        try await ServerProcess.start(
            on: fixture, flags: "--issuer http://localhost:1 --drain-time 600 \(LimitRule.allOff)")
    }
}

extension DatabaseKind {
    /// What the migration of a next release does to the tables, as nodes of this one see it.
    fileprivate var expansion: [String] {
        switch self {
        case .sqlite: []
        case .postgres:
            [
                "ALTER TABLE access_tokens ADD COLUMN tomorrow TEXT",
                "ALTER TABLE sign_ins ADD COLUMN tomorrow BIGINT NOT NULL DEFAULT 1",
                "CREATE TABLE futures (id TEXT NOT NULL PRIMARY KEY)",
                "INSERT INTO migrations (name) VALUES ('9998 tomorrow')",
            ]
        }
    }
}
