import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A way to begin a request for sign-in.
enum WayToStart: String, Sendable, CaseIterable {
    /// `POST /device_authorization`.
    case deviceAuthorization
    /// `POST /cpa/associate`.
    case association

    /// Asks, as a client that is authenticated but may have gone since.
    func start(_ client: Client, at server: TestServer) async throws -> SignInStartOutcome {
        try await server.server.services.starts.start(
            SignInStartRequest(
                client: client,
                provenance: .verified,
                scope: .none,
                domain: self == .association ? TestDomain.radio.name : nil,
                address: "192.0.2.1",
                software: nil
            )
        )
    }

    func client(at server: TestServer) async throws -> Client {
        let id = self == .association ? try await server.newDevice().id : TestClients.tv.id
        return try #require(try await server.store.read { try $0.clients.find(id) })
    }
}

@Suite("A request for sign-in, however it begins")
struct SignInStartServiceTests {
    @Test(arguments: WayToStart.allCases)
    func `is stored under its codes`(way: WayToStart) async throws {
        try await TestServer.withDomains { server in
            let client = try await way.client(at: server)
            guard case .started(let started) = try await way.start(client, at: server), case .code = started.way else {
                Issue.record("not started")
                return
            }
            let stored = try await server.store.read { try $0.exchanges.find(started.deviceCode.digest) }
            #expect(stored?.exchange.request.client.value == client.id)
            #expect(stored?.exchange.state == .open)
        }
    }

    @Test(arguments: WayToStart.allCases)
    func `is refused by policy when its client went meanwhile, and not counted`(way: WayToStart) async throws {
        try await TestServer.withDomains { server in
            let client = try await way.client(at: server)
            try await server.change { _ = try $0.clients.remove(client.id) }
            let counts = try await server.rows(of: "counts")
            guard case .refused(.client(.absent)) = try await way.start(client, at: server) else {
                Issue.record("not refused")
                return
            }
            #expect(try await server.rows(of: "exchanges") == 0)
            #expect(try await server.rows(of: "counts") == counts)
        }
    }

    /// A device registered itself: it counts for its network, since anybody can make as many as they like.
    @Test(arguments: zip(WayToStart.allCases, [LimitRule.startPerClient, .startPerAddress]))
    func `is held to a limit of the client, or of its network`(way: WayToStart, rule: LimitRule) async throws {
        try await TestServer.withDomains(configuring: { $0.limits[rule] = Limit(2, in: 60) }) { server in
            let client = try await way.client(at: server)
            for _ in 0..<2 { _ = try await way.start(client, at: server) }
            let refused = await #expect(throws: RateLimitError.self) { _ = try await way.start(client, at: server) }
            #expect(refused?.cause == .limit(rule))
            #expect(try await server.rows(of: "exchanges") == 2)
        }
    }

    @Test func `for a domain that does not exist leaves nothing behind`() async throws {
        try await TestServer.withDomains { server in
            let client = try await WayToStart.association.client(at: server)
            try await server.change { _ = try $0.domains.remove(TestDomain.radio.name) }
            guard case .unknownDomain = try await WayToStart.association.start(client, at: server) else {
                Issue.record("not unknown")
                return
            }
            #expect(try await server.rows(of: "exchanges") == 0)
        }
    }

    @Test func `that is let in automatically is counted as approved`() async throws {
        try await TestServer.withDomains { server in
            let device = try await server.newDevice()
            try await device.signedIn(.radio)
            #expect(try await device.associated(.news).shape == .automatic)
            let line = #"countersign_sign_ins_decided_total{decision="approved"} 2"#
            #expect(server.metrics.text().contains("\n\(line)\n"))
        }
    }
}
