import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

/// Standard: RFC 6749 §6, RFC 9700 §4.14.2.
@Suite("A refresh token", .server)
struct RefreshGrantTests {
    let server = TestServer.current

    @Test func `is replaced by a new pair`() async throws {
        let first = try await server.signedIn()
        let answer = try await server.refresh(first.refreshToken)
        let second = try answer.json(TokenResponse.self)

        #expect(answer.status == .ok)
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(second.refreshToken != nil && second.refreshToken != first.refreshToken)
        #expect(second.accessToken != first.accessToken)
        #expect(second.scope == first.scope)
        #expect(try await server.honours(second.accessToken))
        server.clock.advance(by: .seconds(100))
        #expect(try await server.refresh(second.refreshToken).status == .ok)
    }

    @Test func `keeps the person and the time of signing in`() async throws {
        let first = try await server.signedIn(.radio)
        server.clock.advance(by: .seconds(1000))
        let second = try await server.refresh(first.refreshToken, as: .radio).json(TokenResponse.self)
        let before = try await server.read(try #require(first.idToken).revealed)
        let after = try await server.read(try #require(second.idToken).revealed)

        #expect(after.text("sub") == before.text("sub"))
        #expect(after.number("auth_time") == before.number("auth_time"))
        #expect(after.number("iat") == before.number("iat").map { $0 + 1000 })
    }

    @Test func `gets the same answer again, byte for byte, for ten seconds`() async throws {
        let token = try await server.signedIn().refreshToken
        let answer = try await server.refresh(token)
        for _ in 0..<3 {
            server.clock.advance(by: .seconds(3))
            let again = try await server.refresh(token)
            #expect(again.status == .ok)
            #expect(again.body == answer.body)
            #expect(again.headers == answer.headers)
        }
        let tokens = try answer.json(TokenResponse.self)
        #expect(try await server.honours(tokens.accessToken))
        #expect(try await server.refresh(tokens.refreshToken).status == .ok)
    }

    /// Standard: RFC 6749 §6.
    @Test func `gets no answer again for another scope, and loses nothing by asking`() async throws {
        let token = try await server.signedIn().refreshToken
        var form = try TestClients.tv.form.with([
            "grant_type": "refresh_token", "refresh_token": token?.revealed ?? "", "scope": "profile",
        ])
        let answer = try await server.post("/token", form)
        #expect(try await server.post("/token", form).body == answer.body)
        for scope in ["openid", "admin"] {
            form["scope"] = scope
            #expect(try await server.post("/token", form).error == .invalidScope)
        }
        let tokens = try answer.json(TokenResponse.self)
        #expect(try await server.refresh(tokens.refreshToken).status == .ok)
    }

    @Test func `gets one answer, however many ask at once`() async throws {
        let token = try await server.signedIn().refreshToken
        let bodies = try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let answer = try await server.refresh(token)
                    #expect(answer.status == .ok)
                    return answer.body
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(bodies.count == 50)
        #expect(Set(bodies).count == 1)
        #expect(try await server.rows(of: "refresh_tokens") == 1)
        let successor = try JSONDecoder().decode(TokenResponse.self, from: Data(bodies[0].readableBytesView))
        #expect(try await server.refresh(successor.refreshToken).status == .ok)
    }

    @Test func `whose successor was used ends its family, however soon it comes again`() async throws {
        let first = try await server.signedIn()
        let second = try await server.refresh(first.refreshToken).json(TokenResponse.self)
        // The answer to the first is repeated until the second is used.
        #expect(try await server.refresh(first.refreshToken).status == .ok)
        let third = try await server.refresh(second.refreshToken).json(TokenResponse.self)

        #expect(try await server.refresh(first.refreshToken).error == .invalidGrant)
        for tokens in [second, third] {
            #expect(try await !server.honours(tokens.accessToken))
            #expect(try await server.refresh(tokens.refreshToken).error == .invalidGrant)
        }
    }

    @Test func `leaves no answer in the database but that to the newest`() async throws {
        let first = try await server.signedIn()
        let second = try await server.refresh(first.refreshToken).json(TokenResponse.self)
        #expect(try await server.refresh(second.refreshToken).status == .ok)
        #expect(try await server.rows(of: "repeatable_answers") == 1)
    }

    @Test func `that is used again later ends its whole family`() async throws {
        let first = try await server.signedIn()
        let second = try await server.refresh(first.refreshToken).json(TokenResponse.self)
        let third = try await server.refresh(second.refreshToken).json(TokenResponse.self)
        server.clock.advance(by: .seconds(10))

        let reused = try await server.refresh(first.refreshToken)
        #expect(reused.status == .badRequest)
        #expect(reused.error == .invalidGrant)
        for tokens in [first, second, third] {
            #expect(try await !server.honours(tokens.accessToken))
            #expect(try await server.refresh(tokens.refreshToken).error == .invalidGrant)
        }
    }

    @Test func `that was replaced long ago is still recognised`() async throws {
        let first = try await server.signedIn()
        let second = try await server.refresh(first.refreshToken).json(TokenResponse.self)
        server.clock.advance(by: .seconds(60))
        try await server.maintenance().sweep()
        #expect(try await server.refresh(first.refreshToken, from: "198.51.100.9").error == .invalidGrant)
        #expect(try await server.refresh(second.refreshToken).error == .invalidGrant)
    }

    @Test func `is worth nothing to another client, and stays good`() async throws {
        let token = try await server.signedIn(.tv).refreshToken
        #expect(try await server.refresh(token, as: .radio).error == .invalidGrant)
        #expect(try await server.refresh(token, as: .console).error == .invalidGrant)
        #expect(try await server.refresh(token, as: .robot).error == .unauthorizedClient)
        #expect(try await server.refresh(token, as: .tv).status == .ok)
        server.clock.advance(by: .seconds(60))
        #expect(try await server.refresh(token, as: .radio).error == .invalidGrant)
    }

    @Test func `can be used for less, and then for all again`() async throws {
        let first = try await server.signedIn(scope: "openid profile play")
        let less = try await server.refresh(first.refreshToken, scope: "play").json(TokenResponse.self)
        #expect(less.scope?.description == "play")
        #expect(less.idToken == nil)
        let all = try await server.refresh(less.refreshToken).json(TokenResponse.self)
        #expect(all.scope?.description == "openid profile play")
    }

    @Test(arguments: ["email play", "email", "admin"])
    func `cannot be used for more than was granted`(scope: String) async throws {
        let first = try await server.signedIn(scope: "openid profile")
        let answer = try await server.refresh(first.refreshToken, scope: scope)
        #expect(answer.status == .badRequest)
        #expect(answer.error == .invalidScope)
        #expect(try await server.refresh(first.refreshToken).status == .ok)
    }

    @Test func `ends when nobody used it for its lifetime`() async throws {
        let month: Duration = .seconds(30 * 86_400)
        let first = try await server.signedIn()
        server.clock.advance(by: month - .seconds(1))
        let second = try await server.refresh(first.refreshToken).json(TokenResponse.self)
        server.clock.advance(by: month)
        #expect(try await server.refresh(second.refreshToken).error == .invalidGrant)
    }

    @Test func `has one row for its whole family, however often it is used`() async throws {
        var tokens = try await server.signedIn()
        let first = tokens.refreshToken
        for _ in 1...20 { tokens = try await server.refresh(tokens.refreshToken).json(TokenResponse.self) }
        #expect(try await server.rows(of: "refresh_tokens") == 1)
        // The first one is still known as one that was replaced, and ends the family.
        #expect(try await server.refresh(first).error == .invalidGrant)
        #expect(try await server.refresh(tokens.refreshToken).error == .invalidGrant)
        #expect(try await !server.honours(tokens.accessToken))
    }

    @Test func `with the beginning of another, and an end of its own, ends that family`() async throws {
        // It must have seen one of the tokens.
        let tokens = try await server.signedIn()
        let family = try #require(tokens.refreshToken).revealed.prefix(43)
        let forged = RefreshToken(revealing: family + String(repeating: "A", count: 43))
        #expect(try await server.refresh(forged).error == .invalidGrant)
        #expect(try await server.refresh(tokens.refreshToken).error == .invalidGrant)
    }

    @Test(arguments: ["", "unknown", "é"])
    func `must be one of the server's`(text: String) async throws {
        let answer = try await server.refresh(RefreshToken(revealing: text))
        #expect(answer.status == .badRequest)
        #expect(answer.error == (text.isEmpty ? .invalidRequest : .invalidGrant))
    }
}
