import Countersign
import CountersignSQLite
import CountersignServer
import CountersignWire
import Foundation
import GRDB
import NIOConcurrencyHelpers
import StorageCalls
import Testing

@Suite("Every statement of the SQLite store")
struct QueryPlanTests {
    private let directory = TemporaryDirectory()

    @Test func `finds its rows by an index`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        let statements = NIOLockedValueBox<[String]>([])
        try await store.pool.writeWithoutTransaction { writer in
            writer.trace { event in
                if case .statement(let statement) = event { statements.withLockedValue { $0.append(statement.sql) } }
            }
        }
        try await store.change(callEveryMethod)
        try await store.pool.writeWithoutTransaction { $0.trace(options: []) }

        let used = Set(statements.withLockedValue { $0 }).filter {
            !$0.contains("SAVEPOINT") && !$0.contains("TRANSACTION")
        }
        #expect(used.count >= 36)
        for sql in used where sql.contains("WHERE") {
            let plan = try await store.pool.read { reader in
                let explanation = try reader.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
                // The plan does not depend on the values.
                explanation.setUncheckedArguments([])
                return try Row.fetchAll(explanation)
                    .map { $0["detail"] as String }
            }
            if sql.contains("PARTITION BY") {
                // Rows found by an index are ranked for each client.
                #expect(!plan.contains { $0.hasPrefix("SCAN exchanges") }, "\(plan) for \(sql)")
                continue
            }
            // The list of all clients is read in the order of their index.
            for step in plan where step != "SCAN clients USING INDEX clients_of_operator" {
                #expect(!step.hasPrefix("SCAN") && !step.contains("TEMP B-TREE"), "\(step) in \(sql)")
            }
        }
        try await store.close()
    }
}
