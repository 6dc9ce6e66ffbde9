#if PostgreSQL
import Countersign
import CountersignSQL
import CountersignServer
import CountersignWire
import Foundation
import PostgresUnderTest
import StorageCalls
import Testing

@testable import CountersignPostgres

@Suite(
    "Every statement of the PostgreSQL store", .enabled(if: PostgresCases.areRun, Comment(rawValue: PostgresCases.need))
)
struct QueryPlanTests {
    @Test func `can find its rows by an index, in the order that it asks for`() async throws {
        try await TestSchema.withStore { _, schema in
            let address = try DatabaseAddress(schema.url)
            let writer = try PostgresConnection(to: address, as: .writer)
            try writer.run("BEGIN")
            try callEveryMethod(of: SQLRepositories(reading: writer))
            try writer.fetch(everyRow(), into: PrefetchedRows())
            try writer.run("ROLLBACK")

            let planner = try PostgresConnection(to: address, as: .migrator)
            // The tables are empty: what matters is which plans there are.
            try planner.command(
                "SET enable_seqscan = off; SET enable_bitmapscan = off; SET plan_cache_mode = force_generic_plan"
            )
            let used = writer.statements.filter { $0.contains("WHERE") }
            #expect(used.count >= 39)
            for sql in used {
                let values = sql.matches(of: /\$\d+/).map { $0.output }
                let nulls = Array(repeating: "NULL", count: Set(values).count).joined(separator: ", ")
                let list = nulls.isEmpty ? "" : "(\(nulls))"
                try planner.command("PREPARE statement AS \(sql)")
                let plan = try planner.commandAnswer("EXPLAIN (FORMAT JSON) EXECUTE statement\(list)") ?? ""
                try planner.command("DEALLOCATE statement")
                #expect(plan.contains("Index") || plan.contains("Tid Scan"), "\(sql)\n\(plan)")
                // Rows found by an index are ranked for each client, and so sorted.
                let isRanking = sql.contains("PARTITION BY")
                #expect(!plan.contains("Seq Scan") && (isRanking || !plan.contains("\"Sort\"")), "\(sql)\n\(plan)")
            }
        }
    }
}

/// Rows of each kind; three, so that a place is left.
private func everyRow() -> Set<PrefetchedRow> {
    Set(
        ["one", "two", "three"].flatMap { name -> [PrefetchedRow] in
            let family = SecretDigest(of: name)
            return [
                .refreshToken(family: family), .signInOfRefreshToken(family: family),
                .personOfRefreshToken(family: family), .signIn(Grant.ID(name)), .person(Subject(name)),
                .client(ClientID(name)),
            ]
        }
    )
}
#endif
