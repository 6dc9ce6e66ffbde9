import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A person who signs in with another provider")
struct ProviderSignInTests {
    @Test func `comes back signed in, with a new cookie, where they wanted to go`() async throws {
        try await TestProvider.open { provider in
            try await provider.connect()
            let stranger = try await provider.server.newBrowser()
            #expect(try await stranger.get("login").text.contains("Sign in with The work"))
            let back = try await provider.signIn(stranger)
            #expect(back.location == "/activate")
            let cookie = try #require(back.givenCookie)
            #expect(cookie != stranger.cookie)
            let account = try await provider.server.get("/account", headers: [.cookie: cookie])
            #expect(account.status == .ok && account.text.contains(TestPerson.anna.name))
        }
    }

    @Test func `approves a screen, and the evidence says how they signed in`() async throws {
        try await TestProvider.open { provider in
            let server = provider.server
            try await provider.connect()
            let cookie = try #require(try await provider.signIn(try await server.newBrowser()).givenCookie)
            let account = try await server.get("/account", headers: [.cookie: cookie])
            let browser = TestBrowser(
                server: server, cookie: cookie, formToken: try #require(account.field("form_token")))
            let codes = try await server.ask(as: .tv)
            try await browser.decide("approve", codes)
            let form = try TokenRequest.deviceCode(codes.deviceCode).form.with(TestClients.tv.form)
            let tokens = try await server.post("/token", form).json(TokenResponse.self)
            let token = try await server.read(try #require(tokens.idToken).revealed)
            #expect(token.text("sub") == TestPerson.anna.subject.rawValue)
            #expect(token.text("acr") == "urn:countersign:acr:federated")
            #expect(token.claims["amr"] == nil)
            #expect(token.number("auth_time") == Int(server.clock.date.timeIntervalSince1970))
            let entries = try await server.store.read { try $0.audit.entries(before: .max, limit: 100) }
            #expect(
                entries.contains { $0.facts.detail?.contains("federated_browser (\(provider.other.issuer))") == true })
        }
    }

    @Test func `asks for a challenge, a nonce and a state of its own each time`() async throws {
        try await TestProvider.open { provider in
            let browser = try await provider.server.newBrowser()
            var seen: Set<String> = []
            for _ in 1...3 {
                let address = try await provider.departure(of: browser)
                let query = try Form(parsing: Array(address.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()))
                #expect(query["code_challenge_method"] == "S256" && query["response_type"] == "code")
                #expect(query["redirect_uri"] == "http://localhost:8080/login/with/work/callback")
                #expect(query["scope"] == "openid profile email" && query["prompt"] == nil)
                for name in ["state", "nonce", "code_challenge"] {
                    #expect(seen.insert(try #require(query[name])).inserted)
                }
            }
        }
    }

    // MARK: Accounts

    @Test func `gets no account where the operator did not allow it, whatever their e-mail address is`() async throws {
        try await TestProvider.open { provider in
            provider.other.person.email = "anna@example.org"
            let before = try await provider.people()
            let back = try await provider.signIn(try await provider.server.newBrowser())
            #expect(back.isProblem(.notConnected))
            #expect(try await provider.people() == before)
            #expect(try await provider.identities().isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `gets one where that is allowed, under a name drawn by lot`(isVerified: Bool) async throws {
        try await TestProvider.open(editing: { $0.makesAccounts = true }) { provider in
            provider.other.person.name = "admin"
            provider.other.person.email = "new@example.org"
            provider.other.person.isEmailVerified = isVerified
            let back = try await provider.signIn(try await provider.server.newBrowser())
            #expect(back.location == "/activate")
            let known = Set(TestPerson.allCases.map(\.subject))
            let made = try await provider.people().filter { !known.contains($0.subject) }
            let person = try #require(made.first)
            #expect(made.count == 1 && person.password == nil && person.name == "admin" && !person.isAdministrator)
            #expect(person.username.rawValue.hasPrefix("work-") && person.username.rawValue.count == 17)
            #expect(person.email == (isVerified ? "new@example.org" : nil))
            #expect(try await provider.identities().isEmpty)
            // The second time they are known.
            #expect(try await provider.signIn(try await provider.server.newBrowser()).location == "/activate")
            #expect(try await provider.people().count == TestPerson.allCases.count + 1)
            // Nobody signs in with their name and an empty password.
            let guess = try await provider.server.newBrowser().post(
                "login", ["username": person.username.rawValue, "password": ""])
            #expect(guess.status == .forbidden)
        }
    }

    @Test func `stays out while they are locked`() async throws {
        try await TestProvider.open { provider in
            try await provider.connect()
            try await provider.server.lock(.anna)
            #expect(try await provider.signIn(try await provider.server.newBrowser()).isProblem(.locked))
        }
    }

    // MARK: The way back

    @Test func `is not taken for one who did not start here`() async throws {
        try await TestProvider.open { provider in
            try await provider.connect()
            let (mine, theirs) = (try await provider.server.newBrowser(), try await provider.server.newBrowser())
            let back = try provider.arrival(from: try await provider.departure(of: theirs))
            #expect(try await provider.arrive(mine, at: back).isProblem(.notStarted))
            #expect(try await provider.server.get(back).text.contains("not started here"))
            #expect(try await provider.arrive(theirs, at: back).location == "/activate")
            // Once, and not later.
            #expect(try await provider.arrive(theirs, at: back).isProblem(.notStarted))
            let late = try provider.arrival(from: try await provider.departure(of: mine))
            provider.server.clock.advance(by: .seconds(901))
            #expect(try await provider.arrive(mine, at: late).isProblem(.notStarted))
        }
    }

    @Test func `is not mixed up with what another provider says`() async throws {
        try await TestProvider.open { provider in
            try await provider.connect()
            let browser = try await provider.server.newBrowser()
            let back = try provider.arrival(from: try await provider.departure(of: browser))
            let issuer = Form(dictionaryLiteral: ("iss", provider.other.issuer)).encoded
            let evil = Form(dictionaryLiteral: ("iss", "https://evil.example")).encoded
            #expect(try await provider.arrive(browser, at: back.replacing(issuer, with: evil)).isProblem(.mixedUp))
            #expect(provider.other.received.count { $0.path == "/token" } == 0)
            let again = try provider.arrival(from: try await provider.departure(of: browser))
            let none = try await provider.arrive(browser, at: again.replacing("&\(issuer)", with: ""))
            #expect(none.isProblem(.mixedUp))
        }
    }

    @Test func `is not believed at the address of another provider`() async throws {
        try await TestProvider.open { provider in
            try await provider.connect()
            _ = try await provider.server.add(provider.other, as: "evil")
            let browser = try await provider.server.newBrowser()
            provider.other.register(
                TestProvider.client,
                secret: TestProvider.secret,
                returningTo: [provider.record.redirectURI(at: provider.server.issuer)]
            )
            let back = try provider.arrival(from: try await provider.departure(of: browser))
            let moved = back.replacing("/with/work/", with: "/with/evil/")
            let answer = try await provider.arrive(browser, at: moved)
            #expect(answer.status == .forbidden && answer.text.contains("not started here"))
        }
    }

    @Test func `may come back by a form that the provider posts`() async throws {
        try await TestProvider.open(editing: { $0.editOpenID { $0.postsAnswers = true } }) { provider in
            try await provider.connect()
            let browser = try await provider.server.newBrowser()
            let address = try await provider.departure(of: browser)
            #expect(address.contains("response_mode=form_post"))
            let back = try provider.arrival(from: address)
            let query = String(back.drop { $0 != "?" }.dropFirst())
            // Another site posts it, so the browser sends no cookie.
            let posted = try await provider.server.post(
                "/login/with/work/callback", raw: query, headers: [.origin: "https://appleid.apple.com"])
            let next = try #require(posted.location)
            #expect(posted.headers[.setCookie] == nil && next == "/login/with/work/callback?\(query)")
            #expect(try await provider.arrive(browser, at: next).location == "/activate")
        }
    }

    @Test func `is told when they did not want to`() async throws {
        try await TestProvider.open { provider in
            provider.other.isDenying = true
            let back = try await provider.signIn(try await provider.server.newBrowser())
            #expect(back.isProblem(.declined))
        }
    }

    @Test(arguments: ["user_cancelled_authorize", "user_cancelled_login"])
    func `is told so too where Apple or LinkedIn says it in other words`(word: String) async throws {
        try await TestProvider.open { provider in
            provider.other.isDenying = true
            let browser = try await provider.server.newBrowser()
            let back = try provider.arrival(from: try await provider.departure(of: browser))
            let cancelled = back.replacing("error=access_denied", with: "error=\(word)")
            #expect(cancelled != back)
            #expect(try await provider.arrive(browser, at: cancelled).isProblem(.declined))
        }
    }

    // MARK: Signing in anew

    @Test func `signs in anew there when they have to prove again who they are`() async throws {
        try await TestProvider.open { provider in
            try await provider.connect()
            let anna = try await provider.server.browser(of: .anna)
            let address = try await provider.departure(of: anna)
            #expect(address.contains("prompt=login") && address.contains("max_age=0"))
            #expect(try await provider.arrive(anna, at: try provider.arrival(from: address)).location == "/activate")
            // The provider says that they signed in ten minutes ago.
            provider.server.clock.advance(by: .seconds(600))
            let later = try await provider.server.browser(of: .anna)
            #expect(try await provider.signIn(later).isProblem(.notFresh))
        }
    }

    @Test func `has not proved anew who they are when the provider does not say when they signed in`() async throws {
        try await TestProvider.open { provider in
            try await provider.connect()
            let server = provider.server
            provider.other.lie(in: [.noAuthTime])
            let anna = try await server.browser(of: .anna)
            let address = try await provider.departure(of: anna)
            #expect(address.contains("auth_time"))
            let back = try await provider.arrive(anna, at: try provider.arrival(from: address))
            #expect(back.isProblem(.freshnessUnknown) && back.text.contains("say when you did that there"))
            // Without need they are signed in, and count as nowhere near fresh.
            let cookie = try #require(try await provider.signIn(try await server.newBrowser()).givenCookie)
            let account = try await server.get("/account", headers: [.cookie: cookie])
            let browser = TestBrowser(
                server: server, cookie: cookie, formToken: try #require(account.field("form_token")))
            for path in ["account/connect", "account/disconnect"] {
                let answer = try await browser.post(
                    path, ["provider": "work", "issuer": provider.other.issuer, "identity": "248289761001"])
                #expect(answer.location == "/login?again=recent&return_to=%2Faccount")
            }
            let codes = try await server.ask(as: .tv)
            try await browser.decide("approve", codes)
            let form = try TokenRequest.deviceCode(codes.deviceCode).form.with(TestClients.tv.form)
            let tokens = try await server.post("/token", form).json(TokenResponse.self)
            let token = try await server.read(try #require(tokens.idToken).revealed)
            #expect(token.text("acr") == "urn:countersign:acr:federated" && token.claims["auth_time"] == nil)
        }
    }

    @Test func `is not asked to sign in anew without need, and is as fresh as the provider says`() async throws {
        try await TestProvider.open { provider in
            try await provider.connect()
            provider.server.clock.advance(by: .seconds(600))
            let back = try await provider.signIn(try await provider.server.newBrowser())
            let cookie = try #require(back.givenCookie?.split(separator: "=", maxSplits: 1).last.map(String.init))
            let session = try await provider.server.store.read {
                try $0.browserSessions.find(BrowserCookie(revealing: cookie).digest)
            }
            #expect(session?.authenticated == provider.clock.date)
            let issuer = IdentityIssuer(provider.other.issuer)
            #expect(session?.authentication == .federated(issuer: issuer, how: .browser))
        }
    }

    // MARK: What the provider says

    @Test(arguments: IDTokenDefect.allCases.filter { $0 != .noAuthTime })
    func `is not who a wrong token says`(lie: IDTokenDefect) async throws {
        try await TestProvider.open { provider in
            try await provider.connect()
            provider.other.lie(in: [lie])
            #expect(try await provider.signIn(try await provider.server.newBrowser()).isProblem(.badAnswer))
            provider.other.lie(in: [])
            #expect(try await provider.signIn(try await provider.server.newBrowser()).location == "/activate")
        }
    }

    @Test func `is believed after the provider has changed its keys`() async throws {
        try await TestProvider.open { provider in
            try await provider.connect()
            #expect(try await provider.signIn(try await provider.server.newBrowser()).location == "/activate")
            provider.other.rotateKeys(keepingOld: false)
            provider.server.clock.advance(by: .seconds(30))
            #expect(try await provider.signIn(try await provider.server.newBrowser()).location == "/activate")
            provider.other.signByRSA()
            provider.server.clock.advance(by: .seconds(30))
            #expect(try await provider.signIn(try await provider.server.newBrowser()).location == "/activate")
            provider.other.signByEd25519()
            provider.server.clock.advance(by: .seconds(30))
            #expect(try await provider.signIn(try await provider.server.newBrowser()).location == "/activate")
        }
    }

    /// As Microsoft answers under `common`: what fits the template is no issuer, not even the template itself.
    @Test(arguments: [false, true])
    func `is not believed of a whole family of issuers`(namingTemplate: Bool) async throws {
        try await TestProvider.open { provider in
            let template = "\(provider.other.issuer)/{tenantid}/v2.0"
            let body = """
                {"issuer":"\(template)","jwks_uri":"\(provider.other.issuer)/jwks",\
                "authorization_endpoint":"\(provider.other.issuer)/authorize","response_types_supported":["code"]}
                """
            provider.other.fail(at: .discovery, with: .answer(200, type: "application/json", body: body))
            let issuer = IdentityIssuer(namingTemplate ? template : provider.other.issuer)
            let directory = ProviderDirectory(over: SystemTransport.make(), clock: provider.server.serverClock)
            await #expect(throws: ProviderError.self) { try await directory.metadata(of: issuer) }
            let begun = try await provider.server.newBrowser().post("login/with/work", [:])
            #expect(begun.isProblem(.badAnswer))
        }
    }

    /// Lets a provider say nothing of how clients authenticate at its token endpoint, and perhaps nothing of that
    /// either.
    private func describe(_ provider: TestProvider, withTokenEndpoint hasTokenEndpoint: Bool) {
        let base = provider.other.issuer
        let token = hasTokenEndpoint ? #""token_endpoint":"\#(base)/token","# : ""
        let body = """
            {"issuer":"\(base)","authorization_endpoint":"\(base)/authorize",\(token)"jwks_uri":"\(base)/jwks",\
            "response_types_supported":["code"]}
            """
        provider.other.fail(at: .discovery, with: .answer(200, type: "application/json", body: body))
    }

    /// As Facebook, whose metadata say nothing of a token endpoint.
    @Test(arguments: [true, false])
    func `is asked about with the secret in the form where only the operator names the token endpoint`(
        hasTokenEndpoint: Bool
    ) async throws {
        try await TestProvider.open(
            editing: { record in
                let issuer = record.issuer.rawValue
                record.editOpenID { $0.tokenEndpoint = hasTokenEndpoint ? nil : "\(issuer)/token" }
            }
        ) { provider in
            try await provider.connect()
            describe(provider, withTokenEndpoint: hasTokenEndpoint)
            #expect(try await provider.signIn(try await provider.server.newBrowser()).location == "/activate")
            let asked = try #require(provider.other.received.last { $0.path == "/token" })
            #expect((asked.fields[.authorization] != nil) == hasTokenEndpoint)
            #expect(asked.form["client_id"] == (hasTokenEndpoint ? nil : TestProvider.client.rawValue))
            #expect(asked.form["client_secret"] == (hasTokenEndpoint ? nil : TestProvider.secret.revealed))
        }
    }

    @Test func `is refused with the words of Facebook in the log`() async throws {
        try await TestProvider.open { provider in
            let body = #"{"error":{"message":"Missing client_id parameter.","type":"OAuthException","code":101}}"#
            provider.other.fail(at: .token, with: .answer(400, type: "text/javascript", body: body))
            let code = AuthorizationCode(revealing: "code")
            let failure = await #expect(throws: ProviderError.self) {
                try await provider.server.server.services.providers.client.identity(
                    answering: AuthorizationResponse(.code(code), state: nil, issuer: provider.other.issuer),
                    from: provider.record,
                    secrets: OpenIDProviderClient.VisitSecrets(drawnBy: CodeMint(drawingFrom: .system))
                )
            }
            #expect(failure?.code == .refused)
            #expect(failure?.reason == "status 400, error 101 OAuthException: Missing client_id parameter.")
        }
    }

    static let faults: [ProviderFault] = [
        .refused, .unknownHost, .noTLS, .reset, .silence, .status(401), .status(403), .status(404), .status(429),
        .status(500), .status(503), .badUTF8, .huge, .truncated, .answer(200, type: "text/html", body: "<html>"),
        .answer(200, type: "application/json", body: "[]"),
    ]

    /// The metadata have no address in themselves: a provider that is not there is tried below.
    private static let combinations: [(OpenIDProvider.Step, ProviderFault)] = {
        var all: [(OpenIDProvider.Step, ProviderFault)] = []
        for fault in faults {
            all += [(.keys, fault), (.token, fault)]
            if ![.refused, .unknownHost, .noTLS].contains(fault) { all.append((.discovery, fault)) }
        }
        return all
    }()

    @Test(arguments: combinations)
    func `gets one clear page for each fault at each step`(
        step: OpenIDProvider.Step,
        fault: ProviderFault
    ) async throws {
        try await TestProvider.open { provider in
            try await provider.connect()
            provider.other.fail(at: step, with: fault)
            let browser = try await provider.server.newBrowser()
            let begun = try await browser.post("login/with/work", ["return_to": "/activate"])
            let page: TestResponse
            if step == .discovery {
                page = begun
            } else {
                let back = try provider.arrival(from: try #require(begun.departure))
                page = try await provider.arrive(browser, at: back)
            }
            let problems: [ProviderSignInError] = [.unreachable, .busy, .badAnswer, .refused]
            #expect(problems.count { page.isProblem($0) } == 1, "\(page.status)")
            // And nothing is broken for good.
            provider.other.fail(at: step)
            provider.server.clock.advance(by: .seconds(700))
            // As the server does every five minutes: otherwise an old address may be used while a new one is fetched.
            await provider.server.server.services.providers.directory.refresh()
            #expect(try await provider.signIn(try await provider.server.newBrowser()).location == "/activate")
        }
    }

    @Test(arguments: ["http://127.0.0.1:1", "https://provider.invalid", "https"])
    func `gets one clear page when the provider is not there`(place: String) async throws {
        try await TestProvider.open { provider in
            let issuer = place == "https" ? provider.other.base.replacing("http:", with: "https:") : place
            let gone = IdentityProvider(
                id: IdentityProvider.ID("gone"),
                displayName: "The work",
                issuer: IdentityIssuer(issuer),
                kind: provider.record.kind,
                created: provider.server.clock.date
            )
            try await provider.server.change { try $0.identityProviders.insert(gone) }
            let browser = try await provider.server.newBrowser()
            let page = try await browser.post("login/with/gone", ["return_to": "/activate"])
            #expect(page.isProblem(.unreachable), "\(page.status)")
        }
    }

    @Test(arguments: [
        (OpenIDProvider.Step.discovery, "authorization_endpoint"), (.discovery, "jwks_uri"), (.discovery, "issuer"),
        (.token, "id_token"), (.keys, "keys"),
    ])
    func `gets one clear page when something is missing`(step: OpenIDProvider.Step, member: String) async throws {
        try await TestProvider.open { provider in
            try await provider.connect()
            provider.other.fail(at: step, with: .missing(member))
            let browser = try await provider.server.newBrowser()
            let begun = try await browser.post("login/with/work", ["return_to": "/activate"])
            guard let departure = begun.departure else { return #expect(begun.isProblem(.badAnswer)) }
            let back = try provider.arrival(from: departure)
            #expect(try await provider.arrive(browser, at: back).isProblem(.badAnswer))
        }
    }

    /// As Azure AD B2C answers where no resource was asked for.
    @Test(arguments: ["access_token", "token_type", "expires_in"])
    func `is signed in by an ID token alone`(member: String) async throws {
        try await TestProvider.open { provider in
            try await provider.connect()
            provider.other.fail(at: .token, with: .missing(member))
            #expect(try await provider.signIn(try await provider.server.newBrowser()).location == "/activate")
        }
    }

    @Test func `is not offered a provider that does not exist, or is not for signing in`() async throws {
        try await TestProvider.open(editing: { $0.editOpenID { $0.isOnLoginPage = false } }) { provider in
            let browser = try await provider.server.newBrowser()
            #expect(try await !browser.get("login").text.contains("The work"))
            for name in ["work", "nobody", "WORK", "a%20b"] {
                #expect(try await browser.post("login/with/\(name)", [:]).status == .notFound)
                #expect(try await browser.get("login/with/\(name)/callback?state=a&code=b").status == .notFound)
            }
        }
    }

    @Test func `comes from a form of this server`() async throws {
        try await TestProvider.open { provider in
            let browser = try await provider.server.newBrowser()
            let forged = try await browser.post("login/with/work", ["form_token": "made up"])
            #expect(forged.status == .forbidden && forged.departure == nil)
            let foreign = try await browser.post("login/with/work", [:], headers: [.secFetchSite: "cross-site"])
            #expect(foreign.status == .forbidden && foreign.departure == nil)
        }
    }

    @Test func `cannot flood the server with visits`() async throws {
        try await TestProvider.open(configuring: { $0.limits[.startPerAddress] = Limit(2, in: 600) }) {
            provider in
            let browser = try await provider.server.newBrowser()
            for _ in 1...2 { _ = try await provider.departure(of: browser) }
            #expect(try await browser.post("login/with/work", [:]).status == .tooManyRequests)
        }
    }

    @Test func `meets the class of authentication that an app insists on, or the app is told`() async throws {
        try await TestProvider.open { provider in
            try await provider.connect()
            let server = provider.server
            let cookie = try #require(try await provider.signIn(try await server.newBrowser()).givenCookie)
            let browser = TestBrowser(server: server, cookie: cookie, formToken: "")
            var request = TestApps.intranet.request
            for (acr, isMet) in [("federated", true), ("password", false)] {
                let wish = #"{"id_token":{"acr":{"essential":true,"value":"urn:countersign:acr:\#(acr)"}}}"#
                request.claims = try ClaimsRequest(parsing: wish)
                let answer = try await browser.authorize(request)
                #expect((answer.authorization?.code != nil) == isMet, "\(acr)")
                #expect(isMet || answer.location?.hasPrefix("/login?") == true)
            }
            request.prompts = [.none]
            let silent = try await browser.authorize(request)
            #expect(silent.authorization?.error == .unmetAuthenticationRequirements)
        }
    }
}
