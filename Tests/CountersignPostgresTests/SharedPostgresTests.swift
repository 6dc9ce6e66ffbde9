#if PostgreSQL
import Countersign
import CountersignPostgres
import CountersignServer
import Foundation
import NIOConcurrencyHelpers
import PostgresUnderTest
import Testing

/// Two stores on one database, as two nodes have them.
@Suite("A database that nodes share", .enabled(if: PostgresCases.areRun, Comment(rawValue: PostgresCases.need)))
struct SharedPostgresTests {
    @Test func `shows each the other's changes at once`() async throws {
        try await withNodes { one, other, _ in
            for number in 0..<20 {
                let (writer, reader) = number % 2 == 0 ? (one, other) : (other, one)
                try await writer.add("\(number)")
                #expect(try await reader.has("\(number)"))
            }
        }
    }

    @Test func `hands out a grant once for all`() async throws {
        try await withNodes { one, other, _ in
            for round in 1...3 {
                let exchange = approved("\(round)")
                try await one.change { try $0.exchanges.insert(exchange) }
                let outcomes = try await all(200) { number in
                    try await (number % 2 == 0 ? one : other).change { repositories -> Redemption? in
                        guard var found = try repositories.exchanges.find(exchange.requestCode) else { return nil }
                        let outcome = found.exchange.redeem(at: noon + 30)
                        if case .granted = outcome { try repositories.exchanges.update(found) }
                        return outcome
                    }
                }
                #expect(outcomes.count { $0 == .granted(grant) } == 1)
                #expect(outcomes.count { $0 == .alreadySpent } == 199)
            }
        }
    }

    @Test func `counts what happens at all nodes, and nothing twice`() async throws {
        let key = RateCounterKey(CounterName(rawValue: "guesses"), of: "192.0.2.1")
        try await withNodes { one, other, _ in
            let counts = try await all(200) { number in
                try await (number % 2 == 0 ? one : other).change {
                    try $0.counts.add(1, to: key, lasting: 60, at: noon).times
                }
            }
            #expect(counts.sorted() == Array(1...200))
        }
    }

    @Test func `tells each its clock`() async throws {
        try await withNodes { one, _, _ in
            let before = TimeSource.system.now()
            let there = try #require(try await one.databaseDate())
            let after = TimeSource.system.now()
            // It is the same machine's; a microsecond may be lost on the way.
            #expect(there > before - 1 && there < after + 1)
        }
    }

    @Test func `keeps one chain of what happened at all nodes`() async throws {
        try await withNodes { one, other, _ in
            _ = try await all(200) { number in
                try await (number % 2 == 0 ? one : other).change { repositories in
                    let facts = AuditEntry.Facts(at: noon, AuditAct("\(number)"), by: .server)
                    try repositories.audit.append(AuditEntry(facts, after: repositories.audit.head()))
                }
            }
            let entries = try await one.read { try $0.audit.entries(after: 0, limit: 300) }
            #expect(entries.map(\.number) == Array(1...200))
            #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.hash == $1.previous })
        }
    }

    @Test func `tells each what the other changed, in order, and no one their own changes twice`() async throws {
        try await withNodes { one, other, _ in
            let (mine, theirs) = (ObservedChanges(of: one), ObservedChanges(of: other))
            for number in 0..<20 {
                _ = try await one.change { try $0.clients.remove(ClientID("\(number)")) }
            }
            let exchange = approved("one")
            try await other.change {
                try $0.exchanges.insert(exchange)
                try $0.exchanges.update(exchange)
            }
            for observed in [mine, theirs] {
                for number in 0..<20 { #expect(try await observed.next() == .client(ClientID("\(number)"))) }
                #expect(try await observed.next() == .exchange(exchange.id, requestCode: exchange.requestCode))
            }
        }
    }

    @Test func `lets each schema be a world of its own`() async throws {
        try await withNodes { one, _, _ in
            try await withNodes { elsewhere, _, _ in
                let observed = ObservedChanges(of: elsewhere)
                try await one.add("token")
                _ = try await one.change { try $0.clients.remove(ClientID("tv")) }
                #expect(try await elsewhere.has("token") == false)
                _ = try await elsewhere.change { try $0.clients.remove(ClientID("radio")) }
                #expect(try await observed.next() == .client(ClientID("radio")))
            }
        }
    }
}

/// Runs `body` with two nodes on a database of their own.
func withNodes(_ body: (PostgresStore, PostgresStore, TestSchema) async throws -> Void) async throws {
    try await TestSchema.withStore { one, schema in
        let other = try PostgresStore.open(schema.url)
        do {
            try await body(one, other, schema)
        } catch {
            await other.close()
            throw error
        }
        await other.close()
    }
}

/// The changes that an observer is notified of, one at a time.
final class ObservedChanges: Sendable {
    private let changes = NIOLockedValueBox<[StoreChange]>([])

    init(of store: some Store) {
        store.observe { [changes] more in changes.withLockedValue { $0 += more } }
    }

    /// The next change, as soon as it is notified; `nil` when there is none for minutes.
    func next() async throws -> StoreChange? {
        for _ in 0..<75_000 {
            let next = changes.withLockedValue { $0.isEmpty ? nil : $0.removeFirst() }
            if let next { return next }
            try await Task.sleep(for: .milliseconds(4))
        }
        return nil
    }
}
#endif
