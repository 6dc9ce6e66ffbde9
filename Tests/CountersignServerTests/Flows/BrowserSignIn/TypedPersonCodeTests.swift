import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A browser where a person types the code that their phone shows", .server)
struct TypedPersonCodeTests {
    let server = TestServer.current

    private func type(_ code: String, at browser: TestAskingBrowser) async throws -> TestResponse {
        try await browser.post("login/phone", ["person_code": code])
    }

    @Test func `gets a session after they approved on the phone`() async throws {
        let tv = try await TestAskingBrowser.opening(server)
        #expect(try await tv.get("login").text.contains("name=\"person_code\""))
        let anna = try await server.browser(of: .anna)
        let typed = try await type(try await anna.newCode().grouped, at: tv)
        #expect(typed.location == "/login/phone?return_to=%2Faccount")
        let page = try await tv.page().text
        #expect(page.contains("Approve on your phone, which now shows this browser."))
        #expect(!page.contains("class=\"qr") && !page.contains("class=\"code\""))
        #expect(page.contains("data-waits="))

        let id = try #require(try await anna.startedRequest())
        let question = try await anna.get("activate/confirm?request=\(id)").text
        #expect(question.contains("Your code was typed on a screen, which asks to be signed in as you."))
        #expect(question.contains("The sign-in page of this server, in a browser"))
        #expect(question.contains(TestAskingBrowser.software))
        try await anna.answer("approve", request: id)
        #expect(try await tv.page().text.contains("Continue as"))
        try await tv.proceed()
        let session = try #require(try await tv.session())
        #expect(session.subject == TestPerson.anna.subject)
        let proofs = session.opening?.grant.evidence.proofs ?? []
        #expect(proofs.contains(.personCodeTyped) && !proofs.contains(.codeTyped))
    }

    @Test func `gets it by an enrolled device, too, whose name the account says`() async throws {
        let device = try await server.authenticator()
        _ = try await device.register { $0.name = "Anna’s phone" }
        let code = try await device.newCode()
        let tv = try await TestAskingBrowser.opening(server)
        _ = try await type(code.revealed, at: tv)
        let shown = try await device.shown().response
        #expect(shown.clientName.value == "Sign-in page" && shown.channel == .browserSession)
        #expect(shown.software == TestAskingBrowser.software && shown.address != nil)
        #expect(shown.approval?.sessionTerms == SessionTerm.allCases.filter { $0 != .remembered })
        #expect(shown.approval?.obstacle == nil && shown.approval?.isRemembered == false)
        #expect(try await device.decide(.approve).status == .ok)
        let anna = try await server.browser(of: .anna)
        let approver = "<dt>Approved with</dt><dd><bdi>Anna’s phone</bdi></dd>"
        #expect(try await anna.get("account").text.contains(approver))
        try await tv.page()
        try await tv.proceed()
        let session = try #require(try await tv.session())
        #expect(session.subject == TestPerson.anna.subject)
        #expect(try await tv.get("account").text.contains(approver))
    }

    @Test func `gets it by a device without a name, whose model the account says`() async throws {
        let device = try await server.authenticator()
        let code = try await device.newCode()
        let tv = try await TestAskingBrowser.opening(server)
        _ = try await type(code.revealed, at: tv)
        #expect(try await device.decide(.approve).status == .ok)
        let account = try await server.browser(of: .anna).get("account").text
        #expect(account.contains("<dt>Approved with</dt><dd><bdi>Handy</bdi></dd>"))
    }

    @Test func `is told of a wrong code, and asks nobody`() async throws {
        let tv = try await TestAskingBrowser.opening(server)
        let anna = try await server.browser(of: .anna)
        let code = try await anna.newCode()
        for wrong in [TestServer.another(than: code).revealed, "WDJB-MJHT", "1234"] {
            let answer = try await type(wrong, at: tv)
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains("That code doesn’t work"))
            #expect(answer.text.contains(#"name="person_code""#) && !answer.text.contains("Show a code</button>"))
        }
        #expect(try await server.rows(of: "exchanges") == 0)
        #expect(try await anna.shownCode() == code)
        #expect(try await type(code.revealed, at: tv).location != nil)
        #expect(try await type(code.revealed, at: tv).status == .unprocessableContent)
    }

    @Test func `waits on the list of the person although they did not look`() async throws {
        let tv = try await TestAskingBrowser.opening(server)
        let anna = try await server.browser(of: .anna)
        _ = try await type(try await anna.newCode().revealed, at: tv)
        let id = try #require(try await anna.startedRequest())
        server.clock.advance(by: .seconds(121))
        #expect(try await anna.get("activate").text.contains(id.rawValue))
        #expect(try await anna.post("activate", ["request": id.rawValue]).location?.contains("confirm") == true)
    }
}
