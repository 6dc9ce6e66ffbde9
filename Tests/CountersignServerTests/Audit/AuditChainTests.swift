import Countersign
import Foundation
import Testing

@testable import CountersignServer

@Suite("The chain of the audit")
struct AuditChainTests {
    private let entries: [AuditEntry]

    init() {
        var entries: [AuditEntry] = []
        for number in 0..<5 {
            let facts = AuditEntry.Facts(
                at: Date(timeIntervalSince1970: 1_800_000_000 + Double(number)),
                .taken,
                by: .client,
                client: ClientID("client-\(number)")
            )
            entries.append(AuditEntry(facts, after: entries.last?.place ?? .beginning))
        }
        self.entries = entries
    }

    private func follow(_ entries: [AuditEntry], from anchor: AuditPosition = .beginning) throws -> AuditChain {
        var chain = AuditChain(from: anchor)
        for entry in entries { try chain.follow(entry) }
        return chain
    }

    @Test func `is sound as it was written`() throws {
        let chain = try follow(entries)
        #expect(chain.place == entries[4].place)
        try chain.end(at: entries[4].place)
    }

    @Test func `may begin after what was swept`() throws {
        try follow(Array(entries.dropFirst(2)), from: entries[1].place).end(at: entries[4].place)
    }

    @Test(arguments: 0..<4)
    func `shows that an entry was removed`(index: Int) {
        var entries = entries
        entries.remove(at: index)
        #expect(throws: AuditError.missing(index + 1)) { try follow(entries) }
    }

    @Test func `shows that the last entries were removed`() throws {
        let chain = try follow(Array(entries.dropLast(2)))
        #expect(throws: AuditError.missing(4)) { try chain.end(at: entries[4].place) }
    }

    @Test func `shows that entries changed places`() {
        var entries = entries
        entries.swapAt(1, 2)
        #expect(throws: AuditError.missing(2)) { try follow(entries) }
    }

    @Test(arguments: [
        AuditEntry.Facts(
            at: Date(timeIntervalSince1970: 1_800_000_002.5), .approved, by: .client, client: ClientID("client-2")),
        AuditEntry.Facts(
            at: Date(timeIntervalSince1970: 1_800_000_002), .approved, by: .client, client: ClientID("client-2")),
        AuditEntry.Facts(
            at: Date(timeIntervalSince1970: 1_800_000_002), .approved, by: .server, client: ClientID("client-2")),
        AuditEntry.Facts(
            at: Date(timeIntervalSince1970: 1_800_000_002), .approved, by: .client, client: ClientID("client-3")),
        AuditEntry.Facts(at: Date(timeIntervalSince1970: 1_800_000_002), .approved, by: .client),
        AuditEntry.Facts(
            at: Date(timeIntervalSince1970: 1_800_000_002), .approved, by: .client, client: ClientID("client-2"),
            detail: ""),
    ])
    func `shows that an entry was changed`(facts: AuditEntry.Facts) {
        var entries = entries
        let old = entries[2]
        entries[2] = AuditEntry(restoring: old.number, facts, previous: old.previous, hash: old.hash)
        #expect(throws: AuditError.changed(3)) { try follow(entries) }

        // With its own hash put right, it no longer fits the entry after it.
        entries[2] = AuditEntry(facts, after: entries[1].place)
        #expect(throws: AuditError.notLinked(4)) { try follow(entries) }
    }

    @Test func `shows that the last entry was replaced`() throws {
        let forged = AuditEntry(entries[0].facts, after: entries[3].place)
        let chain = try follow(Array(entries.dropLast()) + [forged])
        #expect(throws: AuditError.headMismatch(5)) { try chain.end(at: entries[4].place) }
    }

    /// The hash is part of what is stored, so it must never come out differently. Computed by another program.
    @Test func `hashes as the first version did`() {
        let facts = AuditEntry.Facts(
            at: Date(timeIntervalSinceReferenceDate: 1.5),
            .approved,
            by: .person,
            subject: Subject("s"),
            client: ClientID("c"),
            request: SignInRequest.ID("r"),
            address: "192.0.2.1",
            detail: "d"
        )
        let expected = "5e360c05e3c76cf3813fb07d04c6a5756f0b4cb4de61e029cd04cfc88d3bb306"
        #expect("\(AuditEntry(facts, after: .beginning).hash)" == expected)
    }
}
