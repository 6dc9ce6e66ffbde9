import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A machine whose hardware clock is in local time is hours ahead until it is corrected, and so is one that was
/// resumed.
@Suite("A clock that was ahead", .timeLimit(.minutes(10)), .server)
struct ClockAheadTests {
    let server = TestServer.current
    private static let spans: [Double] = [60, 300, 600, 1800, 3000, 3600, 7200, 86_400]

    @Test(arguments: spans)
    func `keeps nobody from signing in with the right password`(ahead: Double) async throws {
        let right = server.clock.date
        server.clock.setDate(right + ahead)
        for _ in 0..<3 { _ = try await server.browser(of: .anna) }
        server.clock.setDate(right + 2)
        for _ in 0..<6 { _ = try await server.browser(of: .anna) }
    }

    /// Every limit, with any number of attempts made while the clock was ahead.
    @Test(arguments: spans)
    func `delays nobody longer than a right clock would`(ahead: Double) async throws {
        let limits = Limits()
        let limiter = StoredRateLimiter(limits: limits, clock: server.clock.source)
        let right = server.clock.date
        for rule in LimitRule.allCases {
            for attempts in [1, 3, 1000] {
                let key = RateLimitKey.address(rule, "192.0.2.\(attempts % 250)")
                guard let limit = limits[key] else { continue }
                server.clock.setDate(right + ahead)
                try await server.change { repositories in
                    for _ in 0..<attempts {
                        guard (try? limiter.admitAndCount([key], in: repositories)) != nil else { break }
                    }
                }
                server.clock.setDate(right)
                let refused = try await server.store.change { repositories -> Int? in
                    do {
                        try limiter.admitAndCount([key], in: repositories)
                        return nil
                    } catch let reached as RateLimitError {
                        return reached.retryAfter
                    }
                }
                guard let refused else { continue }
                let longest =
                    switch rule.declaration.manner {
                    case .delays: LimitRule.longestDelay
                    case .pauses: TextPause(limit).longest
                    case .refuses, .silences, .alarms: Double(limit.seconds)
                    }
                #expect(Double(refused) <= longest + 1, "\(rule.rawValue) after \(attempts)")
            }
        }
    }

    @Test(arguments: spans)
    func `lets a code that was sent to a telephone be typed`(ahead: Double) throws {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let sent = now + ahead
        let code = SentCode(SecretDigest(of: "1"), to: try PhoneNumber("+4915112345678"), sent: sent)
        #expect(code.isLive(at: now))
        #expect(code.isLive(at: sent + 599))
        #expect(!code.isLive(at: sent + 600))
    }

    @Test(arguments: [3600, 86_400, 315_360_000] as [Double])
    func `leaves a key that signs, and its rotation`(ahead: Double) async throws {
        let right = server.clock.date
        server.clock.setDate(right + ahead)
        try await server.change { repositories in
            for key in try repositories.serverKeys.all() { try repositories.serverKeys.remove(key.id) }
        }
        server.server.services.keys.forget()
        _ = try await server.signedIn(.radio)
        server.clock.setDate(right)
        for _ in 0..<2 { try await server.maintenance().rotate() }
        #expect(try await server.signedIn(.radio).idToken != nil)
        let keys = try await server.store.read { try $0.serverKeys.all() }
        #expect(keys.contains { $0.activates <= right + KeyRotation.lead + KeyRotation.overlap })
        server.clock.advance(by: .seconds(KeyRotation.period + KeyRotation.lead + KeyRotation.overlap))
        try await server.maintenance().rotate()
        let later = try await server.store.read { try $0.serverKeys.all() }
        #expect(Set(later.map(\.id)) != Set(keys.map(\.id)))
    }

    @Test(arguments: [3600.0, 86_400])
    func `does not keep what waits for a next attempt waiting`(ahead: Double) async throws {
        let right = server.clock.date
        let device = NewDevice(
            .signIn(Grant.ID("grant")), of: TestPerson.anna.subject, client: TestClients.tv.id, by: .browser,
            added: right)
        try await server.change { repositories in
            let made = right + ahead
            for (name, attempts, due) in [("tried", 2, made + 60), ("new", 0, made)] {
                try repositories.deliveries.insert(
                    Delivery(
                        id: Delivery.ID(name), .newDevice(device), made: made, expires: made + 21_600,
                        attempts: attempts, due: due))
            }
            // One that is meant for later stays.
            try repositories.deliveries.insert(
                Delivery(
                    id: Delivery.ID("later"), .newDevice(device), made: right, expires: right + 21_600,
                    due: right + 7200))
        }
        try await server.maintenance().sweep()
        let due = try await server.store.read { try $0.deliveries.due(in: .calls, at: right, limit: 9) }
        #expect(Set(due.map(\.id.rawValue)) == ["tried", "new"])
    }
}
