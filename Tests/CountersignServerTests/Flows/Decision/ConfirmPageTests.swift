import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The page that asks for a decision", .server)
struct ConfirmPageTests {
    let server = TestServer.current

    @Test func `is for the browser that took the request, and no other`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        let path = "activate/confirm?user_code=\(codes.userCode)"
        #expect(try await anna.get(path).status == .ok)

        let others = [try await server.browser(of: .anna), try await server.browser(of: .bert)]
        for other in others {
            #expect(try await other.get(path).location == "/activate?user_code=\(codes.userCode)")
        }
    }

    @Test func `tells apart what is verified, seen and merely said`() async throws {
        for (client, provenance) in [(TestClients.tv, "asserted"), (.console, "verified")] {
            let codes = try await server.ask(as: client, scope: "openid play", deviceName: "Kitchen <b>TV</b>")
            let anna = try await server.browser(of: .anna)
            try await anna.take(codes)
            let page = try await anna.get("activate/confirm?user_code=\(codes.userCode)")
            let facts = Markup(page.text).all("div").compactMap { $0.attributes["class"] }
            #expect(facts.first { $0.hasPrefix("fact ") } == "fact \(provenance)")
            #expect(page.text.contains("The \(client.rawValue)"))
            #expect(page.text.contains("Kitchen &lt;b&gt;TV&lt;/b&gt;"))
            #expect(page.text.contains("<code>play</code>"))
            #expect(!page.text.contains("<code>email</code>"))
        }
    }

    @Test func `offers to deny as easily as to approve`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        let page = try await anna.get("activate/confirm?user_code=\(codes.userCode)")
        let buttons = Markup(page.text).all("button").filter { $0.attributes["name"] == "decision" }
        #expect(buttons.map { $0.attributes["value"] } == ["deny", "approve"])
    }

    @Test(arguments: [(119.0, true), (120, false)])
    func `holds a request for two minutes`(after seconds: Double, isHeld: Bool) async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        server.clock.advance(by: .seconds(seconds))
        let page = try await anna.get("activate/confirm?user_code=\(codes.userCode)")
        #expect(page.status == (isHeld ? .ok : .seeOther))
        let answer = try await anna.answer("approve", codes)
        #expect(answer.location?.hasPrefix("/activate/result?") == isHeld)
        if !isHeld { #expect(answer.location == "/activate?user_code=\(codes.userCode)") }
        #expect(try await server.poll(codes).error == (isHeld ? nil : .authorizationPending))
    }

    @Test(arguments: ["approve", "deny"])
    func `refuses the decision of another browser, of the same person too`(decision: String) async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        for other in [try await server.browser(of: .anna), try await server.browser(of: .bert)] {
            let before = try await server.dump()
            let answer = try await other.answer(decision, codes)
            #expect(answer.location == "/activate?user_code=\(codes.userCode)")
            #expect(try await server.dump() == before)
        }
        #expect(try await server.poll(codes).error == .authorizationPending)
        #expect(try await anna.answer("approve", codes).location?.hasPrefix("/activate/result?") == true)
    }

    @Test func `refuses a decision on what nobody took`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        #expect(try await anna.answer("approve", codes).location == "/activate?user_code=\(codes.userCode)")
        #expect(try await server.poll(codes).error == .authorizationPending)
    }

    @Test func `comes too late for an expired code`() async throws {
        let codes = try await server.ask()
        server.clock.advance(by: .seconds(250))
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        server.clock.advance(by: .seconds(50))
        let answer = try await anna.answer("approve", codes)
        #expect(answer.status == .gone)
        #expect(answer.text.contains("Too late"))
        #expect(try await server.poll(codes).error == .expiredToken)
    }

    @Test(arguments: [("approve", "deny", "Approved"), ("deny", "approve", "Denied")])
    func `keeps the first decision, and shows it`(first: String, second: String, heading: String) async throws {
        let anna = try await server.browser(of: .anna)
        let codes = try await server.ask()
        let decided = try await anna.decide(first, codes)
        let answer = try await anna.answer(second, codes)
        #expect(answer.location == decided.location && answer.location?.hasPrefix("/activate/result?") == true)
        let result = try await anna.get(String(try #require(answer.location).dropFirst()))
        #expect(result.text.contains("<h1>\(heading)</h1>"))
        // An approval can still be taken back, as long as its minute runs.
        #expect((result.field("grant") != nil) == (first == "approve"))
        #expect(try await server.poll(codes).error == (first == "approve" ? nil : .accessDenied))
        server.clock.advance(by: .seconds(61))
        let late = try await anna.answer(second, codes)
        #expect(late.location == decided.location)
        let after = try await anna.get(String(try #require(late.location).dropFirst()))
        #expect(after.text.contains("<h1>\(heading)</h1>") && after.field("grant") == nil)
    }

    @Test(arguments: [("approve", "Approved"), ("deny", "Denied")])
    func `ends a double click on the answer, and writes it once`(decision: String, heading: String) async throws {
        let anna = try await server.browser(of: .anna)
        let codes = try await server.ask()
        let first = try await anna.decide(decision, codes)
        let before = try await server.dump()
        let second = try await anna.answer(decision, codes)
        #expect(second.location == first.location)
        #expect(try await anna.get(String(try #require(second.location).dropFirst())).text.contains(heading))
        #expect(try await server.dump() == before)
        let entries = try await server.audited(.approved) + server.audited(.denied)
        #expect(entries.count == 1)
        let counted = #"countersign_sign_ins_decided_total{decision="\#(heading.lowercased())"} 1"#
        #expect(server.metrics.text().contains("\n\(counted)\n"))

        // After the screen has its tokens the same answer still stands.
        _ = try await server.poll(codes)
        #expect(try await anna.answer(decision, codes).location == first.location)
    }

    @Test(arguments: ["approve", "deny"])
    func `tells nothing of a decision to another person who answers`(decision: String) async throws {
        let codes = try await server.ask()
        try await server.browser(of: .anna).decide("approve", codes)
        let answer = try await server.browser(of: .bert).answer(decision, codes)
        #expect(answer.location == "/activate?user_code=\(codes.userCode)")
    }

    @Test(arguments: [nil, "", "yes", "APPROVE", "approve deny"])
    func `takes no answer but the two`(decision: String?) async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        var form: Form = ["user_code": codes.userCode.rawValue]
        form["decision"] = decision
        #expect(try await anna.post("activate/decision", form).status == .forbidden)
        #expect(try await server.poll(codes).error == .authorizationPending)
    }

    @Test func `does not tell who has not taken a code whether it exists`() async throws {
        let (anna, bert) = (try await server.browser(of: .anna), try await server.browser(of: .bert))
        let (waiting, taken, decided) = (try await server.ask(), try await server.ask(), try await server.ask())
        let expired = try await server.ask(as: .radio)
        try await bert.take(taken)
        try await bert.decide("approve", decided)
        server.clock.advance(by: .seconds(125))
        for code in [waiting, taken, decided, expired].map(\.userCode.rawValue) + ["BBBB-BBBB"] {
            let answer = try await anna.post("activate/decision", ["user_code": code, "decision": "approve"])
            #expect(answer.location == server.path("activate?user_code=\(code)"))
        }
    }

    @Test func `takes nothing that is no code`() async throws {
        let anna = try await server.browser(of: .anna)
        let form: Form = ["user_code": "nonsense", "decision": "approve"]
        #expect(try await anna.post("activate/decision", form).status == .forbidden)
    }
}
