import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: Web Authentication Level 3 §7.
@Suite("Passkeys on the pages", .server)
struct PasskeyPagesTests {
    let server = TestServer.current

    private func authenticator(_ seed: UInt64 = 1) -> SoftwareAuthenticator {
        SoftwareAuthenticator(drawingFrom: SeededRandom(seed: seed).source)
    }

    @Test func `are added, listed, sign the person in, and are removed`() async throws {
        var phone = authenticator()
        let anna = try await server.browser(of: .anna)
        #expect(try await anna.addPasskey("My phone", with: &phone).location == "/account?done=passkey-added")
        let account = try await anna.get("account")
        #expect(account.text.contains("<bdi>My phone</bdi>") && !account.text.contains("Last used"))

        let stranger = try await server.newBrowser()
        let answer = try await stranger.post(
            "login/passkey",
            [
                "credential": phone.get(try await stranger.signInOptions(), at: stranger.origin),
                "return_to": "/activate",
            ])
        #expect(answer.location == "/activate")
        let cookie = try #require(answer.givenCookie)
        let seen = try await server.get("/account", headers: [.cookie: cookie])
        #expect(seen.text.contains("Last used"))
        let session = try await server.store.read {
            try $0.browserSessions.find(BrowserCookie(revealing: String(cookie.drop { $0 != "=" }.dropFirst())).digest)
        }
        #expect(session?.authentication == .passkey && session?.subject == TestPerson.anna.subject)

        #expect(
            try await anna.confirm("account/passkeys/remove", ["passkey": phone.id.rawValue]).location
                == "/account?done=passkey-removed")
        #expect(
            try await anna.confirm("account/passkeys/remove", ["passkey": phone.id.rawValue]).location
                == "/account?done=nothing")
        let late = try await server.newBrowser()
        let refused = try await late.post(
            "login/passkey", ["credential": phone.get(try await late.signInOptions(), at: late.origin)])
        #expect(refused.status == .forbidden && refused.text.contains("cannot sign you in here"))
        let acts = try await server.store.read { try $0.audit.entries(after: 0, limit: 100).map(\.facts.act) }
        #expect(acts.contains(.passkeyAdded) && acts.contains(.passkeyRemoved) && acts.last == .loginFailed)
        let names = try await server.audited(.passkeyAdded) + server.audited(.passkeyRemoved)
        #expect(names.map(\.detail) == ["My phone, \(phone.id)", "My phone, \(phone.id)"])
    }

    @Test func `sign nobody in from another origin, with another's challenge, too late, or twice`() async throws {
        var phone = authenticator()
        try await server.browser(of: .anna).addPasskey("My phone", with: &phone)
        let stranger = try await server.newBrowser()
        let other = try await server.newBrowser()
        let asked = try await stranger.signInOptions()
        #expect(asked.allowed.isEmpty && asked.userVerification == .required && asked.partyID == "localhost")

        let phished = phone.get(asked, at: "http://localhost.evil.test:8080")
        #expect(try await stranger.post("login/passkey", ["credential": phished]).status == .forbidden)
        let relayed = phone.get(try await other.signInOptions(), at: stranger.origin)
        #expect(try await stranger.post("login/passkey", ["credential": relayed]).status == .forbidden)
        phone.flags = [.userPresent]
        let unverified = phone.get(asked, at: stranger.origin)
        #expect(try await stranger.post("login/passkey", ["credential": unverified]).status == .forbidden)
        phone.flags = [.userPresent, .userVerified]
        for odd in ["", "{}", "null", String(repeating: "[", count: 5000)] {
            #expect(try await stranger.post("login/passkey", ["credential": odd]).status == .forbidden)
        }

        let good = phone.get(asked, at: stranger.origin)
        #expect(try await stranger.post("login/passkey", ["credential": good]).location == "/account")
        let replayed = try await stranger.post("login/passkey", ["credential": good])
        #expect(replayed.status == .forbidden && replayed.text.contains("was sent twice"))

        let slow = phone.get(try await stranger.signInOptions(), at: stranger.origin)
        server.clock.advance(by: .seconds(1801))
        let late = try await stranger.post("login/passkey", ["credential": slow])
        #expect(late.status == .forbidden && late.text.contains("took too long"))
        try await server.change { _ = try $0.passkeys.sweep(before: server.clock.date, limit: 9) }
        #expect(try await server.rows(of: "used_challenges") == 0)
    }

    @Test(.server { $0.limits[.wrongProofPerAddress] = Limit(30, in: 60) })
    func `that are good sign in though strangers at the same address sent bad ones, which end`() async throws {
        var phone = authenticator()
        try await server.browser(of: .anna).addPasskey("My phone", with: &phone)
        let stranger = try await server.newBrowser()
        for _ in 0..<30 {
            #expect(try await stranger.post("login/passkey", ["credential": "{}"]).status == .forbidden)
        }
        let rows = try await server.audit().count
        #expect(try await stranger.post("login/passkey", ["credential": "{}"]).status == .tooManyRequests)
        #expect(try await server.audit().count == rows)
        #expect(
            try await server.audited(.limitReached).map(\.detail) == ["wrong-proof-per-address 30/60"])
        let browser = try await server.newBrowser()
        let good = phone.get(try await browser.signInOptions(), at: browser.origin)
        #expect(try await browser.post("login/passkey", ["credential": good]).location == "/account")
    }

    @Test func `raise the alarm when a counter goes back`() async throws {
        var key = authenticator()
        key.counter = 5
        try await server.browser(of: .anna).addPasskey("Security key", with: &key)
        var copy = key
        let browser = try await server.newBrowser()
        _ = key.get(try await browser.signInOptions(), at: browser.origin)
        let first = key.get(try await browser.signInOptions(), at: browser.origin)
        #expect(try await browser.post("login/passkey", ["credential": first]).location == "/account")
        let second = copy.get(try await browser.signInOptions(), at: browser.origin)
        let refused = try await browser.post("login/passkey", ["credential": second])
        #expect(refused.status == .forbidden && refused.text.contains("That passkey may have been copied"))
        let entry = try await server.store.read { repositories in
            try repositories.audit.entries(after: 0, limit: 100).first { $0.facts.act == .passkeyCounterWentBack }
        }
        #expect(entry?.facts.subject == TestPerson.anna.subject && entry?.facts.detail?.contains("from 7 to 6") == true)
    }

    @Test func `that are synchronised sign in with a lower counter, which is audited`() async throws {
        var first = authenticator()
        first.flags = [.userPresent, .userVerified, .backupEligible, .backedUp]
        first.counter = 5
        try await server.browser(of: .anna).addPasskey("Synchronised", with: &first)
        var second = first
        second.counter = nil
        for app in [second, second, first] {
            var app = app
            let browser = try await server.newBrowser()
            let answer = app.get(try await browser.signInOptions(), at: browser.origin)
            #expect(try await browser.post("login/passkey", ["credential": answer]).location == "/account")
        }
        let noted = try await server.audited(.passkeyCounterLowered)
        #expect(noted.count == 1 && noted.first?.detail?.hasSuffix(": from 5 to 0") == true)
        #expect(noted.first?.subject == TestPerson.anna.subject)
        #expect(try await server.audited(.passkeyCounterWentBack).isEmpty)
    }

    @Test(arguments: ["packed", "fido-u2f", "tpm", "apple", "android-key"])
    func `are added though they bring an attestation that nobody asked for`(format: String) async throws {
        var key = authenticator()
        let anna = try await server.browser(of: .anna)
        let asked = try #require(
            try anna.options(try await anna.get("account/passkeys/add"), as: CredentialCreationOptions.self))
        let plain = Array(key.create(asked, at: anna.origin).utf8)
        let attested = try attesting(plain, format)
        let answer = try await anna.post(
            "account/passkeys/add", ["passkey_name": "Key", "credential": attested])
        #expect(answer.location == "/account?done=passkey-added")
    }

    /// The credential with a statement by a certificate, and the members of its object in another order.
    private func attesting(_ json: [UInt8], _ format: String) throws -> String {
        var credential = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
        var response = try #require(credential["response"] as? [String: String])
        let bytes = try #require(response["attestationObject"].flatMap(URLSafeText.decode))
        let data = try AttestationObject(parsing: bytes).authenticatorBytes
        let object = CBORValue.map([
            .init(.text("authData"), .bytes(data)), .init(.text("fmt"), .text(format)),
            .init(
                .text("attStmt"),
                .map([
                    .init(.text("x5c"), .array([.bytes([1, 2, 3])])), .init(.text("sig"), .bytes([1])),
                    .init(.text("alg"), .number(-7)),
                ])),
        ])
        response["attestationObject"] = URLSafeText.encode(object.encoded)
        credential["response"] = response
        return String(decoding: try JSONSerialization.data(withJSONObject: credential), as: UTF8.self)
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080", "127.0.0.1:8080", "http://localhost:8080"),
        ("http://127.0.0.1:8080", "[::1]:8080", "http://localhost:8080"),
        ("http://localhost:8080", "127.0.0.1:8080", "http://localhost:8080"),
        ("http://127.0.0.1:8080", "localhost:8080", nil), ("http://localhost:8080", "localhost:8080", nil),
        ("https://id.example", "id.example", nil), ("https://192.0.2.1", "192.0.2.1", nil),
    ])
    func `at an address of this machine are said to be at localhost, on each page`(
        issuer: String, host: String, origin: String?
    ) async throws {
        try await TestServer.open(issuer: issuer) { server in
            let login = try await server.get("/login?return_to=%2Factivate", headers: [.askedHost: host])
            let link = origin.map { "href=\"\($0)/login?return_to=%2Factivate\">localhost</a>" }
            #expect(login.text.contains("Passkeys need a name") == (origin != nil))
            if let link { #expect(login.text.contains(link)) }
            #expect(login.text.contains("passkey.js") == (origin == nil && host != "192.0.2.1"))
        }
    }

    @Test func `are added to the account of a person who signed in just now, and to no other`() async throws {
        var phone = authenticator()
        let anna = try await server.browser(of: .anna)
        let bert = try await server.browser(of: .bert)
        let asked = try #require(
            try anna.options(try await anna.get("account/passkeys/add"), as: CredentialCreationOptions.self))
        #expect(asked.user.name == "anna" && asked.attestation == "none" && asked.excluded.isEmpty)
        let credential = phone.create(asked, at: anna.origin)
        let planted = try await bert.post("account/passkeys/add", ["passkey_name": "x", "credential": credential])
        #expect(planted.status == .unprocessableContent)
        #expect(try await server.rows(of: "passkeys") == 0)
        let foreign = phone.create(asked, at: "https://evil.test")
        #expect(
            try await anna.post("account/passkeys/add", ["passkey_name": "x", "credential": foreign]).status
                == .unprocessableContent)
        #expect(
            try await anna.post("account/passkeys/add", ["passkey_name": "x"]).text.contains(
                "did not make a passkey"))
        try await anna.addPasskey("<b>Phone</b>\u{202E}", with: &phone)
        #expect(try await anna.get("account").text.contains("&lt;b&gt;Phone&lt;/b&gt;</bdi>"))
        let twice = try await anna.addPasskey("again", with: &phone)
        #expect(twice.text.contains("known already"))
        let excluded = try anna.options(
            try await anna.get("account/passkeys/add"), as: CredentialCreationOptions.self)?.excluded
        #expect(excluded?.map(\.id) == [phone.id])

        server.clock.advance(by: .seconds(301))
        let again = "/login?again=recent&return_to=%2Faccount%2Fpasskeys%2Fadd"
        #expect(try await anna.get("account/passkeys/add").location == again)
        #expect(
            try await anna.confirm("account/passkeys/remove", ["passkey": phone.id.rawValue]).location
                == "/login?again=recent&return_to=%2Faccount")
        #expect(try await server.rows(of: "passkeys") == 1)
        let stray = try await bert.confirm(
            "account/passkeys/remove", ["passkey": phone.id.rawValue, "form_token": "x"])
        #expect(stray.status == .forbidden)
    }

    @Test func `are never the last way that a person loses`() async throws {
        var (phone, key) = (authenticator(1), authenticator(2))
        let anna = try await server.browser(of: .anna)
        try await anna.addPasskey("phone", with: &phone)
        try await anna.addPasskey("key", with: &key)
        try await server.change { repositories in
            var person = try #require(try repositories.people.find(TestPerson.anna.subject))
            person.password = nil
            try repositories.people.update(person)
        }
        let (first, second) = (phone.id.rawValue, key.id.rawValue)
        #expect(
            try await anna.confirm("account/passkeys/remove", ["passkey": first]).location
                == "/account?done=passkey-removed")
        #expect(
            try await anna.confirm("account/passkeys/remove", ["passkey": second]).location
                == "/account?done=last-way")
        #expect(try await !anna.get("account").text.contains("account/one-time-passwords"))
    }

    @Test func `are those of a person who is not locked`() async throws {
        var phone = authenticator()
        try await server.browser(of: .anna).addPasskey("phone", with: &phone)
        try await server.lock(.anna)
        let browser = try await server.newBrowser()
        let credential = phone.get(try await browser.signInOptions(), at: browser.origin)
        let answer = try await browser.post("login/passkey", ["credential": credential])
        #expect(answer.status == .forbidden && answer.text.contains("This account is locked"))
    }

    @Test(arguments: [
        ("http://localhost:8080", "localhost", "http://localhost:8080"),
        ("https://id.example/a", "id.example", "https://id.example"),
        ("https://id.example:8443", "id.example", "https://id.example:8443"), ("https://192.0.2.1", nil, nil),
        ("https://127.0.0.1", nil, nil), ("http://127.0.0.2:8080", nil, nil),
    ])
    func `are bound to the server's name, and are not offered at an address`(
        issuer: String, name: String?, origin: String?
    ) async throws {
        let party = PasskeyService.party(of: try Issuer(issuer))
        #expect(party?.id == name && party?.origin.rawValue == origin)
        try await TestServer.open(issuer: issuer) { server in
            let page = try await server.get(server.path("login"))
            #expect(page.text.contains("passkey.js") == (name != nil))
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("script-src 'self'") == (name != nil))
        }
    }

    @Test func `need one script, which is served under its digest`() async throws {
        let page = try await server.get("/login")
        let source = try #require(Markup(page.text).all("script").first?.attributes["src"])
        let script = try await server.get(source)
        #expect(script.status == .ok && script.headers[.contentType] == "text/javascript; charset=utf-8")
        #expect(script.headers[.cacheControl] == "public, max-age=31536000, immutable")
        #expect(try await server.get("/assets/passkey.js?v=old").headers[.cacheControl] == "no-cache")
        #expect(try await !server.get("/activate").text.contains("<script"))
    }
}
