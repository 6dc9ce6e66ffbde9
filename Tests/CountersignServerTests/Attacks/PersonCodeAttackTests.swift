import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 10027 for the attacks, §6.1.11 for guessing.
@Suite("An attacker of the code that a person types on a screen")
struct PersonCodeAttackTests {
    private static let (home, elsewhere) = (TestScreenByLink.home, TestScreenByLink.elsewhere)

    @Test func `guesses no more than one network may, and delays nobody elsewhere`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let anna = try await server.browser(of: .anna)
            let code = try await anna.newCode()
            var (wrong, delayed) = (0, 0)
            // A guess each second while the code works, and the right one as the last.
            for second in 0..<100 {
                let guess = PersonCode(revealing: "\(10_000_000 + second)")
                guard guess != code else { continue }
                let answer = try await server.ask(typing: guess, from: Self.elsewhere)
                if answer.status == .tooManyRequests { delayed += 1 } else { wrong += 1 }
                #expect(answer.error == .invalidGrant || answer.headers[.retryAfter] != nil)
                server.clock.advance(by: .seconds(1))
            }
            let limit = LimitRule.guessPerAddress.declaration.standard
            #expect(wrong <= limit.most / 2 + 3 && wrong + delayed >= 99)
            #expect(try await server.ask(typing: code, from: Self.elsewhere).status == .tooManyRequests)
            // The code is not used up, and works where nobody guessed.
            #expect(try await server.ask(typing: code, from: Self.home).status == .ok)
        }
    }

    @Test func `raises the alarm from many networks`() async throws {
        try await TestScreenByLink.behindProxy(configuring: {
            $0.limits[.userCodeOverall] = Limit(20, in: 60)
        }) { server in
            for number in 0..<20 {
                let guess = PersonCode(revealing: "\(10_000_000 + number)")
                let answer = try await server.ask(typing: guess, from: "2001:db8:\(number + 1)::1")
                #expect(answer.error == .invalidGrant)
            }
            let line = "countersign_limits_flooded_total{limit=\"user-code-overall\"} 1"
            #expect(server.metrics.text().contains(line))
        }
    }

    @Test(.server) func `gets nothing by a link that a person opens`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        // Opening the page makes no code, and no other site sends its form.
        _ = try await anna.get("activate/code?person_code=12345678")
        let forged = try await anna.post("activate/code", [:], headers: [.secFetchSite: "cross-site"])
        #expect(forged.status != .ok && forged.location == nil)
        #expect(try await server.rows(of: "person_codes") == 0)
        // A link to the attacker's own request starts none of the person's, and has the proof of a link at most.
        let codes = try await server.ask()
        _ = try await anna.post("activate", ["user_code": codes.userCode.rawValue, "by_link": "1"])
        let stored = try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest) }
        let evidence = stored?.exchange.taking(at: server.clock.date)?.evidence
        #expect(evidence?.proofs.contains(.personCodeTyped) != true)
    }

    /// A person told the code to the attacker, who typed it: the last line of defence is what the phone shows.
    @Test(arguments: ["deny", "approve"])
    func `is seen on the phone, from where they ask`(decision: String) async throws {
        try await TestScreenByLink.behindProxy { server in
            let anna = try await server.browser(of: .anna)
            let code = try await anna.newCode()
            let answer = try await server.ask(typing: code, deviceName: "Anna’s TV", from: Self.elsewhere)
            let codes = try answer.json(DeviceAuthorizationResponse.self)
            let id = try #require(try await anna.startedRequest())
            let page = try await server.get(
                server.path("activate/confirm?request=\(id)"),
                headers: [.cookie: anna.cookie, .xForwardedFor: Self.home])
            #expect(page.text.contains(Self.elsewhere))
            #expect(page.text.contains("Not the address that you have now."))
            #expect(page.text.contains("Did you type your code on this screen yourself?"))
            try await anna.answer(decision, request: id)
            #expect(try await server.poll(codes).error == (decision == "deny" ? .accessDenied : nil))
            // Whatever was answered, the code is used up.
            #expect(try await server.ask(typing: code, from: Self.home).error == .invalidGrant)
        }
    }

    @Test(.server) func `cannot take the request of another person's code`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        let codes = try await server.asked(typing: try await anna.newCode())
        let id = try #require(try await anna.startedRequest())
        let bert = try await server.browser(of: .bert)
        let typed = try await bert.take(codes)
        #expect(typed.status == .unprocessableContent)
        #expect(try await bert.post("activate", ["request": id.rawValue]).status == .unprocessableContent)
        #expect(try await bert.get("activate/confirm?request=\(id)").location == "/activate")
        try await bert.answer("approve", request: id)
        #expect(try await server.poll(codes).error == .authorizationPending)
    }

    @Test(.server) func `gets nothing once the person is locked`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        let codes = try await server.asked(typing: try await anna.newCode())
        let id = try #require(try await anna.startedRequest())
        try await server.lock(.anna)
        try await anna.answer("approve", request: id)
        #expect(try await server.poll(codes).error == .authorizationPending)
    }
}
