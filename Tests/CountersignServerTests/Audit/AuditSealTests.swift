import Countersign
import CountersignSQLite
import CountersignTesting
import Foundation
import Logging
import NIOConcurrencyHelpers
import Testing

@testable import CountersignServer

@Suite("The sealed head of the audit")
struct AuditSealTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private var extent: AuditExtent {
        let head = AuditPosition(number: 7, hash: AuditHash(restoring: [UInt8](repeating: 7, count: 32)))
        return AuditExtent(first: 3, oldest: now - 60, head: head)
    }

    @Test func `says the same as when it was signed, by the private key and by its public half`() throws {
        let key = AuditSealKey()
        let sealed = try key.seal(extent, at: now)
        for pem in [key.pem, key.publicPEM] {
            let read = try AuditSealKey.Verifier(pem: pem).head(in: sealed)
            #expect(read.number == 7)
            #expect(read.hash == "\(extent.head.hash)")
            #expect(read.first == 3)
            #expect(read.oldest == now - 60)
            #expect(read.sealed == now)
        }
    }

    @Test func `is refused when a character of it was changed, or another key signed it`() throws {
        let key = AuditSealKey()
        let sealed = try key.seal(extent, at: now)
        let verifier = try AuditSealKey.Verifier(pem: key.publicPEM)
        for place in sealed.indices where sealed[place] != "." {
            var changed = sealed
            changed.replaceSubrange(place...place, with: sealed[place] == "A" ? "B" : "A")
            #expect(throws: AuditSealKey.SealError.notSealed) { try verifier.head(in: changed) }
        }
        let other = try AuditSealKey().seal(extent, at: now)
        #expect(throws: AuditSealKey.SealError.notSealed) { try verifier.head(in: other) }
        #expect(throws: AuditSealKey.SealError.notSealed) { try verifier.head(in: "") }
    }

    @Test(arguments: ["", "nonsense", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
    func `needs a key on P-256 as PEM`(pem: String) {
        #expect(throws: AuditSealKey.SealError.noKey) { try AuditSealKey(pem: pem) }
        #expect(throws: AuditSealKey.SealError.noKey) { try AuditSealKey.Verifier(pem: pem) }
    }

    @Test(arguments: [10, 20, 25])
    func `tells that entries were removed before their time`(count: Int) async throws {
        try await withSealedAudit { server, sealed in
            let later = server.clock.date + 30
            // Whoever can write the database can do as a sweep does.
            #expect(try await server.store.change { try $0.audit.sweep(before: .distantFuture, limit: count) } == count)
            let anchor = try await server.store.read { repositories in
                _ = try Audit(repositories).verify()
                return try repositories.audit.anchor()
            }
            #expect(throws: AuditError.cut(count)) {
                try sealed.verify(beginningAfter: anchor, keptFor: 86_400, at: later)
            }
        }
    }

    @Test func `takes entries for swept that were old enough`() async throws {
        try await withSealedAudit { server, sealed in
            let anchor = try await server.store.read { try $0.audit.anchor() }
            try sealed.verify(beginningAfter: anchor, keptFor: 86_400, at: server.clock.date)
            server.clock.advance(by: .seconds(86_400))
            let now = server.clock.date
            #expect(
                try await server.store.change { try Audit($0).sweep(before: now - 86_400, at: now, limit: 10) } == 10)
            let swept = try await server.store.read { try $0.audit.anchor() }
            try sealed.verify(beginningAfter: swept, keptFor: 86_400, at: now)
        }
    }

    /// Runs `body` with a head that was sealed after twenty entries, before ten more of the next hour.
    private func withSealedAudit(
        _ body: @Sendable (TestServer, AuditSealKey.SealedHead) async throws -> Void
    ) async throws {
        try await TestServer.open(withSigningKeys: false) { server in
            let record: @Sendable (Int) async throws -> Void = { count in
                let facts = AuditEntry.Facts(at: server.clock.date, .loggedIn, by: .person)
                try await server.store.change { repositories in
                    for _ in 0..<count { try Audit(repositories).record(facts) }
                }
            }
            let before = try await server.store.read { try $0.audit.head() }.number
            try await record(20 - before)
            let now = server.clock.date
            let key = AuditSealKey()
            let sealed = try key.seal(try await server.store.read { try Audit($0).extent(at: now) }, at: now)
            server.clock.advance(by: .seconds(3_600))
            try await record(10)
            try await body(server, try AuditSealKey.Verifier(pem: key.publicPEM).head(in: sealed))
        }
    }

    @Test func `is logged when the audit has grown, and once`() async throws {
        try await TestServer.open { server in
            let log = AuditHeadLog(
                of: server.store, sealedBy: AuditSealKey(), clock: server.clock.source, logger: Logger(label: "test"))
            let before = await log.log(unlessItIs: nil)
            _ = try await server.signedIn()
            let after = await log.log(unlessItIs: before)
            #expect(after != before)
            #expect(after == (try await server.store.read { try $0.audit.head() }))
            #expect(await log.log(unlessItIs: after) == after)
        }
    }

    @Test func `is logged at the start, after an hour, and at the end`() async throws {
        try await TestServer.open { server in
            let (clock, lines) = (ManualClock(), NIOLockedValueBox<[Logger.Metadata]>([]))
            let key = AuditSealKey()
            let log = AuditHeadLog(
                of: server.store,
                sealedBy: key,
                clock: clock.source,
                logger: Logger(label: "test") { _ in Collecting(lines: lines) }
            )
            _ = try await server.signedIn()
            let running = Task { await log.run() }
            // It sleeps once it has logged.
            await clock.sleepers()
            #expect(lines.withLockedValue { $0.count } == 1)
            clock.advance(by: .seconds(3600))
            await clock.sleepers()
            #expect(lines.withLockedValue { $0.count } == 1)

            _ = try await server.signedIn()
            clock.advance(by: .seconds(3599))
            #expect(lines.withLockedValue { $0.count } == 1)
            clock.advance(by: .seconds(1))
            await clock.sleepers()
            #expect(lines.withLockedValue { $0.count } == 2)

            _ = try await server.signedIn()
            running.cancel()
            await running.value
            let logged = lines.withLockedValue { $0 }
            #expect(logged.count == 3)
            let verifier = try AuditSealKey.Verifier(pem: key.publicPEM)
            let head = try await server.store.read { try $0.audit.head() }
            let sealed = try verifier.head(in: "\(try #require(logged.last?["sealed"]))")
            #expect(sealed.number == head.number && sealed.hash == "\(head.hash)")
        }
    }

    private struct Collecting: LogHandler {
        let lines: NIOLockedValueBox<[Logger.Metadata]>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            guard event.message == "the audit ends here", let metadata = event.metadata else { return }
            lines.withLockedValue { $0.append(metadata) }
        }
    }
}
