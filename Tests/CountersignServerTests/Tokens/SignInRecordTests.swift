import Countersign
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("The record of a sign-in")
struct SignInRecordTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func record(ends: Date, revoked: Date? = nil) -> SignInRecord {
        let client = ClientID("tv")
        let grant = Grant(
            id: Grant.ID("grant"),
            subject: Subject("anna"),
            client: client,
            scope: .none,
            evidence: Evidence(),
            approved: now
        )
        let request = SignInRequest(
            id: SignInRequest.ID("request"),
            client: .asserted(client),
            scope: .verified(.none),
            asked: .observed(now),
            deadline: now + 300
        )
        return SignInRecord(
            grant: grant, request: request, signedIn: now, lastUsed: now, ends: ends, revoked: revoked)
    }

    @Test func `is live until its last token has ended`() {
        let record = record(ends: now + 60)
        #expect(record.isLive(at: now))
        #expect(record.isLive(at: now + 59))
        #expect(!record.isLive(at: now + 60))
        #expect(!record.isLive(at: now + 61))
    }

    @Test func `is not live after it was ended before its time`() {
        #expect(!record(ends: now + 60, revoked: now - 1).isLive(at: now))
        // The clock may have been set back since.
        #expect(!record(ends: now + 60, revoked: now + 5).isLive(at: now))
    }

    @Test func `is live for as long as every token after which it was noted`() {
        var record = record(ends: now + 60)
        let end = now + 3600
        let isChanged = record.note(now + 1, until: end)
        #expect(isChanged && record.isLive(at: end - 1))
        #expect(record.isLive(at: end))
    }
}
