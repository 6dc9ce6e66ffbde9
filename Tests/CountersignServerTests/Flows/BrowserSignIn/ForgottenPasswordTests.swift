import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A forgotten password", .server)
struct ForgottenPasswordTests {
    private let server = TestServer.current
    private let new = Form.newPassword()

    /// A browser where Anna typed the code of her device.
    private func asking(of phone: TestApprover, at server: TestServer) async throws -> TestAskingBrowser {
        let browser = try await TestAskingBrowser.opening(server)
        try await browser.get("login/forgot")
        let code = try await phone.newCode()
        let answer = try await browser.post("login/forgot/device", ["person_code": code.revealed])
        #expect(answer.location == "/login/forgot", "\(answer.text)")
        return browser
    }

    private func number(at browser: TestAskingBrowser) async throws -> String {
        let page = try await browser.get("login/forgot").text
        return String(try #require(page.firstMatch(of: #/<strong class="code">(\d\d)</strong>/#)).1)
    }

    @Test func `is replaced after the device approved with the number of the page`() async throws {
        let phone = try await server.authenticator()
        let other = try await server.browser(of: .anna)
        let browser = try await asking(of: phone, at: server)
        let shown = try await phone.shown().response
        #expect(shown.clientName.value == "Page for a new password" && shown.channel == .passwordReset)
        #expect(shown.software == TestAskingBrowser.software && shown.address != nil)
        #expect(shown.numberDigits == VerificationNumber.length)
        let approval = try #require(shown.approval)
        #expect(approval.sessionTerms.isEmpty && approval.obstacle == nil)

        #expect(try await phone.decide(.approve, number: try await number(at: browser)).status == .ok)
        let page = try await browser.get("login/forgot")
        #expect(page.text.contains("Anna Ek") && page.field("username") == "anna")
        let weak = try await browser.post("login/forgot/password", .newPassword("anna1234"))
        #expect(weak.status == .unprocessableContent)
        let answer = try await browser.post("login/forgot/password", new)
        #expect(answer.status == .ok && answer.text.contains("Your new password counts from now on"))
        #expect(try await server.signsIn("anna", "seven slow snails"))
        #expect(try await browser.session() == nil)
        #expect(try await other.get("account").location?.hasPrefix("/login") == true)
        #expect(try await phone.inbox().status == .ok)
        #expect(try await server.audited(.passwordChanged).map(\.detail) == ["approved on a device"])
        let again = try await browser.post("login/forgot/password", .newPassword("eight slow snails"))
        #expect(again.location == "/login/forgot")
        #expect(try await server.signsIn("anna", "seven slow snails"))
    }

    @Test func `asks for a second factor afterwards`() async throws {
        let phone = try await server.authenticator()
        _ = try await server.browser(of: .anna).setUpPasswords()
        let browser = try await asking(of: phone, at: server)
        _ = try await phone.decide(.approve, number: try await number(at: browser))
        try await browser.get("login/forgot")
        _ = try await browser.post("login/forgot/password", new)
        let answer = try await server.newBrowser().post(
            "login", ["username": "anna", "password": "seven slow snails"])
        #expect(answer.field("ticket") != nil && answer.headers[.setCookie] == nil)
    }

    @Test func `stays after a wrong number, a denial, and a page that was given up`() async throws {
        let phone = try await server.authenticator()
        let browser = try await asking(of: phone, at: server)
        let right = try await number(at: browser)
        let wrong = right == "10" ? "11" : "10"
        _ = try await phone.decide(.approve, number: wrong)
        #expect(try await !browser.get("login/forgot").text.contains("new_password"))
        _ = try await phone.decide(.deny)
        #expect(try await browser.get("login/forgot").text.contains("That was denied on your device"))
        #expect(try await browser.post("login/forgot/password", new).location == "/login/forgot")

        let second = try await asking(of: phone, at: server)
        _ = try await phone.decide(.approve, number: try await number(at: second))
        try await second.get("login/forgot")
        #expect(try await second.post("login/forgot/cancel").location == "/login/forgot")
        #expect(try await second.post("login/forgot/password", new).location == "/login/forgot")
        #expect(try await server.signsIn("anna", TestPerson.anna.password.revealed))
    }

    @Test func `stays for a person who was locked after the approval`() async throws {
        let phone = try await server.authenticator()
        let browser = try await asking(of: phone, at: server)
        _ = try await phone.decide(.approve, number: try await number(at: browser))
        try await browser.get("login/forgot")
        try await server.lock(.anna)
        #expect(try await browser.post("login/forgot/password", new).location == "/login/forgot")
        try await server.lock(.anna, .active)
        #expect(try await browser.post("login/forgot/password", new).location == "/login/forgot")
        #expect(try await server.signsIn("anna", TestPerson.anna.password.revealed))
    }

    /// A browser where somebody is signed in approves no new password: it may be a borrowed one.
    @Test func `is replaced by no browser where the person is signed in`() async throws {
        let anna = try await server.browser(of: .anna)
        let browser = try await TestAskingBrowser.opening(server)
        try await browser.get("login/forgot")
        _ = try await browser.post("login/forgot/device", ["person_code": try await anna.newCode().revealed])
        let id = try #require(try await anna.startedRequest())
        let question = try await anna.get("activate/confirm?request=\(id)").text
        #expect(question.contains("<h1>Set a new password?</h1>"))
        #expect(question.contains("which asks to set a new password for you"))
        #expect(question.contains("Here you can only deny.") && !question.contains("value=\"approve\""))
        _ = try await anna.post(
            "activate/decision",
            ["request": id.rawValue, "decision": "approve", "number": try await number(at: browser)])
        #expect(try await !browser.get("login/forgot").text.contains("new_password"))
        #expect(try await browser.post("login/forgot/password", new).location == "/login/forgot")
    }

    @Test func `is not replaced at the browser of somebody who planted a cookie, or watches`() async throws {
        let phone = try await server.authenticator()
        let browser = try await asking(of: phone, at: server)
        _ = try await phone.decide(.approve, number: try await number(at: browser))
        let thief = try await TestAskingBrowser.opening(server)
        try await thief.get("login/forgot")
        #expect(try await thief.post("login/forgot/password", new).location == "/login/forgot")
        let planted = try await TestAskingBrowser.opening(
            server, cookies: browser.cookies.filter { $0.key.contains("asking") })
        #expect(try await !planted.get("login/forgot").text.contains("new_password"))
    }

    @Test func `opens no session by the sign-in page, nor a password by its approval`() async throws {
        let phone = try await server.authenticator()
        let browser = try await asking(of: phone, at: server)
        _ = try await phone.decide(.approve, number: try await number(at: browser))
        try await browser.proceed()
        #expect(try await browser.session() == nil)

        let tv = try await TestAskingBrowser.opening(server)
        let code = try await phone.newCode()
        _ = try await tv.post("login/phone", ["person_code": code.revealed])
        _ = try await phone.decide(.approve)
        #expect(try await !tv.get("login/forgot").text.contains("new_password\""))
        #expect(try await tv.post("login/forgot/password", new).location == "/login/forgot")
    }

    @Test func `is offered by the sign-in page, which names no account`() async throws {
        let login = try await server.get("/login")
        #expect(login.text.contains("href=\"/login/forgot\""))
        let page = try await server.get("/login/forgot")
        #expect(page.text.contains("name=\"person_code\"") && !page.text.contains("name=\"username\""))
        #expect(page.text.contains("A browser where you are signed in is not enough."))
    }

    @Test func `tells nothing of a wrong code, which counts as at the sign-in page`() async throws {
        let browser = try await TestAskingBrowser.opening(server)
        try await browser.get("login/forgot")
        for wrong in ["1234", "00000000", ""] {
            let answer = try await browser.post("login/forgot/device", ["person_code": wrong])
            #expect(answer.status == .unprocessableContent && answer.text.contains("The code is wrong"))
        }
        #expect(try await server.rows(of: "exchanges") == 0)
    }

    @Test func `is held for the script until the device answered`() async throws {
        let phone = try await server.authenticator()
        let browser = try await asking(of: phone, at: server)
        let page = try await browser.get("login/forgot").text
        #expect(page.contains("Approve in the app on your phone") && page.contains("The app asks for a number."))
        let tag = String(try #require(page.firstMatch(of: #/data-waits="&quot;([^&]+)&quot;"/#)).1)
        let same = try await browser.get("login/forgot", headers: [.ifNoneMatch: "\"\(tag)\""])
        #expect(same.status == .notModified)
        _ = try await phone.decide(.approve, number: try await number(at: browser))
        let changed = try await browser.get(
            "login/forgot", headers: [.ifNoneMatch: "\"\(tag)\"", .prefer: "wait=25"])
        #expect(changed.status == .ok && changed.text.contains("new_password"))
    }
}
