#if PostgreSQL
import Countersign
import CountersignPostgres
import CountersignServer
import PostgresUnderTest
import Testing

@Suite("What a PostgreSQL store counts", .enabled(if: PostgresCases.areRun, Comment(rawValue: PostgresCases.need)))
struct StoreMetricsTests {
    @Test func `is each commit with its changes, each snapshot and each failure`() async throws {
        try await TestSchema.with { schema in
            let metrics = PrometheusMetrics()
            let store = try PostgresStore.open(schema.url, measuring: metrics)
            for number in 0..<3 { try await store.add("\(number)") }
            #expect(try await store.has("1"))
            try PostgresStore.run("DROP TABLE access_tokens", at: schema.url)
            await #expect(throws: (any Error).self) { try await store.add("late") }
            for _ in 0..<2 { await #expect(throws: (any Error).self) { try await store.has("1") } }
            await store.close()

            let text = metrics.text()
            for line in [
                "commit_changes_count 3", "commit_changes_sum 3", "commit_duration_seconds_count 3",
                "snapshot_reads_count 3", #"failures_total{operation="change"} 1"#,
                #"failures_total{operation="read"} 2"#,
            ] {
                #expect(text.contains("\ncountersign_store_\(line)\n"), "\(line)")
            }
        }
    }

    @Test func `is no change that was refused for what it asked`() async throws {
        struct Interrupted: Error {}
        let metrics = PrometheusMetrics()
        try await TestSchema.with { schema in
            let store = try PostgresStore.open(schema.url, measuring: metrics)
            let record = token("token")
            await #expect(throws: Interrupted.self) {
                try await store.change {
                    try $0.accessTokens.insert(record)
                    throw Interrupted()
                }
            }
            await store.close()
            #expect(metrics.text().contains("\ncountersign_store_failures_total{operation=\"change\"} 0\n"))
        }
    }
}
#endif
