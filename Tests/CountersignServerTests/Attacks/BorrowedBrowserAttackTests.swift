import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A browser that a phone signed in for a while")
struct BorrowedBrowserAttackTests {
    /// The forms that add or change a way to sign in.
    private static let lasting: Set = [
        "account/devices/add", "account/passkeys/add", "account/passkeys/remove", "account/one-time-passwords",
        "account/one-time-passwords/remove", "account/recovery-codes", "account/connect", "account/disconnect",
        "account/backchannel-user-code", "account/backchannel-user-code/remove", "account/password",
        "account/email", "account/email/verify", "account/time-zone", "account/export", "account/deletion",
        "account/push",
    ]
    /// The forms that end or name something, and add nothing.
    private static let others: Set = [
        "account/sign-out", "account/browsers/sign-out", "account/undo", "account/withdraw", "account/unmute",
        "account/screens/forget", "account/devices/name", "account/devices/remove",
        "account/deletion/keep", "account/push/remove",
    ]

    /// A browser that Anna signed in by her phone.
    private func borrowed(
        _ server: TestServer, for session: String = "15m", at address: String = TestScreenByLink.home
    ) async throws -> TestAskingBrowser {
        let tv = try await TestAskingBrowser.asking(server, at: address)
        try await server.browser(of: .anna).approve(tv, session: session)
        try await tv.proceed()
        #expect(try await tv.session() != nil)
        return tv
    }

    /// Anna types her password in it, too.
    private func typePassword(in tv: TestAskingBrowser) async throws {
        try await tv.get("login?again=recent")
        try await tv.post("login", ["username": "anna", "password": TestPerson.anna.password.revealed])
        let session = try #require(try await tv.session())
        #expect(session.authentication == .password)
        // Nor does the browser become one that she is known in.
        #expect((tv.cookies["countersign-known-8080"] == nil) == (session.limit != nil))
        try await tv.get("account")
    }

    /// Approves a request in it.
    private func approve(_ userCode: String, in tv: TestAskingBrowser, session: String? = nil) async throws {
        try await tv.get("account")
        try await tv.post("activate", ["user_code": userCode])
        var form: Form = ["user_code": userCode, "decision": "approve"]
        form["session"] = session
        let answer = try await tv.post("activate/decision", form)
        #expect(answer.location?.hasPrefix("/activate/result") == true, "\(answer.text)")
    }

    // MARK: Ways to sign in

    @Test(.server, arguments: [false, true])
    func `adds and changes no way to sign in, whatever the form, and after the password neither`(
        isPasswordTyped: Bool
    ) async throws {
        let server = TestServer.current
        let tv = try await borrowed(server)
        if isPasswordTyped { try await typePassword(in: tv) } else { try await tv.get("account") }
        let end = try #require(try await tv.session()?.expires)
        let before = try await server.dump()
        for form in Self.lasting.sorted() {
            let answer = try await tv.post(form)
            #expect(answer.status == .forbidden, "\(form)")
            #expect(answer.text.contains("signed in until \(TimeDisplay(end, at: end).clock.english) only"), "\(form)")
            #expect(answer.text.contains("in a browser of your own"), "\(form)")
        }
        for page in ["account/passkeys/add", "account/one-time-passwords", "account/password"] {
            #expect(try await tv.get(page).status == .forbidden, "\(page)")
        }
        #expect(try await server.dump() == before)
    }

    @Test(.server) func `is refused by each form of the account that is not known to add nothing`() async throws {
        let routes = TestServer.current.server.router().routes.filter { $0.method == .post }
        let forms = Set(routes.map { $0.path.description.drop { $0 == "/" } }.filter { $0.hasPrefix("account") })
        #expect(forms == Set(Self.lasting.union(Self.others).map { $0[...] }))
    }

    @Test(.server) func `is refused by the services behind the forms, too`() async throws {
        let server = TestServer.current
        let tv = try await borrowed(server)
        let cookie = try #require(tv.cookies["countersign-8080"])
        let pages = server.server.pages
        let visitor = try await pages.browsers.visitor(presenting: BrowserCookie(revealing: cookie))
        let signedIn = try #require(visitor.signedIn)
        await #expect(throws: LimitedBrowserError.self) {
            _ = try await EnrollmentTickets(core: server.server.services.core).make(for: signedIn, from: nil)
        }
        #expect(try await server.rows(of: "enrollment_tickets") == 0)
    }

    @Test(.server) func `opens no page of administrators, and after the password neither`() async throws {
        let server = TestServer.current
        try await server.promote(.anna)
        let tv = try await borrowed(server)
        try await typePassword(in: tv)
        for page in ["admin/domains", "admin/sites"] {
            #expect(try await tv.get(page).status == .forbidden, "\(page)")
        }
        let added = try await tv.post("admin/domains/add", ["domain": "radio.example", "display_name": "Radio"])
        #expect(added.status == .forbidden)
        #expect(try await server.rows(of: "domains") == 0)
    }

    @Test(.server) func `is no such browser where it is the person's own, after their password`() async throws {
        let tv = try await borrowed(TestServer.current, for: "own")
        #expect(try await tv.get("account/one-time-passwords").location?.hasPrefix("/login?again=recent") == true)
        try await typePassword(in: tv)
        #expect(try await tv.get("account/one-time-passwords").status == .ok)
        #expect(try await tv.post("account/devices/add").status == .ok)
    }

    @Test(.server) func `enrolls no device by an app that it signs in`() async throws {
        let server = TestServer.current
        // The app is known, and signed in once more: in the borrowed browser.
        _ = try await server.phone()
        let client: Form = ["client_id": TestServer.phoneApp.rawValue]
        let codes = try await server.post(
            server.path("device_authorization"), client.with(["scope": "nearby_approve"])
        ).json(DeviceAuthorizationResponse.self)
        let tv = try await borrowed(server)
        try await approve(codes.userCode.rawValue, in: tv)
        let tokens = try await server.post(
            server.path("token"), TokenRequest.deviceCode(codes.deviceCode).form.with(client)
        ).json(TokenResponse.self)
        let app = TestApprover(server: server, token: tokens.accessToken)
        let answer = try await app.register()
        #expect(answer.error == .accessDenied)
        #expect(try await server.rows(of: "devices") == 0)

        // A screen that the app approves ends with the browser, too.
        let screen = try await server.screenNearby()
        let told = try await app.shown(screen).response.approval
        let end = try await tv.session()?.expires
        #expect(told?.sessionTerms == [.own, .quarterHour] && told?.sessionLimit == end?.numericDate)
        try await app.decide(.approve, screen)
        let given = try await screen.poll(over: screen.link).json(TokenResponse.self)
        #expect(given.authorizationExpiresIn == tokens.authorizationExpiresIn)
        #expect(try await server.honours(given.accessToken))
        try await tv.get("account")
        try await tv.post("logout", ["confirmed": "yes"])
        #expect(try await app.send(.get, "device").status == .unauthorized)
        #expect(try await !server.honours(given.accessToken))
    }

    // MARK: Screens

    /// An end of the session before its time.
    enum Ending: CaseIterable {
        case signedOutThere, signedOutFromPhone, undone, otherPersonThere, byOperator
    }

    private func end(_ tv: TestAskingBrowser, by ending: Ending) async throws {
        let server = tv.server
        let grant = try #require(try await tv.session()?.opening?.grant.id.rawValue)
        let anna = try await server.browser(of: .anna)
        switch ending {
        case .signedOutThere:
            try await tv.get("account")
            try await tv.post("logout", ["confirmed": "yes"])
        case .signedOutFromPhone:
            let answer = try await anna.post("account/browsers/sign-out", ["grant": grant])
            #expect(answer.location == "/account?done=signed-out")
        case .undone:
            #expect(try await anna.post("account/undo", ["grant": grant]).location == "/account?done=undone")
        case .otherPersonThere:
            try await tv.get("login?again=1")
            try await tv.post("login", ["username": "bert", "password": TestPerson.bert.password.revealed])
        case .byOperator:
            let now = server.clock.date
            try await server.change { try Sessions($0).endAll(of: TestPerson.anna.subject, at: now) }
        }
    }

    @Test(.server, arguments: Ending.allCases)
    func `keeps no screen signed in that was approved in it`(ending: Ending) async throws {
        let server = TestServer.current
        let tv = try await borrowed(server)
        let codes = try await server.ask()
        try await approve(codes.userCode.rawValue, in: tv)
        let tokens = try await server.poll(codes).json(TokenResponse.self)
        let unredeemed = try await server.ask()
        try await approve(unredeemed.userCode.rawValue, in: tv)
        #expect(try await server.honours(tokens.accessToken))
        try await end(tv, by: ending)
        #expect(try await !server.honours(tokens.accessToken))
        #expect(try await server.refresh(tokens.refreshToken).error == .invalidGrant)
        #expect(try await server.poll(unredeemed).error == .accessDenied)
        let left = try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }
        #expect(left.isEmpty)
    }

    @Test(.server) func `keeps no client signed in that asked by the back channel`() async throws {
        let server = TestServer.current
        let client = try await TestBackchannelClient.add(to: server)
        let asked = try await client.asked()
        let tv = try await borrowed(server)
        let id = try #require(try await tv.get("account").field("request"))
        try await tv.post("activate", ["request": id])
        try await tv.post("activate/decision", ["request": id, "decision": "approve"])
        let tokens = try await client.poll(asked).json(TokenResponse.self)
        #expect(tokens.authorizationExpiresIn == 900)
        try await end(tv, by: .signedOutFromPhone)
        #expect(try await !server.honours(tokens.accessToken))
    }

    @Test(.server) func `keeps no other browser signed in, nor a screen that was approved in that one`() async throws {
        let server = TestServer.current
        let first = try await borrowed(server)
        let second = try await TestAskingBrowser.asking(server)
        try await approve(try await second.code(), in: first, session: "own")
        try await second.page()
        try await second.proceed()
        #expect(try await second.session()?.expires == first.session()?.expires)
        let codes = try await server.ask()
        try await approve(codes.userCode.rawValue, in: second)
        let tokens = try await server.poll(codes).json(TokenResponse.self)
        try await end(first, by: .signedOutFromPhone)
        #expect(try await second.session() == nil)
        #expect(try await !server.honours(tokens.accessToken))
    }

    @Test(.server) func `differs from one's own browser, whose sign-out leaves the screens as they are`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        let codes = try await server.ask()
        try await anna.decide("approve", codes, session: .hour)
        let tokens = try await server.poll(codes).json(TokenResponse.self)
        _ = try await anna.confirm("logout")
        #expect(try await server.honours(tokens.accessToken))
    }

    @Test(
        .server,
        arguments: [
            (PageLanguage.english, "ends then, too; your other screens stay signed in"),
            (.german, "endet dann auch; Ihre anderen Geräte bleiben angemeldet"),
            (.french, "prend fin à ce moment-là aussi ; vos autres appareils restent connectés"),
            (.spanish, "termina entonces también; tus otros dispositivos mantienen la sesión iniciada"),
        ])
    func `says at its sign-out which screens end with it`(language: PageLanguage, words: String) async throws {
        let server = TestServer.current
        let tv = try await borrowed(server)
        let headers: HTTPFields = [.acceptLanguage: language.tag]
        #expect(try await tv.get("account", headers: headers).text.contains(words))
        let own = try await server.browser(of: .anna).get("account").text
        #expect(own.contains("Your screens stay signed in.") && !own.contains("ends then"))
    }

    // MARK: What is remembered

    @Test(.server(withApps: true)) func `remembers no consent to an app`() async throws {
        let server = TestServer.current
        let tv = try await borrowed(server)
        for _ in 0..<2 {
            let page = try await tv.get("authorize?\(TestApps.shop.request.form.encoded)")
            let answer = try await tv.post(
                "authorize/decision", ["authorization": page.unescapedField("authorization"), "decision": "approve"])
            #expect(answer.authorization?.code != nil)
        }
        #expect(try await server.rows(of: "consents") == 0)
    }

    @Test func `does not make its network one that the person is known in`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let tv = try await borrowed(server, at: TestScreenByLink.elsewhere)
            try await approve(try await server.ask().userCode.rawValue, in: tv)
            let now = server.clock.date
            let known = try await server.store.read { repositories in
                try [TestScreenByLink.home, TestScreenByLink.elsewhere].map {
                    try VisitHistory(repositories).isKnown(TestPerson.anna.subject, at: $0, asOf: now)
                }
            }
            #expect(known == [true, false])
        }
    }

    @Test(.server) func `shows a code for a screen no longer than it is signed in`() async throws {
        let server = TestServer.current
        let tv = try await borrowed(server)
        server.clock.advance(by: .seconds(870))
        try await tv.get("account")
        try await tv.post("activate/code")
        let page = try await tv.get("activate/code").text
        let shown = page.firstMatch(of: /<strong class="code">([0-9 ]+)</).flatMap { PersonCode(parsing: String($0.1)) }
        let code = try #require(shown)
        let record = try await server.store.read { try $0.personCodes.find(of: TestPerson.anna.subject) }
        let end = try #require(try await tv.session()?.expires)
        #expect(record?.expires == end)
        server.clock.advance(by: .seconds(30))
        #expect(try await server.ask(typing: code).error == .invalidGrant)
    }
}
