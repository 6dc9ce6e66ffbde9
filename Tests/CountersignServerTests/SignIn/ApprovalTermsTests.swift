import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("What a request may be approved with")
struct ApprovalTermsTests {
    @Test(.server) func `is fixed when it is made, whatever the settings say later`() async throws {
        let server = TestServer.current
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        // As if it had been made while the server demanded two factors.
        try await server.change { repositories in
            var stored = try #require(try repositories.exchanges.find(codes.deviceCode.digest))
            #expect(stored.terms.demands == ScopeDemands.none)
            stored.terms = ApprovalTerms(demands: ScopeDemands([.secondFactor]))
            try repositories.exchanges.update(stored)
        }
        try await anna.take(codes)
        #expect(try await anna.answer("approve", codes).status == .forbidden)
        #expect(try await server.poll(codes).error == .authorizationPending)
    }

    @Test(.server { $0.minimumEvidence = [.openid: ScopeDemands([.secondFactor])] })
    func `asks no more than what was demanded when it was made`() async throws {
        let server = TestServer.current
        let codes = try await server.ask(scope: "openid")
        let anna = try await server.browser(of: .anna)
        try await server.change { repositories in
            var stored = try #require(try repositories.exchanges.find(codes.deviceCode.digest))
            #expect(stored.terms.demands == ScopeDemands([.secondFactor]))
            stored.terms = ApprovalTerms(demands: ScopeDemands.none)
            try repositories.exchanges.update(stored)
        }
        try await anna.decide("approve", codes)
        #expect(try await server.poll(codes).status == .ok)
    }

    @Test(.server { $0.minimumEvidence = [ScopeWord("play"): ScopeDemands([], within: 300)] })
    func `may be no older sign-in than so many seconds`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        server.clock.advance(by: .seconds(299))
        let codes = try await server.ask(scope: "openid play")
        try await anna.decide("approve", codes)
        #expect(try await server.poll(codes).status == .ok)
    }

    @Test(.server { $0.minimumEvidence = [ScopeWord("play"): ScopeDemands([], within: 300)] })
    func `leads an older sign-in to the page for another one, and back`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        server.clock.advance(by: .seconds(301))
        try await anna.decide("approve", try await server.ask(scope: "openid"))
        let codes = try await server.ask(scope: "openid play")
        try await anna.take(codes)
        let sent = try #require(try await anna.answer("approve", codes).location)
        #expect(sent.hasPrefix("/login?") && sent.contains("return_to=%2Factivate%2Fconfirm"), "\(sent)")
        let login = try await server.get(sent, headers: [.cookie: anna.cookie])
        #expect(login.text.contains("only soon after you signed in"))
        #expect(try await server.poll(codes).error == .authorizationPending)

        let form: Form = [
            "username": TestPerson.anna.rawValue, "password": TestPerson.anna.password.revealed,
            "return_to": login.unescapedField("return_to"),
        ]
        let back = try await anna.post("login", form)
        #expect(back.location?.hasPrefix("/activate/confirm?user_code=") == true, "\(back.location ?? "")")
        let cookie = try #require(back.givenCookie)
        let account = try await server.get("/account", headers: [.cookie: cookie])
        let fresh = TestBrowser(server: server, cookie: cookie, formToken: try #require(account.field("form_token")))
        #expect(try await fresh.get("activate/confirm?user_code=\(codes.userCode)").status == .ok)
        let approved = try await fresh.answer("approve", codes)
        #expect(approved.location?.hasPrefix("/activate/result?") == true, "\(approved.location ?? "")")
        server.clock.advance(by: .seconds(5))
        #expect(try await server.poll(codes).status == .ok)
    }

    @Test(.server) func `keeps how recent a sign-in has to be, whatever the settings say later`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        let codes = try await server.ask()
        try await server.change { repositories in
            var stored = try #require(try repositories.exchanges.find(codes.deviceCode.digest))
            stored.terms = ApprovalTerms(demands: ScopeDemands([], within: 60))
            try repositories.exchanges.update(stored)
        }
        server.clock.advance(by: .seconds(61))
        try await anna.take(codes)
        #expect(try await anna.answer("approve", codes).location?.hasPrefix("/login?") == true)
    }

    @Test func `has the page ask for a passkey exactly where the decision demands one`() async throws {
        let minimum = [ScopeWord("play"): ScopeDemands([.userVerified])]
        try await TestServer.open(configuring: { $0.minimumEvidence = minimum }) { server in
            let anna = try await server.browser(of: .anna)
            var phone = SoftwareAuthenticator(drawingFrom: SeededRandom(seed: 1).source)
            try await anna.addPasskey("phone", with: &phone)
            // One was made before the settings asked for a passkey, the other one while they did so for its scope.
            let before = try await server.ask(scope: "play")
            let since = try await server.ask(scope: "openid")
            try await server.change { repositories in
                for (codes, demands) in [(before, ScopeDemands.none), (since, ScopeDemands([.userVerified]))] {
                    var stored = try #require(try repositories.exchanges.find(codes.deviceCode.digest))
                    stored.terms = ApprovalTerms(demands: demands)
                    try repositories.exchanges.update(stored)
                }
            }
            try await anna.take(before)
            #expect(try await !anna.get("activate/confirm?user_code=\(before.userCode)").text.contains("data-passkey"))
            #expect(try await anna.answer("approve", before).location?.hasPrefix("/activate/result?") == true)

            try await anna.take(since)
            let page = try await anna.get("activate/confirm?user_code=\(since.userCode)")
            let asked = try #require(try anna.options(page, as: CredentialRequestOptions.self))
            let form: Form = [
                "user_code": since.userCode.rawValue, "decision": "approve",
                "credential": phone.get(asked, at: anna.origin),
            ]
            let answer = try await anna.post("activate/decision", form)
            #expect(answer.location?.hasPrefix("/activate/result?") == true, "\(answer.status)")
        }
    }

    @Test func `stands in the audit from the moment when somebody takes it`() async throws {
        let minimum = [ScopeWord.openid: ScopeDemands([.secondFactor, .password], within: 300)]
        try await TestServer.open(configuring: { $0.minimumEvidence = minimum }) { server in
            let codes = try await server.ask(scope: "openid")
            try await server.browser(of: .anna).take(codes)
            let detail = try #require(try await server.audited(.taken).first?.detail)
            #expect(detail.contains("link: number, demanded: password second_factor recent 300"))
        }
    }
}
