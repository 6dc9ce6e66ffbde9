import Countersign
import CountersignSQLite
import CountersignStorage
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The page for one's own e-mail address", ServerTrait.sendingMails)
struct EmailPageTests {
    private let server = TestServer.current

    /// Sends a code to an address, and returns the mail.
    private func send(
        to address: String = "new@example.org", in browser: TestBrowser, headers: HTTPFields = [:]
    ) async throws -> Mail {
        let answer = try await browser.post("account/email", ["address": address], headers: headers)
        #expect(answer.location == "/account/email", "\(answer.text)")
        return try #require(try await server.mails().last { $0.to.address == EmailAddress(address) && $0.code != nil })
    }

    private func verify(_ code: String?, in browser: TestBrowser) async throws -> TestResponse {
        try await browser.post("account/email/verify", ["code": code])
    }

    // MARK: Verifying

    @Test func `verifies an address by the code of a mail, and says so`() async throws {
        let anna = try await server.browser(of: .anna)
        let mail = try await send(in: anna)
        #expect(mail.to.address == EmailAddress("new@example.org") && mail.to.name == nil)
        #expect(try await server.record(of: .anna).email == "anna@example.org")
        let page = try await anna.get("account/email")
        #expect(page.text.contains("on its way to <b><bdi>new@example.org</bdi></b>"))

        let code = try #require(mail.code)
        let answer = try await verify("\(code.prefix(4)) \(code.suffix(4))", in: anna)
        #expect(answer.location == "/account?done=email-verified", "\(answer.text)")
        let after = try await server.record(of: .anna)
        #expect(after.email == "new@example.org" && after.isEmailVerified && after.emailVerification == nil)
        #expect(try await anna.get("account?done=email-verified").text.contains("Your e-mail address is verified."))
        #expect(try await server.audited(.emailVerified).map(\.subject) == [TestPerson.anna.subject])

        let form: Form = ["username": "new@example.org", "password": TestPerson.anna.password.revealed]
        #expect(try await server.newBrowser().post("login", form).location == "/account")
        let former: Form = ["username": "anna@example.org", "password": TestPerson.anna.password.revealed]
        #expect(try await server.newBrowser().post("login", former).status == .forbidden)
    }

    @Test func `opens with the code of the link, and changes nothing before the form is sent`() async throws {
        let anna = try await server.browser(of: .anna)
        let mail = try await send(in: anna)
        let link = try #require(mail.link)
        #expect(link == "account/email?code=\(try #require(mail.code))")
        // A program that opens links has no session.
        let stranger = try await server.newBrowser().get(link)
        #expect(stranger.location?.hasPrefix("/login?") == true)
        server.clock.advance(by: .seconds(600))
        let page = try await anna.get(link)
        #expect(page.status == .ok && page.field("code") == mail.code)
        #expect(try await server.record(of: .anna).email == "anna@example.org")
        #expect(try await verify(page.field("code"), in: anna).location == "/account?done=email-verified")
    }

    @Test func `says of a used link and of an old one that it is no more, and offers another`() async throws {
        let anna = try await server.browser(of: .anna)
        let mail = try await send(in: anna)
        #expect(try await verify(mail.code, in: anna).status == .seeOther)
        for answer in [try await verify(mail.code, in: anna), try await anna.get(try #require(mail.link))] {
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains("used already, is too old") && answer.text.contains("Send a code"))
        }
        let later = try await send(to: "later@example.org", in: anna)
        server.clock.advance(by: .seconds(1800))
        let old = try await server.browser(of: .anna)
        #expect(try await verify(later.code, in: old).text.contains("is too old"))
        #expect(try await server.record(of: .anna).email == "new@example.org")
    }

    @Test func `takes five codes, and only the person's own`() async throws {
        let (anna, bert) = (try await server.browser(of: .anna), try await server.browser(of: .bert))
        let mail = try await send(in: anna)
        #expect(try await verify(mail.code, in: bert).status == .unprocessableContent)
        for _ in 0..<5 {
            let wrong = try await verify("00000000", in: anna)
            #expect(wrong.status == .unprocessableContent)
        }
        #expect(try await verify(mail.code, in: anna).status == .unprocessableContent)
        #expect(try await server.record(of: .anna).email == "anna@example.org")
        #expect(try await server.record(of: .bert).email == "bert@example.org")
    }

    @Test func `takes the code of the last mail only`() async throws {
        let anna = try await server.browser(of: .anna)
        let first = try await send(to: "first@example.org", in: anna)
        let second = try await send(to: "second@example.org", in: anna)
        #expect(try await verify(first.code, in: anna).status == .unprocessableContent)
        #expect(try await verify(second.code, in: anna).status == .seeOther)
        #expect(try await server.record(of: .anna).email == "second@example.org")
    }

    @Test func `ends a link for a new password, which went to the earlier address`() async throws {
        let secret = try await server.link()
        let anna = try await server.browser(of: .anna)
        _ = try await verify(try await send(in: anna).code, in: anna)
        #expect(try await server.newBrowser().post("link", ["link": secret.revealed]).status == .gone)
    }

    @Test func `tells the earlier address of the change`() async throws {
        let anna = try await server.browser(of: .anna)
        _ = try await verify(try await send(in: anna).code, in: anna)
        let notice = try #require(try await server.mails().last { $0.code == nil })
        #expect(notice.to.address == EmailAddress("anna@example.org"))
        #expect(notice.content.subject == "Your e-mail address was changed")
        #expect(!notice.content.text.contains("new@example.org"))
    }

    @Test func `tells nobody who verifies the address that the account has`() async throws {
        try await server.change(.anna) { $0.changeEmail(to: "anna@example.org", isVerified: false) }
        let anna = try await server.browser(of: .anna)
        #expect(try await anna.get("account/email").text.contains("is not verified yet"))
        #expect(try await anna.get("account").text.contains("Not verified yet"))
        _ = try await verify(try await send(to: "anna@example.org", in: anna).code, in: anna)
        #expect(try await server.mails().count == 1)
        #expect(try await server.record(of: .anna).isEmailVerified)
    }

    @Test func `writes in the language of the page`() async throws {
        let anna = try await server.browser(of: .anna)
        let mail = try await send(in: anna, headers: [.acceptLanguage: "de"])
        #expect(mail.content.language == "de" && mail.content.subject == "Bestätigen Sie Ihre E-Mail-Adresse")
    }

    // MARK: Refusing

    @Test(arguments: ["anna", "anna@", "a@b@c", "anna@example.org\r\nBcc: x@example.org", ""])
    func `takes nothing that is no address`(typed: String) async throws {
        let anna = try await server.browser(of: .anna)
        let answer = try await anna.post("account/email", ["address": typed])
        #expect(answer.status == .unprocessableContent && answer.text.contains("That is no e-mail address."))
        #expect(try await server.mails().isEmpty)
    }

    @Test func `asks for a recent sign-in before it sends a code`() async throws {
        let anna = try await server.browser(of: .anna)
        server.clock.advance(by: .seconds(301))
        #expect(try await anna.get("account/email").location?.hasPrefix("/login?again=recent") == true)
        let answer = try await anna.post("account/email", ["address": "new@example.org"])
        #expect(answer.location?.hasPrefix("/login?again=recent") == true)
        #expect(try await server.mails().isEmpty)
    }

    @Test func `lets nobody flood an address or send from one network without end`() async throws {
        let anna = try await server.browser(of: .anna)
        _ = try await send(in: anna)
        let again = try await anna.post("account/email", ["address": "NEW@example.org"])
        #expect(again.status == .tooManyRequests && again.text.contains("Wait 30 seconds"), "\(again.text)")
        #expect(try await server.mails().count == 1)
        server.clock.advance(by: .seconds(30))
        let later = try await anna.post("account/email", ["address": "new@example.org"])
        #expect(later.location == "/account/email")
        #expect(try await server.mails().count == 2)
    }

    @Test(
        .server {
            $0.delivery.mailGateway = TestMailGateway()
            $0.limits[.mailPerPerson] = Limit(2, in: 86_400)
        })
    func `lets one person send only so many mails, also where each address is verified`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        for address in ["first@example.org", "second@example.org"] {
            #expect(try await anna.post("account/email", ["address": address]).location == "/account/email")
            let code = try #require(try await server.mails().last { $0.to.address == EmailAddress(address) }?.code)
            #expect(try await verify(code, in: anna).status == .seeOther)
        }
        let third = try await anna.post("account/email", ["address": "third@example.org"])
        #expect(third.status == .tooManyRequests)
        let bert = try await server.browser(of: .bert)
        #expect(try await bert.post("account/email", ["address": "third@example.org"]).status == .seeOther)
    }

    @Test(.server) func `is not there without a gateway for mails`() async throws {
        let anna = try await TestServer.current.browser(of: .anna)
        #expect(try await anna.get("account/email").status == .notFound)
        #expect(try await anna.post("account/email", ["address": "new@example.org"]).status == .notFound)
        #expect(try await !anna.get("account").text.contains("account/email"))
    }

    // MARK: Claims

    @Test(arguments: [true, false])
    func `is told truly to apps`(isVerified: Bool) async throws {
        try await server.change(.anna) { $0.changeEmail(to: "anna@example.org", isVerified: isVerified) }
        let tokens = try await server.signedIn(scope: "openid email")
        let told = try await server.userInfo(tokens.accessToken)
        #expect(told.email == "anna@example.org" && told.emailVerified == isVerified)
        let idToken = try await server.read(try #require(tokens.idToken).revealed)
        #expect(idToken.text("email") == "anna@example.org" && idToken.names.contains("email_verified"))
    }

    @Test func `that is not verified signs nobody in`() async throws {
        try await server.change(.anna) { $0.changeEmail(to: "other@example.org") }
        let form: Form = ["username": "other@example.org", "password": TestPerson.anna.password.revealed]
        #expect(try await server.newBrowser().post("login", form).status == .forbidden)
    }
}
