import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("Of many who come at once", .server)
struct RacesTests {
    let server = TestServer.current

    @Test(arguments: [TestClients.tv, .radio, .console])
    func `one redeems the grant, and all that are the same client get its one set of tokens`(
        client: TestClients
    ) async throws {
        let codes = try await server.ask(as: client)
        try await server.browser(of: .anna).decide("approve", codes)
        let answers = try await withThrowingTaskGroup(of: TestResponse.self) { group in
            for _ in 0..<200 { group.addTask { try await server.poll(codes, as: client) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(answers.allSatisfy { $0.status == .ok })
        #expect(Set(answers.map(\.body)).count == 1)
        for table in ["sign_ins", "access_tokens", "refresh_tokens"] {
            #expect(try await server.rows(of: table) == 1, "\(table)")
        }
        let tokens = try #require(try answers.first?.json(TokenResponse.self))
        #expect(try await server.honours(tokens.accessToken))
        server.clock.advance(by: .seconds(10))
        #expect(try await server.poll(codes, as: client).error == .invalidGrant)
        #expect(try await server.refresh(tokens.refreshToken, as: client).status == .ok)
    }

    @Test(arguments: [["approve", "deny"], ["deny", "approve"]])
    func `one decides a request`(order: [String]) async throws {
        let anna = try await server.browser(of: .anna)
        for _ in 0..<10 {
            let codes = try await server.ask()
            try await anna.take(codes)
            let answers = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<5 {
                    for decision in order {
                        group.addTask { try await anna.answer(decision, codes).location }
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }

            // One of them counts, and all are shown which.
            let error = try await server.poll(codes).error
            #expect(error == nil || error == .accessDenied)
            #expect(answers.count == 1)
            let location: String? = answers.first ?? nil
            let result = try await anna.get(String(try #require(location).dropFirst()))
            #expect(result.text.contains("<h1>\(error == nil ? "Approved" : "Denied")</h1>"))
        }
        let (approved, denied) = (try await server.audited(.approved), try await server.audited(.denied))
        #expect(approved.count + denied.count == 10)
    }

    @Test func `either an undo or the tokens stand, never both`() async throws {
        let anna = try await server.browser(of: .anna)
        for _ in 0..<10 {
            let codes = try await server.ask()
            let grant = try await anna.approve(codes)
            async let undone = anna.post("account/undo", ["grant": grant.rawValue])
            async let redeemed = server.poll(codes)
            #expect(try await undone.location == "/account?done=undone")
            let answer = try await redeemed
            if answer.status == .ok {
                let tokens = try answer.json(TokenResponse.self)
                #expect(try await !server.honours(tokens.accessToken))
                #expect(try await server.refresh(tokens.refreshToken).error == .invalidGrant)
            } else {
                #expect(answer.error == .accessDenied)
            }
        }
    }

    @Test func `a reuse and a refresh leave nothing good behind`() async throws {
        for _ in 0..<5 {
            let first = try await server.signedIn()
            let second = try await server.refresh(first.refreshToken).json(TokenResponse.self)
            server.clock.advance(by: .seconds(11))
            async let reused = server.refresh(first.refreshToken, from: "198.51.100.9")
            async let next = server.refresh(second.refreshToken)
            #expect(try await reused.error == .invalidGrant)
            let answer = try await next
            if answer.status == .ok {
                #expect(try await !server.honours(answer.json(TokenResponse.self).accessToken))
            }
        }
    }

    @Test func `codes never collide`() async throws {
        let codes = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<200 { group.addTask { try await server.ask().userCode.rawValue } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(codes.count == 200)
    }
}
