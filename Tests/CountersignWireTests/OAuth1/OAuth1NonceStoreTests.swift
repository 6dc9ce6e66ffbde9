import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import Testing

@testable import CountersignWire

/// Standard: RFC 5849 §3.3.
@Suite("A store of nonces of OAuth 1")
struct OAuth1NonceStoreTests {
    private let clock = ManualClock()
    private let keys = OAuth1VerificationKeys(clientSecret: RFC5849.client.secret)

    /// A table as several processes share it; it can be switched off.
    private actor Table: OAuth1NonceStore {
        struct Unreachable: Error {}

        private(set) var rows: [SecretDigest: Date] = [:]
        var isReachable = true

        func set(reachable: Bool) { isReachable = reachable }

        func use(_ nonce: OAuth1NonceUse, at now: Date) throws -> OAuth1NonceAnswer {
            guard isReachable else { throw Unreachable() }
            rows = rows.filter { $0.value >= now }
            guard rows[nonce.digest] == nil else { return .used }
            rows[nonce.digest] = nonce.expires
            return .new
        }
    }

    private func verifier(over table: Table) -> OAuth1Verifier {
        OAuth1Verifier(
            accepting: [.hmacSHA256, .plaintext], rememberingIn: table, clock: clock.source
        ) { [keys] client, _ in client == RFC5849.client.client ? keys : nil }
    }

    private func signed(seed: UInt64 = 1, by signing: OAuth1Signer.Signing = .hmacSHA256) throws -> SignedOAuth1Request
    {
        let signer = OAuth1Signer(
            as: RFC5849.client, by: signing, clock: clock.source, drawingFrom: SeededRandom(seed: seed).source)
        return try signer.sign(OAuth1Request(.get, "https://photos.example.net/"))
    }

    @Test func `refuses at each node what another one accepted`() async throws {
        let table = Table()
        let (first, second) = (verifier(over: table), verifier(over: table))
        let made = try signed()
        _ = try await first.verify(made.request, authorization: made.header)
        for node in [first, second] {
            await #expect(throws: OAuth1Error(.usedNonce, because: "")) {
                try await node.verify(made.request, authorization: made.header)
            }
        }
        let next = try signed(seed: 2)
        _ = try await second.verify(next.request, authorization: next.header)
    }

    @Test func `lets one of many at once pass, at whichever node`() async throws {
        let table = Table()
        let nodes = (0..<4).map { _ in verifier(over: table) }
        let made = try signed()
        let accepted = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<40 {
                group.addTask {
                    (try? await nodes[index % 4].verify(made.request, authorization: made.header)) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(accepted == 1)
    }

    @Test func `may forget a request as soon as its time alone refuses it`() async throws {
        let table = Table()
        let node = verifier(over: table)
        let made = try signed()
        _ = try await node.verify(made.request, authorization: made.header)
        clock.advance(by: .seconds(301))
        await #expect(throws: OAuth1Error(.staleTimestamp, because: "")) {
            try await node.verify(made.request, authorization: made.header)
        }
        let next = try signed(seed: 3)
        _ = try await node.verify(next.request, authorization: next.header)
        #expect(await table.rows.count == 1)
    }

    @Test func `is not asked about what was not verified`() async throws {
        let table = Table()
        let node = verifier(over: table)
        let made = try signed()
        let other = try OAuth1Request(.get, "https://photos.example.net/other")
        await #expect(throws: OAuth1Error(.unauthorized, because: "")) {
            try await node.verify(other, authorization: made.header)
        }
        #expect(await table.rows.isEmpty)
    }

    @Test func `lets nothing pass when it cannot be asked`() async throws {
        let table = Table()
        let node = verifier(over: table)
        let made = try signed()
        await table.set(reachable: false)
        await #expect(throws: Table.Unreachable.self) {
            try await node.verify(made.request, authorization: made.header)
        }
        await table.set(reachable: true)
        _ = try await node.verify(made.request, authorization: made.header)
    }

    @Test func `tells requests apart by client, token, time and nonce`() throws {
        func use(_ signed: SignedOAuth1Request) throws -> OAuth1NonceUse {
            try #require(
                try UnverifiedOAuth1Request(signed.request, authorization: signed.header)
                    .verified(by: keys, accepting: [.hmacSHA256], at: clock.date).nonce)
        }
        let first = try use(signed())
        #expect(try use(signed()) == first)
        #expect(try use(signed(seed: 2)).digest != first.digest)
        #expect(first.expires == clock.date + 300 && first.earliest == clock.date - 300)
        clock.advance(by: .seconds(1))
        #expect(try use(signed()).digest != first.digest)
    }
}
