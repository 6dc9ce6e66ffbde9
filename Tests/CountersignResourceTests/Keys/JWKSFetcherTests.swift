import Countersign
import CountersignRequester
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignResource

@Suite("The keys of an issuer")
struct JWKSFetcherTests {
    let provider = ScriptedProvider()
    let clock = ManualClock()
    let keys: JWKSFetcher<TokenCheckError>
    let first = TokenSigner(id: JSONWebKey.ID("first")).publicKey
    let second = TokenSigner(id: JSONWebKey.ID("second")).publicKey

    init() throws {
        let endpoint = try Endpoint("https://id.example.com/jwks")
        keys = JWKSFetcher(Provider(endpoint: endpoint, transport: provider, timeout: .seconds(5)))
    }

    private func publish(_ keys: JSONWebKey...) {
        provider.network.reply(at: "/jwks", with: .json(JSONWebKeySet(keys: keys)))
    }

    private func key(_ id: String?) async throws -> JSONWebKey? {
        try await keys.key(for: .es256, named: id.map { JSONWebKey.ID($0) }, at: clock.date)?.published
    }

    /// Asks until the keys that are fetched meanwhile are there.
    private func until(_ id: String?, is expected: JSONWebKey?) async throws {
        while try await key(id) != expected { await Task.yield() }
    }

    private var fetches: Int { provider.network.sent().count }

    @Test func `are fetched once and kept`() async throws {
        publish(first)
        for _ in 1...3 { #expect(try await key("first") == first) }
        #expect(fetches == 1)
    }

    @Test func `are looked for again at once when a token names a new one`() async throws {
        publish(first)
        #expect(try await key("first") == first)
        publish(first, second)
        #expect(try await key("second") == second)
        #expect(fetches == 2)
    }

    /// An issuer whose second answer waits until it is let go.
    private actor SlowIssuer {
        private let answers: [JSONWebKeySet]
        private var asked = 0
        private var (arrived, held) = ([CheckedContinuation<Void, Never>](), CheckedContinuation<Void, Never>?.none)

        init(_ answers: JSONWebKeySet...) { self.answers = answers }

        func keys() async -> JSONWebKeySet {
            asked += 1
            guard asked > 1 else { return answers[0] }
            await withCheckedContinuation { caller in
                held = caller
                for waiting in arrived { waiting.resume() }
                arrived = []
            }
            return answers[1]
        }

        func isAsked() async {
            guard held == nil else { return }
            await withCheckedContinuation { arrived.append($0) }
        }

        func letGo() { held?.resume() }
    }

    @Test func `are known to all whose token comes while they are fetched`() async throws {
        let issuer = SlowIssuer(JSONWebKeySet(keys: [first]), JSONWebKeySet(keys: [first, second]))
        let keys = JWKSFetcher(before: TokenCheckError(.unreachable, because: "")) { () async throws(TokenCheckError) in
            await issuer.keys()
        }
        let now = clock.date
        let earlier = now.addingTimeInterval(-0.001)
        #expect(try await keys.key(for: .es256, named: first.keyID, at: now)?.published == first)
        async let one = keys.key(for: .es256, named: second.keyID, at: now)
        await issuer.isAsked()
        // This one reads its time earlier than the fetch began.
        async let other = keys.key(for: .es256, named: second.keyID, at: earlier)
        for _ in 0..<100 { await Task.yield() }
        await issuer.letGo()
        let found = try await [one, other].map { $0?.published }
        #expect(found == [second, second])
    }

    @Test func `are not fetched for each key that somebody makes up`() async throws {
        publish(first)
        #expect(try await key("first") == first)
        for number in 1...50 { #expect(try await key("made-up-\(number)") == nil) }
        #expect(fetches == 2)
        clock.advance(by: .seconds(10))
        #expect(try await key("made-up") == nil)
        #expect(fetches == 3)
        #expect(try await key("first") == first)
    }

    @Test func `are one fetch for a token with an unknown key that comes first`() async throws {
        publish(first)
        #expect(try await key("made-up") == nil)
        #expect(fetches == 1)
    }

    @Test func `are looked for again when they are old, and a key that is gone counts no more`() async throws {
        publish(first)
        #expect(try await key("first") == first)
        publish(second)
        clock.advance(by: .seconds(299))
        #expect(try await key("first") == first)
        clock.advance(by: .seconds(1))
        // The first caller does not wait for the new ones.
        #expect(try await key("first") == first)
        try await until("first", is: nil)
        #expect(try await key("second") == second)
        // The new keys once, and once more for the key that is not among them.
        #expect(fetches == 3)
    }

    @Test func `are looked for again while their callers go on with the old ones, for an hour at most`() async throws {
        publish(first)
        #expect(try await key("first") == first)
        // This fetch never ends.
        provider.network.reply(at: "/jwks", with: .silence)
        clock.advance(by: .seconds(300))
        for _ in 1...3 { #expect(try await key("first") == first) }
        clock.advance(by: .seconds(3299))
        #expect(try await key("first") == first)
        #expect(fetches <= 2)
    }

    @Test func `serve for an hour while the issuer cannot be reached`() async throws {
        publish(first)
        #expect(try await key("first") == first)
        provider.network.reply(at: "/jwks", with: .failure(TransportError(.notReached, because: "a test")))
        clock.advance(by: .seconds(3599))
        #expect(try await key("first") == first)
        clock.advance(by: .seconds(1))
        await #expect(throws: TokenCheckError(.unreachable, because: "")) { try await key("first") }
    }

    @Test func `that are not known make no token bad while the issuer cannot be reached`() async throws {
        publish(first)
        #expect(try await key("first") == first)
        provider.network.reply(at: "/jwks", with: .status(.serviceUnavailable))
        for _ in 1...3 { await #expect(throws: TokenCheckError(.busy, because: "")) { try await key("second") } }
        #expect(fetches == 2)
        #expect(try await key("first") == first)
        clock.advance(by: .seconds(3))
        await #expect(throws: TokenCheckError(.busy, because: "")) { try await key("second") }
        #expect(fetches == 3)
        publish(second)
        clock.advance(by: .seconds(2))
        #expect(try await key("second") == second)
    }

    @Test func `are asked for again soon after a failure, but not at once`() async throws {
        provider.network.reply(at: "/jwks", with: .status(.internalServerError))
        for _ in 1...3 { await #expect(throws: TokenCheckError(.unreachable, because: "")) { try await key("first") } }
        #expect(fetches == 1)
        publish(first)
        clock.advance(by: .seconds(2))
        #expect(try await key("first") == first)
        #expect(fetches == 2)
    }

    @Test(arguments: ["", "[]", "{}", #"{"keys":{}}"#, "<html>"])
    func `are none in an answer that is no key set`(body: String) async throws {
        provider.network.reply(at: "/jwks", with: .text(body, type: "application/json"))
        await #expect(throws: TokenCheckError(.badAnswer, because: "")) { try await key("first") }
    }

    @Test func `are not taken when they are too many`() async throws {
        provider.network.reply(
            at: "/jwks",
            with: .json(JSONWebKeySet(keys: Array(repeating: first, count: JWKSCache.mostKeys + 1)))
        )
        await #expect(throws: TokenCheckError(.badAnswer, because: "")) { try await key("first") }
    }

    @Test func `without a name serve while only one fits`() async throws {
        publish(first)
        #expect(try await key(nil) == first)
        publish(first, second)
        clock.advance(by: .seconds(300))
        try await until(nil, is: nil)
    }
}
