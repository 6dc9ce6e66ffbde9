import Countersign
import CountersignWire
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("What a server counts", .server)
struct ServerMetricsTests {
    let server = TestServer.current

    @Test(.server(issuer: "http://localhost:8080/a"))
    func `is each request, under the route that answered it`() async throws {
        _ = try await server.ask()
        _ = try await server.post("/a/token", raw: "grant_type=x")
        _ = try await server.send(.put, "/a/token")
        _ = try await server.get("/a/.well-known/openid-configuration?token=secret")
        let text = server.metrics.text()
        for line in [
            #"requests_total{method="POST",route="/device_authorization",status="2xx"} 1"#,
            #"requests_total{method="POST",route="/token",status="4xx"} 1"#,
            #"requests_total{method="other",route="/token",status="4xx"} 1"#,
            #"requests_total{method="GET",route="/.well-known/openid-configuration",status="2xx"} 1"#,
            #"request_duration_seconds_count{route="/token"} 2"#, "requests_in_flight 0",
        ] {
            #expect(text.contains("countersign_http_\(line)\n"), "\(line)")
        }
        #expect(!text.contains("secret"))
    }

    @Test func `is each grant that became tokens, and each decision`() async throws {
        let tokens = try await server.signedIn()
        _ = try await server.refresh(tokens.refreshToken)
        let denied = try await server.ask()
        try await server.browser(of: .bert).decide("deny", denied)
        _ = try await server.poll(denied)
        let text = server.metrics.text()
        for line in [
            #"countersign_tokens_issued_total{grant_type="device_code"} 1"#,
            #"countersign_tokens_issued_total{grant_type="refresh_token"} 1"#,
            #"countersign_tokens_issued_total{grant_type="client_credentials"} 0"#,
            #"countersign_sign_ins_decided_total{decision="approved"} 1"#,
            #"countersign_sign_ins_decided_total{decision="denied"} 1"#,
            "countersign_password_hash_duration_seconds_count 2", "countersign_password_hashes_waiting 0",
        ] {
            #expect(text.contains("\n\(line)\n"), "\(line)")
        }
        #expect(!text.contains("\ncountersign_store_commit_changes_count 0\n"))
        #expect(!text.contains("\ncountersign_store_snapshot_reads_count 0\n"))
    }

    @Test func `is who waits, as long as they wait`() async throws {
        let codes = try await server.ask()
        async let held = server.poll(codes, prefer: "wait=30")
        while !server.metrics.text().contains("\ncountersign_requests_waiting 1\n") { await Task.yield() }
        try await server.browser(of: .anna).decide("approve", codes)
        #expect(try await held.status == .ok)
        let text = server.metrics.text()
        #expect(text.contains("\ncountersign_requests_waiting 0\n"))
        #expect(text.contains("\ncountersign_wait_duration_seconds_count 1\n"))
        #expect(!text.contains(#"request_duration_seconds_count{route="/token"}"#))
    }

    @Test func `is each limit that was hit, by name`() async throws {
        server.server.services.metrics.limitHit(.guessPerAddress)
        server.server.services.metrics.limitHit(.guessPerAddress)
        let line = #"countersign_limits_hit_total{limit="guess-per-address"} 2"#
        #expect(server.metrics.text().contains("\n\(line)\n"))
    }

    @Test func `has a sentence that says what it is`() async throws {
        _ = try await server.signedIn()
        server.server.services.metrics.limitHit(.startOverall)
        let lines = server.metrics.text().split(separator: "\n")
        let names = lines.filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ")[2] }
        #expect(names.count > 15)
        for name in names { #expect(lines.contains { $0.hasPrefix("# HELP \(name) ") }, "\(name)") }
    }

    /// `Scripts/check-metrics.py` compares the documentation, the board and the alerts with the declared labels.
    @Test func `has the labels that are declared`() async throws {
        _ = try await server.signedIn()
        server.server.services.metrics.limitHit(.startOverall)
        server.server.services.metrics.limitFlooded(.startOverall)
        server.server.services.metrics.delivered("mail", "accepted")
        let declared = Dictionary(uniqueKeysWithValues: MetricDescription.all.map { ($0.name, Set($0.labels)) })
        let lines = server.metrics.text().split(separator: "\n").filter { $0.hasPrefix("countersign_") }
        #expect(lines.count > 30)
        for line in lines {
            let series = String(line.prefix { $0 != "{" && $0 != " " })
            let metric = series.replacing(/_(bucket|sum|count)$/, with: "")
            let labels = Set(line.matches(of: /(\w+)="/).map { String($0.1) }).subtracting(["le"])
            #expect(labels == declared[series] ?? declared[metric], "\(line)")
        }
    }
}
