import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A link by mail for a forgotten password", ServerTrait.sendingMails)
struct ForgottenPasswordMailTests {
    private let server = TestServer.current

    /// The mails that wait, with their links.
    private func mails() async throws -> [(message: MailMessage, link: String)] {
        let keys = try await server.server.services.keys.current()
        return try await server.dueMessages().compactMap { delivery in
            guard case .mail(let message, _) = delivery.content, message.kind == .passwordReset,
                let link = delivery.mailSecret(openedBy: keys)?.link
            else { return nil }
            return (message, link)
        }
    }

    /// The one mail that waits.
    private func mail() async throws -> (message: MailMessage, link: String) {
        let mails = try await mails()
        #expect(mails.count == 1)
        return try #require(mails.first)
    }

    private func ask(
        _ name: String, at browser: TestBrowser, headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await browser.post("login/forgot/mail", ["username": name], headers: headers)
    }

    @Test func `goes to the verified address, and sets the password once`() async throws {
        let browser = try await server.newBrowser()
        #expect(try await browser.get("login/forgot").text.contains("action=\"/login/forgot/mail\""))
        #expect(try await ask("anna", at: browser).text.contains("Check your mail"))
        let mail = try await mail()
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
        let link = try await mail().link
        server.clock.advance(by: .seconds(1800))
        let answer = try await browser.useLink(try #require(ActionLinkSecret(pasted: link)))
        #expect(answer.status == .gone && answer.text.contains("too old"))
    }

    @Test func `is answered alike for every name, also again`() async throws {
        try await server.change(.bert) { $0.changeEmail(to: "bert@example.org", isVerified: false) }
        let browser = try await server.newBrowser()
        var answers: [TestResponse] = []
        for name in ["anna", "anna", "anna@example.org", "bert", "nobody", "nobody@example.org", ""] {
            answers.append(try await ask(name, at: browser))
        }
        #expect(answers.allSatisfy { $0.status == .ok && $0.text == answers[0].text })
        #expect(Set(answers.map { $0.headers[values: .setCookie] }) == [[]])
        #expect(try await mails().map(\.message.address.rawValue) == ["anna@example.org"])
    }

    @Test func `goes to nobody who is locked, or has no password`() async throws {
        let browser = try await server.newBrowser()
        try await server.lock(.anna)
        try await server.change(.bert) { $0.password = nil }
        for name in ["anna", "bert"] { #expect(try await ask(name, at: browser).status == .ok) }
        #expect(try await mails().isEmpty)
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
            $0.delivery.mailGateway = TestMailGateway()
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
        #expect(try await mails().count == 1)
    }

    @Test func `counts no more once it was used`() async throws {
        let browser = try await server.newBrowser()
        _ = try await ask("anna", at: browser)
        let link = try await mail().link
        #expect(try await browser.useLink(try #require(ActionLinkSecret(pasted: link))).status == .ok)
        _ = try await ask("anna", at: browser)
        #expect(try await server.audited(.passwordResetLinkMade).count == 2)
    }

    @Test func `ends no link that an operator handed over`() async throws {
        let secret = try await server.link()
        let browser = try await server.newBrowser()
        #expect(try await ask("anna", at: browser).status == .ok)
        #expect(try await mails().isEmpty)
        #expect(try await browser.useLink(secret).status == .ok)
    }

    @Test func `leads to the address of the server, whatever host the request names`() async throws {
        let browser = try await server.newBrowser()
        let foreign = try await ask("anna", at: browser, headers: [.askedHost: "evil.example"])
        #expect(foreign.status == .misdirectedRequest)
        #expect(try await mails().isEmpty)
        #expect(try await ask("anna", at: browser, headers: [.askedHost: "127.0.0.1:8080"]).status == .ok)
        #expect(try await mail().link.hasPrefix("http://localhost:8080/link#"))
    }

    @Test(.server) func `is not offered by a server without mails`() async throws {
        let server = TestServer.current
        let browser = try await server.newBrowser()
        #expect(try await !browser.get("login/forgot").text.contains("login/forgot/mail"))
        #expect(try await ask("anna", at: browser).status == .notFound)
    }
}
