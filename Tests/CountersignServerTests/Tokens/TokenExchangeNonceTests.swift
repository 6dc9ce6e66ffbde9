import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The nonce of an ID token that is exchanged")
struct TokenExchangeNonceTests {
    private let nonce = SubjectTokenNonce(revealing: "what-only-the-app-has")

    /// Opens a server that lets the TV and the console exchange tokens that keep a rule.
    private func open(
        _ rule: TokenExchangeNonceRule,
        _ test: @escaping @Sendable (TestProvider) async throws -> Void
    ) async throws {
        try await TestProvider.open(editing: { $0.editOpenID { $0.exchangeNonce = rule } }) { provider in
            try await provider.server.change(.tv) { $0.grantTypes.append(.tokenExchange) }
            try await provider.connect()
            try await test(provider)
        }
    }

    private func exchange(
        _ token: String,
        with nonce: SubjectTokenNonce?,
        at provider: TestProvider,
        as client: TestClients = .tv
    ) async throws -> TestResponse {
        var request = TokenExchangeRequest(SubjectToken(revealing: token), of: .idToken)
        request.nonce = nonce
        return try await provider.server.post("/token", TokenRequest.tokenExchange(request).form.with(client.form))
    }

    private func issued(at provider: TestProvider, to client: TestClients = .tv) async throws -> SubjectTokenNonce {
        let answer = try await provider.server.post("/exchange/nonce", client.form)
        #expect(answer.status == .ok && answer.headers[.cacheControl] == "no-store")
        let message = try answer.json(ExchangeNonceResponse.self)
        #expect(message.expiresIn == 600)
        return message.nonce
    }

    /// The forms of the nonce that an app may have given to the provider.
    private func spellings(of nonce: SubjectTokenNonce) -> [String] { [nonce.revealed] + nonce.challenges }

    @Test func `is the nonce or its digest, and the client has it`() async throws {
        try await open(.matching) { provider in
            for spelling in spellings(of: nonce) {
                let token = try await provider.idToken(nonce: spelling)
                #expect(try await exchange(token, with: nonce, at: provider).status == .ok, "\(spelling)")
            }
        }
    }

    @Test(arguments: [TokenExchangeNonceRule.matching, .hashed, .unchecked])
    func `is refused when it is another`(rule: TokenExchangeNonceRule) async throws {
        try await open(rule) { provider in
            let token = try await provider.idToken(nonce: nonce.challenge)
            let other = SubjectTokenNonce(revealing: "another")
            #expect(try await exchange(token, with: other, at: provider).error == .invalidRequest)
            // The challenge is not what it was made of.
            let stolen = SubjectTokenNonce(revealing: nonce.challenge)
            let answer = try await exchange(token, with: stolen, at: provider)
            #expect(answer.status == (rule == .hashed ? .badRequest : .ok))
        }
    }

    @Test func `is not left out where the token has one, nor presented where it has none`() async throws {
        try await open(.matching) { provider in
            let with = try await provider.idToken(nonce: nonce.challenge)
            #expect(try await exchange(with, with: nil, at: provider).error == .invalidRequest)
            let without = try await provider.idToken()
            #expect(try await exchange(without, with: nonce, at: provider).error == .invalidRequest)
            // Neither was used up by that.
            #expect(try await exchange(with, with: nonce, at: provider).status == .ok)
            #expect(try await exchange(without, with: nil, at: provider).status == .ok)
        }
    }

    @Test(arguments: [TokenExchangeNonceRule.hashed, .issued])
    func `is needed where the operator demands it`(rule: TokenExchangeNonceRule) async throws {
        try await open(rule) { provider in
            for claim in [nil, nonce.challenge] {
                let token = try await provider.idToken(nonce: claim)
                let answer = try await exchange(token, with: nil, at: provider)
                #expect(answer.status == .badRequest && answer.error == .invalidRequest)
            }
        }
    }

    @Test func `makes a stolen token worthless where its digest is demanded`() async throws {
        try await open(.hashed) { provider in
            let token = try await provider.idToken(nonce: nonce.challenge)
            for guess in [nonce.challenge, nonce.challenges[1], "", "x"] {
                let stolen = SubjectTokenNonce(revealing: guess)
                #expect(try await exchange(token, with: stolen, at: provider).status == .badRequest, "\(guess)")
            }
            let plain = try await provider.idToken(nonce: nonce.revealed)
            #expect(try await exchange(plain, with: nonce, at: provider).error == .invalidRequest)
            #expect(try await exchange(token, with: nonce, at: provider).status == .ok)
            #expect(try await exchange(token, with: nonce, at: provider).error == .invalidRequest)
        }
    }

    @Test func `may be left out for software that keeps it to itself`() async throws {
        try await open(.unchecked) { provider in
            let token = try await provider.idToken(nonce: "drawn by the provider's own software")
            #expect(try await exchange(token, with: nil, at: provider).status == .ok)
        }
    }

    @Test func `counts once when the server gave it`() async throws {
        try await open(.issued) { provider in
            let given = try await issued(at: provider)
            let first = try await provider.idToken(nonce: given.challenge)
            let second = try await provider.idToken(nonce: given.challenge)
            #expect(try await exchange(first, with: given, at: provider).status == .ok)
            // Another token of the same person, and the same nonce.
            #expect(try await exchange(second, with: given, at: provider).error == .invalidRequest)
            let next = try await issued(at: provider)
            #expect(next.revealed != given.revealed)
            let third = try await provider.idToken(nonce: next.challenges[1])
            #expect(try await exchange(third, with: next, at: provider).status == .ok)
        }
    }

    @Test(arguments: 1...4)
    func `counts once for all who present it together`(round: Int) async throws {
        try await open(.issued) { provider in
            let given = try await issued(at: provider)
            var tokens: [String] = []
            for _ in 1...10 { tokens.append(try await provider.idToken(nonce: given.challenge)) }
            let good = try await withThrowingTaskGroup(of: Bool.self) { group in
                for token in tokens {
                    group.addTask { try await exchange(token, with: given, at: provider).status == .ok }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(good == 1)
        }
    }

    @Test func `is of no use to another client, made up, changed or too old`() async throws {
        try await open(.issued) { provider in
            let given = try await issued(at: provider)
            let token = try await provider.idToken(nonce: given.challenge)
            #expect(try await exchange(token, with: given, at: provider, as: .console).error == .invalidRequest)
            let own = try await provider.idToken(nonce: nonce.challenge)
            #expect(try await exchange(own, with: nonce, at: provider).error == .invalidRequest)
            // The time, the random number and the code behind it.
            let places = [8, 20, 40].map { given.revealed.index(given.revealed.startIndex, offsetBy: $0) }
            let changes = places.map { place in
                let digit = given.revealed[place] == "x" ? "y" : "x"
                return given.revealed[..<place] + digit + given.revealed[given.revealed.index(after: place)...]
            }
            for changed in changes.map(String.init) + [given.revealed + "AAAA", String(given.revealed.dropLast(4))] {
                let other = SubjectTokenNonce(revealing: changed)
                let made = try await provider.idToken(nonce: other.challenge)
                #expect(try await exchange(made, with: other, at: provider).error == .invalidRequest, "\(changed)")
            }
            #expect(try await exchange(token, with: given, at: provider).status == .ok)
            let late = try await issued(at: provider)
            for clock in [provider.server.clock, provider.clock] { clock.advance(by: .seconds(601)) }
            let fresh = try await provider.idToken(nonce: late.challenge)
            #expect(try await exchange(fresh, with: late, at: provider).error == .invalidRequest)
        }
    }

    @Test func `is no longer than it must be, and goes with ID tokens alone`() async throws {
        try await open(.matching) { provider in
            let long = SubjectTokenNonce(revealing: String(repeating: "n", count: 257))
            let token = try await provider.idToken(nonce: long.challenge)
            #expect(try await exchange(token, with: long, at: provider).error == .invalidRequest)
            var request = TokenExchangeRequest(SubjectToken(revealing: "a"), of: .accessToken)
            request.nonce = nonce
            let form = try TokenRequest.tokenExchange(request).form.with(TestClients.tv.form)
            #expect(try await provider.server.post("/token", form).error == .invalidRequest)
        }
    }

    @Test func `is given to clients that may exchange, and that authenticate`() async throws {
        try await open(.issued) { provider in
            let other = try await provider.server.post("/exchange/nonce", TestClients.radio.form)
            #expect(other.error == .unauthorizedClient)
            let unknown = try await provider.server.post("/exchange/nonce", ["client_id": "nobody"])
            #expect(unknown.status == .unauthorized && unknown.error == .invalidClient)
            let wrong = try await provider.server.post(
                "/exchange/nonce", ["client_id": TestClients.console.id.rawValue, "client_secret": "wrong"])
            #expect(wrong.error == .invalidClient)
            #expect(try await provider.server.get("/exchange/nonce").status == .methodNotAllowed)
            // With credentials in the header there is nothing to say in a body.
            let console = TestClients.console
            let basic = PresentedCredentials.basicHeader(client: console.id, secret: try #require(console.secret))
            let given = try await provider.server.send(.post, "/exchange/nonce", headers: [.authorization: basic])
            #expect(given.status == .ok)
        }
    }
}
