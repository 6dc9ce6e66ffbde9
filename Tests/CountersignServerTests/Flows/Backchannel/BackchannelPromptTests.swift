import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Requests over the back channel as a person sees them, and the facts that a client learns about people.
@Suite("A person whom clients name", .server)
struct BackchannelPromptTests {
    let server = TestServer.current

    @Test func `sees who asks, with the message, and decides on the usual page`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let anna = try await server.browser(of: .anna)
        #expect(try await anna.question() == nil)
        _ = try await client.asked(["binding_message": "Order 42 <b>"])
        for page in ["account", "activate"] {
            let text = try await anna.get(page).text
            #expect(text.contains("The desk") && text.contains("Order 42 &lt;b&gt;"), "\(page)")
        }
        let page = try await anna.openQuestion().text
        #expect(page.contains("Order 42 &lt;b&gt;") && page.contains("It named you"))
        #expect(!page.contains("Not the address that you have now."))
        let bert = try await server.browser(of: .bert)
        #expect(try await bert.question() == nil)
    }

    @Test func `cannot open the request of another person`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        _ = try await client.asked()
        let id = try #require(try await server.browser(of: .anna).question())
        let bert = try await server.browser(of: .bert)
        #expect(try await bert.post("activate", ["request": id]).status == .unprocessableContent)
    }

    @Test func `sees one request at a time, the oldest first`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        for number in 1...3 {
            _ = try await client.asked(["binding_message": "number \(number)"])
            server.clock.advance(by: .seconds(1))
        }
        let anna = try await server.browser(of: .anna)
        for number in 1...3 {
            let page = try await anna.get("account").text
            #expect(page.contains("number \(number)") && !page.contains("number \(number + 1)"))
            try await anna.answerQuestion("deny")
        }
        #expect(try await anna.question() == nil)
    }

    /// THREATS: prompts by the hundred until one is approved.
    @Test func `is called ten times in ten minutes at most, and no client learns of it`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        var members: Set<Set<String>> = []
        var calls = 0
        for _ in 0..<100 {
            let answer = try await client.ask()
            #expect(answer.status == .ok)
            members.insert(answer.members)
            let asked = try answer.json(BackchannelAuthenticationResponse.self)
            if try await client.calls(asked) { calls += 1 }
        }
        #expect(members.count == 1 && calls == 10)
        // The newest twenty wait for them, called or not.
        #expect(try await server.waiting(for: .anna) == 20)
        server.clock.advance(by: .seconds(601))
        #expect(try await client.calls(try await client.asked()))
        #expect(try await server.waiting(for: .anna) == 1)
    }

    @Test func `is called by the others when one client has asked too often, and by all together twenty times`()
        async throws
    {
        let client = try await TestBackchannelClient.add(to: server)
        let clients = [client] + ["bank", "shop"].map { TestBackchannelClient(server: server, name: $0) }
        for other in clients.dropFirst() { try await other.register() }
        var calls: [Int] = []
        for client in clients {
            calls.append(try await client.callsOfFifteenQuestions())
        }
        #expect(calls == [10, 10, 0])
        #expect(try await server.waiting(for: .anna) == 45)
        // Questions that called nobody do not count: the shop waits for the person's span alone.
        server.clock.advance(by: .seconds(601))
        #expect(try await clients[2].callsOfFifteenQuestions() == 10)
        let limits = try await server.audited(.limitReached).map(\.detail)
        #expect(limits.count { $0 == "question-per-account 20/600" } == 1)
        #expect(limits.count { $0 == "question-per-source 10/600" } == 3)
    }

    @Test func `asks the person whose e-mail address is the hint`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        _ = try await client.asked(["login_hint": "Anna@example.org"])
        #expect(try await server.waiting(for: .anna) == 1)
    }

    @Test(arguments: [
        "nobody", "bert", "bert@example.org", "nobody@example.org", "no such\u{7}name",
        String(repeating: "x", count: 3000),
    ])
    func `is not told apart from nobody`(hint: String) async throws {
        let client = try await TestBackchannelClient.add(to: server)
        try await server.lock(.bert)
        let real = try await client.ask()
        let fake = try await client.ask(["login_hint": hint])
        #expect(fake.status == real.status && fake.members == real.members)
        #expect(fake.headers[.contentType] == real.headers[.contentType])
        let asked = try fake.json(BackchannelAuthenticationResponse.self)
        #expect(asked.expiresIn == 300 && asked.interval == 5)
        #expect(try await client.poll(asked).error == .authorizationPending)
        #expect(try await client.poll(asked).error == .slowDown)
        server.clock.advance(by: .seconds(300))
        #expect(try await client.poll(asked).error == .expiredToken)
    }

    @Test func `is told apart where the operator lets a client know`() async throws {
        let client = try await TestBackchannelClient.add(
            to: server, editing: { $0.backchannel.revealsUnknownPeople = true })
        let answer = try await client.ask(["login_hint": "nobody"])
        #expect(answer.status == .badRequest && answer.error == .unknownUserID)
        #expect(try await client.ask().status == .ok)
    }

    @Test func `may undo an approval, and the client gets nothing`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let asked = try await client.asked()
        let anna = try await server.browser(of: .anna)
        let result = try await anna.answerQuestion("approve")
        let page = try await server.get(result.location ?? "", headers: [.cookie: anna.cookie])
        _ = try await anna.post("account/undo", ["grant": page.field("grant")])
        #expect(try await client.poll(asked).error == .accessDenied)
    }
}

extension TestBackchannelClient {
    /// Asks fifteen times, and returns how many of the questions called the person.
    fileprivate func callsOfFifteenQuestions() async throws -> Int {
        var calls = 0
        for _ in 0..<15 {
            let question = try await asked()
            if try await self.calls(question) { calls += 1 }
        }
        return calls
    }
}
