import CountersignTesting
import Countersign
import CountersignSQLite
import CountersignWire
import GRDB
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A store that cannot be used", .server)
struct ServiceErrorTests {
    let server = TestServer.current

    /// A failure of a database.
    enum InjectedFailure: String, Sendable, CaseIterable {
        case readOnly, closed

        func happen(to server: TestServer) async throws {
            switch self {
            case .closed:
                try await server.store.close()
            case .readOnly:
                try await server.store.pool.write { try $0.execute(sql: "PRAGMA query_only = ON") }
            }
        }
    }

    @Test(arguments: InjectedFailure.allCases)
    func `is told to programs as something that passes, and why only in the log`(mishap: InjectedFailure) async throws {
        let codes = try await server.ask()
        try await mishap.happen(to: server)
        let answer = try await server.post("/device_authorization", TestClients.tv.form)
        #expect(answer.status == .serviceUnavailable && answer.error == .temporarilyUnavailable)
        #expect(answer.headers[.retryAfter] == "5")
        #expect(!answer.text.lowercased().contains("sql") && !answer.text.contains("database"))
        #expect(try await server.get("/health/ready").status == .serviceUnavailable)
        // A request that needs no change is still answered, from what is remembered.
        let poll = try await server.poll(codes)
        #expect(poll.error == .authorizationPending)
    }

    @Test(arguments: InjectedFailure.allCases)
    func `is told to people on a page`(mishap: InjectedFailure) async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        try await mishap.happen(to: server)
        let answer = try await anna.post("activate", ["user_code": codes.userCode.rawValue])
        #expect(answer.status == .serviceUnavailable)
        #expect(answer.headers[.retryAfter] == "5")
        #expect(answer.text.contains("Not for the moment"))
    }

    @Test func `is over for a load balancer as soon as changes go again`() async throws {
        let ready = "/health/ready"
        _ = try await server.browser(of: .anna)
        try await InjectedFailure.readOnly.happen(to: server)
        #expect(try await server.post("/device_authorization", TestClients.tv.form).status == .serviceUnavailable)
        #expect(try await server.get(ready).status == .serviceUnavailable)
        try await server.store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = OFF") }
        server.clock.advance(by: .seconds(1))
        #expect(try await server.get(ready).status == .ok)
    }

    @Test func `is a full disk, too, and it goes on once there is room`() async throws {
        let pages = try await server.store.pool.write { database in
            try database.execute(sql: "CREATE TABLE ballast (bytes BLOB)")
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            return try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(pages)") ?? 0
        }
        var refused: TestResponse?
        for _ in 0..<200 where refused == nil {
            let answer = try await server.post("/device_authorization", TestClients.tv.form)
            if answer.status != .ok { refused = answer }
        }
        #expect(refused?.error == .temporarilyUnavailable)
        try await server.store.pool.write { database in
            _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(pages + 1000)")
        }
        let answer = try await server.post("/device_authorization", TestClients.tv.form)
        #expect(answer.status == .ok)
        #expect(server.metrics.text().contains(#"countersign_store_failures_total{operation="change"} 1"#))
    }
}
