import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Actions of a person with passkeys and one-time passwords.
extension TestBrowser {
    /// The origin of its pages.
    var origin: String { "http://localhost:8080" }

    /// The options that a page hands to the browser's passkeys; `nil` when it has none.
    func options<Options: Decodable>(_ page: TestResponse, as type: Options.Type = Options.self) throws -> Options? {
        try Markup(page.text).all("form").lazy.compactMap { $0.attributes["data-options"] }.first.map { text in
            try JSONDecoder().decode(
                type,
                from: Data(
                    text.replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&amp;", with: "&")
                        .utf8))
        }
    }

    /// Makes a passkey with an authenticator, and adds it.
    @discardableResult
    func addPasskey(_ name: String, with authenticator: inout SoftwareAuthenticator) async throws -> TestResponse {
        let asked = try #require(
            try options(try await get("account/passkeys/add"), as: CredentialCreationOptions.self))
        let credential = authenticator.create(asked, at: origin)
        return try await post("account/passkeys/add", ["passkey_name": name, "credential": credential])
    }

    /// The options that the sign-in page hands to the browser's passkeys.
    func signInOptions() async throws -> CredentialRequestOptions {
        try #require(try options(try await get("login"), as: CredentialRequestOptions.self))
    }

    /// Sets up one-time passwords; returns their generator and the recovery codes.
    func setUpPasswords() async throws -> (totp: TOTP, recoveryCodes: [String]) {
        let page = try await get("account/one-time-passwords")
        let text = try #require(page.text.firstMatch(of: #/<p class="key"><code>([A-Z2-7 ]+)</code>/#)?.1)
        let totp = TOTP(HOTP(secret: try #require(SharedSecret(parsing: String(text)))))
        let shown = try await post(
            "account/one-time-passwords",
            ["proposal": page.field("proposal"), "code": totp.password(at: server.clock.date).revealed])
        #expect(shown.status == .ok)
        return (totp, shown.text.matches(of: #/<li><code>([^<]+)</code>/#).map { String($0.1) })
    }

    /// Types the password of anna, and returns the page that asks for the second factor.
    func typePassword() async throws -> TestResponse {
        let page = try await post(
            "login", ["username": "anna", "password": TestPerson.anna.password.revealed, "return_to": "/activate"])
        #expect(page.status == .ok && page.headers[.setCookie] == nil)
        return page
    }

    /// Answers that page.
    func type(_ code: String, at page: TestResponse, as field: String = "code") async throws -> TestResponse {
        let ticket = try #require(page.field("ticket"))
        return try await post("login/code", [field: code, "ticket": ticket, "return_to": "/activate"])
    }
}
