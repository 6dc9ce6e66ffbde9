import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 10027 §6.1.15, §6.1.16.
@Suite("A code that a person types on a screen", .server)
struct PersonCodeTests {
    let server = TestServer.current

    private func request(_ codes: DeviceAuthorizationResponse) async throws -> SignInExchangeRecord {
        try #require(try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest) })
    }

    /// The request of the script on the page with a code.
    private func waiting(at browser: TestBrowser, for code: PersonCode) async throws -> TestResponse {
        var headers: HTTPFields = [.cookie: browser.cookie, .prefer: "wait=25"]
        headers[.ifNoneMatch] = code.pageTag
        return try await server.get(server.path("activate/code"), headers: headers)
    }

    @Test func `signs the screen in after its person approved`() async throws {
        let anna = try await server.browser(of: .anna)
        #expect(try await anna.get("activate").text.contains("Show a code to type on the screen"))
        let code = try await anna.newCode()
        #expect(code.revealed.utf8.count == 8)
        let answer = try await server.ask(typing: code, deviceName: "Kitchen TV")
        let codes = try answer.json(DeviceAuthorizationResponse.self)
        #expect(UserCode(parsing: codes.userCode.rawValue) != nil && codes.interval == 5)
        #expect(try await server.poll(codes).error == .authorizationPending)

        let id = try #require(try await anna.startedRequest())
        let page = try await anna.get("activate/confirm?request=\(id)").text
        #expect(page.contains("Your code was typed on a screen, which asks to be signed in as you."))
        #expect(page.contains("Kitchen TV") && !page.contains(codes.userCode.rawValue))
        // No mute stops what a person starts themselves.
        #expect(!page.contains(#"value="mute""#))
        #expect(try await anna.answer("approve", request: id).location?.hasPrefix("/activate/result?") == true)
        server.clock.advance(by: .seconds(5))
        #expect(try await server.poll(codes).status == .ok)
        let proofs = try await request(codes).exchange.grant?.evidence.proofs ?? []
        #expect(proofs.contains(.personCodeTyped) && !proofs.contains(.codeTyped))
        let history = try await anna.get("account/request?id=\(id)").text
        #expect(history.contains("<li>the person’s own code, typed on the screen</li>"))
        let taken = try #require(try await server.audited(.taken).last)
        #expect(taken.detail?.hasSuffix("by a code of the person") == true)
    }

    @Test func `is shown again by the same browser, and by no other`() async throws {
        let anna = try await server.browser(of: .anna)
        let code = try await anna.newCode()
        #expect(try await anna.shownCode() == code)
        let other = try await server.browser(of: .anna)
        #expect(try await other.shownCode() == nil)
        #expect(try await server.browser(of: .bert).shownCode() == nil)
        let page = try await anna.get("activate/code")
        #expect(page.text.contains(#"<noscript><meta http-equiv="refresh" content="5"></noscript>"#))
        let policy = try #require(page.headers[.contentSecurityPolicy])
        #expect(page.text.contains("data-waits=\"&quot;\(code.revealed)&quot;\""))
        #expect(policy.hasSuffix("; script-src 'self'; connect-src 'self'"))
        #expect(try await !anna.get("activate").text.contains("http-equiv"))
    }

    @Test func `is no more than a link to a person who is not signed in`() async throws {
        let answer = try await server.get("/activate/code")
        #expect(answer.location == "/login?return_to=%2Factivate%2Fcode")
        #expect(try await server.rows(of: "person_codes") == 0)
    }

    @Test func `works once`() async throws {
        let anna = try await server.browser(of: .anna)
        let code = try await anna.newCode()
        _ = try await server.asked(typing: code)
        #expect(try await server.ask(typing: code).error == .invalidGrant)
    }

    @Test func `works for two minutes`() async throws {
        let anna = try await server.browser(of: .anna)
        let code = try await anna.newCode()
        server.clock.advance(by: .seconds(119))
        #expect(try await anna.shownCode() == code)
        server.clock.advance(by: .seconds(1))
        #expect(try await server.ask(typing: code).error == .invalidGrant)
        #expect(try await anna.shownCode() == nil)
        let over = try await anna.get("activate/code").text
        #expect(over.contains("The time of your code is over") && over.contains("Show a code to type on the screen"))
        #expect(!over.contains("http-equiv=\"refresh\""))
        server.clock.advance(by: .seconds(1))
        try await server.maintenance().sweep()
        #expect(try await server.rows(of: "person_codes") == 0)
        #expect(try await !anna.get("activate/code").text.contains("The time of your code is over"))
    }

    @Test func `is replaced by the next one of the same person`() async throws {
        let anna = try await server.browser(of: .anna)
        let first = try await anna.newCode()
        let second = try await server.browser(of: .anna).newCode()
        let bert = try await server.browser(of: .bert).newCode()
        #expect(try await server.rows(of: "person_codes") == 2)
        #expect(try await server.ask(typing: first).error == .invalidGrant)
        #expect(try await anna.shownCode() == nil)
        for code in [second, bert] { _ = try await server.asked(typing: code) }
    }

    /// The wrong, the used, the expired, and that of a person who may not sign in look alike.
    @Test func `is refused for one reason only`() async throws {
        let anna = try await server.browser(of: .anna)
        var answers = [try await server.ask(typing: TestServer.another(than: try await anna.newCode()))]
        let used = try await anna.newCode()
        _ = try await server.asked(typing: used)
        answers.append(try await server.ask(typing: used))
        let expired = try await anna.newCode()
        server.clock.advance(by: .seconds(120))
        answers.append(try await server.ask(typing: expired))
        let locked = try await anna.newCode()
        try await server.lock(.anna)
        answers.append(try await server.ask(typing: locked))
        for answer in answers {
            #expect(answer.status == .badRequest && answer.error == .invalidGrant)
            #expect(answer.text == answers[0].text)
        }
        #expect(try await server.rows(of: "exchanges") == 1)
    }

    @Test(arguments: ["1234567", "123456789", "1234 567a"])
    func `is refused as malformed unless it has eight digits`(text: String) async throws {
        var form = TestClients.tv.form
        form["person_code"] = text
        #expect(try await server.post("/device_authorization", form).error == .invalidRequest)
    }

    @Test func `ends with the sign-out of its browser`() async throws {
        let anna = try await server.browser(of: .anna)
        let code = try await anna.newCode()
        _ = try await anna.confirm("logout")
        #expect(try await server.ask(typing: code).error == .invalidGrant)
    }

    @Test func `is not in the database`() async throws {
        let code = try await server.browser(of: .anna).newCode()
        let bytes = try server.databaseBytes()
        #expect(bytes.range(of: Data(code.revealed.utf8)) == nil)
        #expect(bytes.range(of: Data(code.digest.bytes)) == nil)
    }

    @Test func `leads its page to the decision at once`() async throws {
        let anna = try await server.browser(of: .anna)
        let code = try await anna.newCode()
        async let held = waiting(at: anna, for: code)
        await server.clock.sleepers(1)
        _ = try await server.asked(typing: code)
        #expect(try await held.location?.hasPrefix("/activate/confirm?request=") == true)
        #expect(server.flow(DeviceCodeFlow.self).waiters.count == 0)
    }

    @Test func `lets its page wait no longer than it was asked to, nor than the code works`() async throws {
        let anna = try await server.browser(of: .anna)
        let code = try await anna.newCode()
        async let first = waiting(at: anna, for: code)
        await server.clock.sleepers(1)
        server.clock.advance(by: .seconds(25))
        let unchanged = try await first
        #expect(unchanged.status == .notModified && unchanged.headers[.cacheControl] == "no-store")
        server.clock.advance(by: .seconds(85))
        async let second = waiting(at: anna, for: code)
        await server.clock.sleepers(1)
        server.clock.advance(by: .seconds(10))
        #expect(try await second.text.contains("Show a code to type on the screen"))
    }

    @Test func `leaves its request with the person although nobody looked for a while`() async throws {
        let anna = try await server.browser(of: .anna)
        let codes = try await server.asked(typing: try await anna.newCode())
        let id = try await request(codes).id
        server.clock.advance(by: .seconds(121))
        #expect(try await anna.get("activate/confirm?request=\(id)").location == "/activate")
        let list = try await anna.get("activate").text
        #expect(list.contains("A screen where your code was typed waits for your answer."))
        #expect(list.contains(id.rawValue))
        let taken = try await anna.post("activate", ["request": id.rawValue])
        #expect(taken.location == "/activate/confirm?request=\(id)")
        try await anna.answer("approve", request: id)
        #expect(try await server.poll(codes).status == .ok)
        let proofs = try await request(codes).exchange.grant?.evidence.proofs ?? []
        #expect(proofs.contains(.personCodeTyped) && !proofs.contains(.signedInBefore))
    }

    @Test(.server { $0.minimumEvidence = [ScopeWord("play"): ScopeDemands([.number])] })
    func `leads to the number of the screen at once where the scope demands it`() async throws {
        let anna = try await server.browser(of: .anna)
        let asked = try await server.ask(typing: try await anna.newCode(), scope: "openid play", showingNumbers: true)
        let codes = try asked.json(DeviceAuthorizationResponse.self)
        let id = try #require(try await anna.startedRequest())
        #expect(try await anna.get("activate/confirm?request=\(id)").text.contains("name=\"number\""))
        server.clock.advance(by: .seconds(6))
        let number = try #require(try await server.poll(codes).json(OAuthErrorResponse.self).verificationNumber)
        let without = try await anna.answer("approve", request: id)
        #expect(without.location?.contains("number=wrong") == true, "\(without.location ?? "")")
        let answer: Form = ["request": id.rawValue, "decision": "approve", "number": number.rawValue]
        _ = try await anna.post("activate/decision", answer)
        server.clock.advance(by: .seconds(6))
        #expect(try await server.poll(codes).status == .ok)
        let proofs = try await request(codes).exchange.grant?.evidence.proofs ?? []
        #expect(proofs.contains(.numberMatched) && proofs.contains(.personCodeTyped))
    }

    @Test func `is no proximity`() async throws {
        try await TestServer.open(configuring: {
            $0.minimumEvidence = [ScopeWord("play"): ScopeDemands([.nearby])]
        }) { server in
            let anna = try await server.browser(of: .anna)
            let refused = try await server.ask(typing: try await anna.newCode(), scope: "openid play")
            #expect(refused.error == .unmetAuthenticationRequirements)
            #expect(try await anna.startedRequest() == nil)
        }
    }
}
