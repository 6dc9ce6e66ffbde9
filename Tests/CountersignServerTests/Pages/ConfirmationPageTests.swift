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

@Suite("The page that asks before a destructive act", .server)
struct ConfirmationPageTests {
    let server = TestServer.current

    /// The form that a page sends on, without its token.
    private func form(on page: TestResponse, sentTo path: String) throws -> Form {
        let (_, inside) = try #require(
            Markup(page.text).forms.first { $0.form.attributes["action"] == "/\(path)" && !isHeader($0.inside) })
        var form = Form()
        for tag in inside where tag.name == "input" && tag.attributes["name"] != "form_token" {
            form[tag.attributes["name"] ?? ""] = tag.attributes["value"]
        }
        return form
    }

    /// Whether a form is the one of the head of each page, which confirms nothing.
    private func isHeader(_ tags: [Markup.Tag]) -> Bool { !tags.contains { $0.attributes["name"] == "confirmed" } }

    /// Sends a form without the mark, checks that it changes nothing, and sends what the page repeats.
    private func confirm(
        _ path: String, _ named: Form, in browser: TestBrowser, asking question: String
    ) async throws -> TestResponse {
        let before = try await server.dump()
        let page = try await browser.post(path, named)
        #expect(page.status == .ok && page.text.contains("<h1>\(question)</h1>"), "\(page.text)")
        #expect(page.text.contains("<a class=\"choice quiet\" href=\"/account\">Cancel</a>"))
        #expect(try await server.dump() == before)
        let repeated = try form(on: page, sentTo: path)
        var expected = named
        expected["confirmed"] = "yes"
        #expect(repeated == expected)
        return try await browser.post(path, repeated)
    }

    @Test func `names the passkey, and removes it after the answer alone`() async throws {
        var phone = SoftwareAuthenticator(drawingFrom: SeededRandom(seed: 1).source)
        let anna = try await server.browser(of: .anna)
        try await anna.addPasskey("Anna’s <phone>", with: &phone)
        let form: Form = ["passkey": phone.id.rawValue]
        let page = try await anna.post("account/passkeys/remove", form)
        #expect(page.text.contains("Anna’s &lt;phone&gt;"))
        let answer = try await confirm("account/passkeys/remove", form, in: anna, asking: "Remove this passkey?")
        #expect(answer.location == "/account?done=passkey-removed")
        // Nothing to lose, nothing to ask.
        #expect(try await anna.post("account/passkeys/remove", form).location == "/account?done=nothing")
    }

    @Test func `comes before one-time passwords are turned off, and recovery codes renewed`() async throws {
        let anna = try await server.browser(of: .anna)
        #expect(try await anna.post("account/recovery-codes", [:]).location == "/account?done=nothing")
        _ = try await anna.setUpPasswords()
        let renewed = try await confirm("account/recovery-codes", [:], in: anna, asking: "Get new recovery codes?")
        #expect(renewed.text.contains("Your recovery codes"))
        let off = try await confirm(
            "account/one-time-passwords/remove", [:], in: anna, asking: "Turn one-time passwords off?")
        #expect(off.location == "/account?done=one-time-passwords-removed")
    }

    @Test func `comes before an authenticator is removed, of its person alone`() async throws {
        _ = try await server.authenticator()
        let device = try #require(try await server.store.read { try $0.devices.all(of: TestPerson.anna.subject) }.first)
        let form: Form = ["device": device.id.rawValue]
        let bert = try await server.browser(of: .bert)
        #expect(try await bert.post("account/devices/remove", form).location == "/account?done=nothing")
        let anna = try await server.browser(of: .anna)
        let answer = try await confirm("account/devices/remove", form, in: anna, asking: "Remove this authenticator?")
        #expect(answer.location == "/account?done=device-removed")
    }

    @Test func `leads from Not you? back to the page it was pressed on, or out of the browser`() async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        let place = "/activate/confirm?user_code=\(codes.userCode)"
        let page = try await anna.post("logout", ["next": place])
        #expect(page.text.contains("Sign out of this browser?") && page.text.contains("href=\"\(place)\">Cancel</a>"))
        #expect(page.givenCookie == nil)
        #expect(try await anna.get("account").status == .ok)
        let out = try await anna.post("logout", try form(on: page, sentTo: "logout"))
        #expect(out.location == place && out.givenCookie != nil)
        #expect(try await anna.get("account").location?.hasPrefix("/login") == true)
    }

    @Test func `is not asked by the account page, whose button says what it does`() async throws {
        let anna = try await server.browser(of: .anna)
        let account = try await anna.get("account")
        #expect(try await anna.post("logout", try form(on: account, sentTo: "logout")).location == "/login")
    }

    /// THREATS: a form of another site, which brings the mark along.
    @Test func `is no way around the protection against forged forms`() async throws {
        let anna = try await server.browser(of: .anna)
        _ = try await anna.setUpPasswords()
        let before = try await server.dump()
        for path in ["account/recovery-codes", "account/one-time-passwords/remove", "logout"] {
            let foreign = try await anna.confirm(path, headers: [.secFetchSite: "cross-site"])
            let stale = try await anna.confirm(path, ["form_token": "x"])
            #expect(foreign.status == .forbidden && stale.status == .forbidden, "\(path)")
        }
        #expect(try await server.dump() == before)
    }
}
