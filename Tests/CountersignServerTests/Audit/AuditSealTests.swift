import Countersign
import CountersignSQLite
import CountersignTesting
import Foundation
import Logging
import Testing

@testable import CountersignServer

@Suite("The sealed head of the audit")
struct AuditSealTests {
    private let head = AuditPosition(number: 7, hash: AuditHash(restoring: [UInt8](repeating: 7, count: 32)))
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `says the same as when it was signed, by the private key and by its public half`() throws {
        let key = AuditSealKey()
        let sealed = try key.seal(head, at: now)
        for pem in [key.pem, key.publicPEM] {
            let read = try AuditSealKey.Verifier(pem: pem).head(in: sealed)
            #expect(read.number == 7)
            #expect(read.hash == "\(head.hash)")
            #expect(read.sealed == now)
        }
    }

    @Test func `is refused when a character of it was changed, or another key signed it`() throws {
        let key = AuditSealKey()
        let sealed = try key.seal(head, at: now)
        let verifier = try AuditSealKey.Verifier(pem: key.publicPEM)
        for place in sealed.indices where sealed[place] != "." {
            var changed = sealed
            changed.replaceSubrange(place...place, with: sealed[place] == "A" ? "B" : "A")
            #expect(throws: AuditSealKey.Problem.notSealed) { try verifier.head(in: changed) }
        }
        let other = try AuditSealKey().seal(head, at: now)
        #expect(throws: AuditSealKey.Problem.notSealed) { try verifier.head(in: other) }
        #expect(throws: AuditSealKey.Problem.notSealed) { try verifier.head(in: "") }
    }

    @Test(arguments: ["", "nonsense", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
    func `needs a key on P-256 as PEM`(pem: String) {
        #expect(throws: AuditSealKey.Problem.noKey) { try AuditSealKey(pem: pem) }
        #expect(throws: AuditSealKey.Problem.noKey) { try AuditSealKey.Verifier(pem: pem) }
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
}
