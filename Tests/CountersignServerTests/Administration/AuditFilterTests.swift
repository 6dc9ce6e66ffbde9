import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("A filter of the audit", .server)
struct AuditFilterTests {
    let server = TestServer.current
    private let anna = TestPerson.anna.subject
    private let bert = TestPerson.bert.subject

    /// Writes 1,200 entries, each sixth of which locks Anna, and returns the number of the entry before them.
    private func write() async throws -> Int {
        let now = server.clock.date
        let head = try await server.store.read { try $0.audit.head() }
        try await server.change { [anna, bert] repositories in
            for number in 0..<1_200 {
                try Audit(repositories).record(
                    AuditEntry.Facts(
                        at: now, number % 3 == 0 ? .personLocked : .personUnlocked, by: .operator,
                        subject: number % 2 == 0 ? anna : bert))
            }
        }
        return head.number
    }

    @Test func `finds the latest entries, and those that follow a number`() async throws {
        let start = try await write()
        let filter = AuditFilter(actPrefix: "person.lo", subject: anna)
        let (latest, first, next) = try await server.store.read { repositories in
            let (latest, next) = try filter.entries(before: .max, limit: 2, in: repositories)
            return (latest, try filter.entries(after: start, limit: 150, in: repositories), next)
        }
        #expect(latest.map(\.number) == [start + 1_195, start + 1_189])
        #expect(next == start + 1_189)
        #expect(first.map(\.number) == (0..<150).map { start + 1 + 6 * $0 })
    }

    @Test func `finds all that it looks for, and stops at the number of entries that it may search`() async throws {
        let start = try await write()
        let filter = AuditFilter(actPrefix: "person.lo", subject: anna)
        let (all, few) = try await server.store.read { repositories in
            (
                try filter.entries(before: .max, limit: 1_000, in: repositories),
                try AuditFilter(actPrefix: "nothing").entries(before: .max, limit: 1, searching: 700, in: repositories)
            )
        }
        #expect(all.found.count == 200 && all.next == nil)
        #expect(few.found.isEmpty && few.next == start + 201)
    }

    @Test func `names people by their names, and those who are gone by their subjects`() async throws {
        let names = [TestPerson.bert.subject.rawValue, "bert", "nobody"]
        let found = try await server.store.read { repositories in
            try names.map { try AuditFilter.subject($0, in: repositories) }
        }
        #expect(found == [bert, bert, nil])
    }
}
