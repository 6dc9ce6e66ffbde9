import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A gateway that takes every mail.
private struct TakingGateway: MailGateway {
    func send(_ mail: Mail) async -> DeliveryOutcome { .accepted }
}

@Suite("A link by mail for a forgotten password", .server { $0.delivery.mailGateway = TakingGateway() })
struct ForgottenPasswordMailTests {
    private let server = TestServer.current

    /// The mails that wait with their links, the oldest first.
    private func mails(of server: TestServer) async throws -> [(message: MailMessage, link: String)] {
        let seal = try await server.server.services.keys.current().seal
        let now = server.clock.date
        let due = try await server.store.read { try $0.deliveries.due(in: .messages, at: now, limit: 100) }
        return due.compactMap { delivery in
            guard case .mail(let message, let sealed?) = delivery.content, message.kind == .passwordReset,
                let opened = seal.opened(sealed.bytes, for: .message(delivery.id)),
                let link = MailSecret(opened)?.link
            else { return nil }
            return (message, link)
        }
    }

    private func ask(_ name: String, at browser: TestBrowser) async throws -> TestResponse {
        try await browser.post("login/forgot/mail", ["username": name])
    }

    @Test func `goes to the verified address, and sets the password once`() async throws {
        let browser = try await server.newBrowser()
        #expect(try await browser.get("login/forgot").text.contains("action=\"/login/forgot/mail\""))
        #expect(try await ask("anna", at: browser).text.contains("Check your mail"))
        let mail = try #require(try await mails(of: server).first)
        #expect(mail.message.address.rawValue == "anna@example.org" && mail.message.name == "Anna Ek")
        #expect(mail.link.hasPrefix("\(server.issuer.text)/link#"))
        let secret = try #require(ActionLinkSecret(pasted: mail.link))
        #expect(try await browser.useLink(secret).status == .ok)
        #expect(try await server.signsIn("anna", "seven slow snails"))
        #expect(try await server.audited(.passwordResetLinkMade).map(\.by) == [.stranger])
        #expect(try await browser.useLink(secret).status == .gone)
    }

    @Test func `expires after half an hour`() async throws {
        let browser = try await server.newBrowser()
        _ = try await ask("anna@example.org", at: browser)
        let link = try #require(try await mails(of: server).first?.link)
        server.clock.advance(by: .seconds(1800))
        let answer = try await browser.useLink(try #require(ActionLinkSecret(pasted: link)))
        #expect(answer.status == .gone && answer.text.contains("too old"))
    }

    @Test func `is answered alike for every name, also again`() async throws {
        try await server.change { repositories in
            var bert = try #require(try repositories.people.find(TestPerson.bert.subject))
            bert.changeEmail(to: "bert@example.org", isVerified: false)
            try repositories.people.update(bert)
        }
        let browser = try await server.newBrowser()
        var answers: [TestResponse] = []
        for name in ["anna", "anna", "anna@example.org", "bert", "nobody", "nobody@example.org", ""] {
            answers.append(try await ask(name, at: browser))
        }
        #expect(answers.allSatisfy { $0.status == .ok && $0.text == answers[0].text })
        #expect(Set(answers.map { $0.headers[values: .setCookie] }) == [[]])
        #expect(try await mails(of: server).map(\.message.address.rawValue) == ["anna@example.org"])
    }

    @Test func `goes to nobody who is locked, or has no password`() async throws {
        let browser = try await server.newBrowser()
        try await server.lock(.anna)
        try await server.change { repositories in
            var bert = try #require(try repositories.people.find(TestPerson.bert.subject))
            bert.password = nil
            try repositories.people.update(bert)
        }
        for name in ["anna", "bert"] { #expect(try await ask(name, at: browser).status == .ok) }
        #expect(try await mails(of: server).isEmpty)
    }

    @Test func `is sent to one address only after a pause that grows`() async throws {
        let browser = try await server.newBrowser()
        var counts: [Int] = []
        for seconds in [0, 10, 31, 31, 61] {
            server.clock.advance(by: .seconds(seconds))
            _ = try await ask("anna", at: browser)
            counts.append(try await server.audited(.passwordResetLinkMade).count)
        }
        #expect(counts == [1, 1, 2, 2, 3])
    }

    @Test(
        .server {
            $0.delivery.mailGateway = TakingGateway()
            $0.limits[.mailPerAddress] = Limit(3, in: 600)
        })
    func `is bounded for a network, whatever the names`() async throws {
        let server = TestServer.current
        let browser = try await server.newBrowser()
        var statuses: [HTTPResponse.Status] = []
        for name in ["nobody", "anna", "somebody", "anna", "nobody"] {
            statuses.append(try await ask(name, at: browser).status)
        }
        #expect(statuses == [.ok, .ok, .ok, .tooManyRequests, .tooManyRequests])
    }

    @Test func `keeps nobody from verifying the same address, which would reveal the account`() async throws {
        _ = try await ask("anna", at: try await server.newBrowser())
        let bert = try await server.browser(of: .bert)
        let answer = try await bert.post("account/email", ["address": "anna@example.org"])
        #expect(answer.status == .seeOther && answer.location == "/account/email")
    }

    @Test func `is not kept back by somebody else who verifies the address`() async throws {
        let bert = try await server.browser(of: .bert)
        #expect(try await bert.post("account/email", ["address": "anna@example.org"]).status == .seeOther)
        _ = try await ask("anna", at: try await server.newBrowser())
        #expect(try await mails(of: server).count == 1)
    }

    @Test func `counts no more once it was used`() async throws {
        let browser = try await server.newBrowser()
        _ = try await ask("anna", at: browser)
        let link = try #require(try await mails(of: server).first?.link)
        #expect(try await browser.useLink(try #require(ActionLinkSecret(pasted: link))).status == .ok)
        _ = try await ask("anna", at: browser)
        #expect(try await server.audited(.passwordResetLinkMade).count == 2)
    }

    @Test func `ends no link that an operator handed over`() async throws {
        let secret = try await server.link()
        let browser = try await server.newBrowser()
        #expect(try await ask("anna", at: browser).status == .ok)
        #expect(try await mails(of: server).isEmpty)
        #expect(try await browser.useLink(secret).status == .ok)
    }

    @Test func `leads to the address of the server, whatever host the request names`() async throws {
        let browser = try await server.newBrowser()
        _ = try await browser.post("login/forgot/mail", ["username": "anna"], headers: [.host: "evil.example"])
        for mail in try await mails(of: server) { #expect(mail.link.hasPrefix("\(server.issuer.text)/link#")) }
    }

    @Test(.server) func `is not offered by a server without mails`() async throws {
        let server = TestServer.current
        let browser = try await server.newBrowser()
        #expect(try await !browser.get("login/forgot").text.contains("login/forgot/mail"))
        #expect(try await ask("anna", at: browser).status == .notFound)
    }
}
