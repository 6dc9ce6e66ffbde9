import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("Maintenance", .server)
struct MaintenanceTests {
    let server = TestServer.current

    @Test func `removes what has ended, and only that`() async throws {
        _ = try await server.ask()
        let tokens = try await server.signedIn()
        _ = try await server.refresh(tokens.refreshToken)
        let maintenance = server.maintenance()
        let rows = try await server.dump()
        try await maintenance.sweep()
        #expect(try await server.dump() == rows)

        server.clock.advance(by: .seconds(3_601))
        try await maintenance.sweep()
        #expect(try await server.rows(of: "access_tokens") == 0)
        #expect(try await server.rows(of: "exchanges") == 2)
        #expect(try await server.rows(of: "refresh_tokens") == 1)

        server.clock.advance(by: .seconds(3_900))
        try await maintenance.sweep()
        #expect(try await server.rows(of: "exchanges") == 0)
        #expect(try await server.rows(of: "browser_sessions") == 1)

        server.clock.advance(by: .seconds(12 * 3600))
        try await maintenance.sweep()
        #expect(try await server.rows(of: "browser_sessions") == 0)
        #expect(try await server.rows(of: "sign_ins") == 1)

        server.clock.advance(by: .seconds(30 * 86_400))
        try await maintenance.sweep()
        #expect(try await server.rows(of: "sign_ins") == 0)
        #expect(try await server.rows(of: "refresh_tokens") == 0)
        #expect(try await server.rows(of: "clients") == TestClients.allCases.count)
        #expect(try await server.rows(of: "people") == TestPerson.allCases.count)
    }

    @Test func `removes devices that are nobody's after a week`() async throws {
        let now = server.clock.date
        try await server.change { repositories in
            for (name, subject) in [("nobody's", nil), ("anna's", TestPerson.anna.subject)] {
                try repositories.devices.insert(
                    EnrolledDevice(
                        id: DeviceRegistration.ID(name), dialect: .shared, subject: subject, signIn: nil,
                        created: now))
            }
        }
        server.clock.advance(by: .seconds(7 * 86_400))
        try await server.maintenance().sweep()
        #expect(try await server.rows(of: "devices") == 2)
        server.clock.advance(by: .seconds(1))
        try await server.maintenance().sweep()
        #expect(try await server.rows(of: "devices") == 1)
        server.clock.advance(by: .seconds(393 * 86_400))
        try await server.maintenance().sweep()
        #expect(try await server.rows(of: "devices") == 0)
    }

    @Test(arguments: [(-31.0, false), (-30.0, true), (30.0, true), (31.0, false)])
    func `removes nothing while its clock is far from that of the database`(
        difference: Double,
        isClose: Bool
    ) async throws {
        _ = try await server.signedIn()
        server.clock.advance(by: .seconds(3_601))
        let store = ClockedStore(base: server.store, date: server.clock.date + difference)
        try await server.maintenance(on: store).sweep()
        let left = try await server.rows(of: "access_tokens")
        #expect((left == 0) == isClose)
    }

    @Test func `goes on batch by batch until there is no more`() async throws {
        let now = server.clock.date
        try await server.change { repositories in
            for number in 0..<650 {
                try repositories.browserSessions.insert(
                    BrowserSession(
                        cookie: SecretDigest(of: "cookie \(number)"),
                        id: ApproverID("\(number)"),
                        subject: TestPerson.anna.subject,
                        authenticated: now,
                        expires: now + Double(number % 10),
                        lastUsed: now
                    )
                )
            }
        }
        server.clock.advance(by: .seconds(5))
        try await server.maintenance().sweep()
        #expect(try await server.rows(of: "browser_sessions") == 325)
        server.clock.advance(by: .seconds(5))
        try await server.maintenance().sweep()
        #expect(try await server.rows(of: "browser_sessions") == 0)
    }

    @Test(.server(withSigningKeys: false))
    func `comes every minute, and makes the keys that are missing`() async throws {
        _ = try await server.signedIn()
        let maintenance = server.maintenance()
        let running = Task { try await maintenance.run() }
        await server.clock.sleepers(1)
        let keys = try await server.store.read { try $0.serverKeys.all() }
        #expect(Set(keys.map(\.purpose)) == ServerKey.Purpose.made)

        server.clock.advance(by: .seconds(3_601))
        await server.clock.sleepers(1)
        #expect(try await server.rows(of: "access_tokens") == 0)
        running.cancel()
        _ = await running.result
    }
}

/// A store on a machine whose clock stands still.
private struct ClockedStore: ForwardingStore {
    let base: any Store
    let date: Date

    func databaseDate() async throws -> Date? { date }
}
