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

/// Standard: OpenID Connect Back-Channel Logout 1.0.
@Suite("An app that is told of sign-outs", .server(withApps: true))
struct BackChannelLogoutTests {
    let server = TestServer.current

    @Test func `gets a token that says whose session ended, signed as its ID tokens are`() async throws {
        try await server.tell(.shop)
        let anna = try await server.browser(of: .anna)
        let session = try await server.session(of: anna, at: .shop)
        _ = try await anna.confirm("logout")
        server.clock.advance(by: .seconds(10))
        let network = ScriptedTransport.listening()
        try await server.delivery(over: network).deliver()

        let sent = try #require(network.sent().first)
        #expect(network.sent().count == 1)
        #expect(sent.request.method == .post)
        #expect(sent.request.scheme == "https" && sent.request.authority == "app.example")
        #expect(sent.request.headerFields[.contentType] == "application/x-www-form-urlencoded")
        #expect(sent.form.parameters.map(\.name) == ["logout_token"])
        #expect(sent.limit == .seconds(5))
        let token = try await server.read(try #require(network.logoutTokens.first))
        #expect(token.header.type == "logout+jwt")
        #expect(token.names == ["iss", "sub", "aud", "iat", "exp", "jti", "events", "sid"])
        #expect(token.text("iss") == "http://localhost:8080")
        #expect(token.text("sub") == TestPerson.anna.subject.rawValue)
        #expect(token.text("aud") == "shop")
        #expect(token.text("sid") == session)
        let now = server.clock.date.numericDate
        #expect(token.number("iat") == now && token.number("exp") == now + 120)
        let events = token.claims["events"] as? [String: [String: String]]
        #expect(events == ["http://schemas.openid.net/event/backchannel-logout": [:]])
        #expect(try await server.notices() == [])
    }

    /// A way to end a person's session.
    enum Ending: CaseIterable {
        case endSession, logout, accountSignOut, withdrawal, undo, lock, password, removal, otherPerson

        func run(_ anna: TestBrowser) async throws {
            let server = anna.server
            let subject = TestPerson.anna.subject
            let now = server.clock.date
            switch self {
            case .endSession:
                let page = try await anna.get("end_session")
                _ = try await anna.post(
                    "end_session/decision", ["session": page.unescapedField("session")])
            case .logout:
                _ = try await anna.confirm("logout")
            case .accountSignOut, .undo:
                let record = try await server.store.read { try $0.signIns.all(of: subject) }.first
                let grant = try #require(record).grant.id.rawValue
                _ = try await anna.post(
                    self == .undo ? "account/undo" : "account/sign-out", ["grant": grant])
            case .withdrawal:
                _ = try await anna.post("account/withdraw", ["client": "shop"])
            case .lock, .password:
                try await server.change { try Sessions($0).endAll(of: subject, at: now) }
            case .removal:
                try await server.change { repositories in
                    try Revocation(repositories).endAll(of: subject, at: now)
                    _ = try repositories.people.remove(subject)
                }
            case .otherPerson:
                _ = try await anna.post("login", ["username": "bert", "password": TestPerson.bert.password.revealed])
            }
        }
    }

    @Test(arguments: Ending.allCases)
    func `is told whichever way the session ends, before the answer`(ending: Ending) async throws {
        try await server.tell(.shop)
        let anna = try await server.browser(of: .anna)
        let session = try await server.session(of: anna, at: .shop)
        #expect(try await server.notices() == [])
        try await ending.run(anna)
        let notice = try #require(try await server.notices().first)
        #expect(notice.session?.rawValue == session)
        #expect(notice.subject == TestPerson.anna.subject && notice.client == TestApps.shop.id)
    }

    @Test func `is told of its own browser session only, and once`() async throws {
        for app in [TestApps.shop, .intranet] { try await server.tell(app) }
        let (one, two) = (try await server.browser(of: .anna), try await server.browser(of: .anna))
        let first = try await server.session(of: one, at: .shop)
        #expect(try await server.session(of: one, at: .shop) == first)
        let second = try await server.session(of: two, at: .shop)
        _ = try await server.session(of: one, at: .phone)
        #expect(first != second)
        _ = try await one.confirm("logout")
        #expect(try await server.notices().map(\.session?.rawValue) == [first])
    }

    @Test func `knows a session by a name of its own, also after a refresh and a new sign-in`() async throws {
        let anna = try await server.browser(of: .anna)
        let tokens = try await server.redeem(try await anna.code(for: .shop), as: .shop).json(TokenResponse.self)
        let session = try await server.read(try #require(tokens.idToken).revealed).text("sid")
        #expect(try await server.session(of: anna, at: .intranet) != session)
        let refresh = TokenRequest.refresh(try #require(tokens.refreshToken), scope: .none)
        let again = try await server.post("/token", try refresh.form.with(TestApps.shop.credentials))
            .json(TokenResponse.self)
        #expect(try await server.read(try #require(again.idToken).revealed).text("sid") == session)
        let answer = try await anna.post("login", ["username": "anna", "password": TestPerson.anna.password.revealed])
        let cookie = try #require(answer.givenCookie)
        let account = try await server.get("/account", headers: [.cookie: cookie])
        let renewed = TestBrowser(server: server, cookie: cookie, formToken: try #require(account.field("form_token")))
        #expect(try await server.session(of: renewed, at: .shop) == session)
        #expect(try await server.notices() == [])
    }

    @Test func `is told also when its tokens have long expired`() async throws {
        try await server.change { repositories in
            var client = try #require(try repositories.clients.find(TestApps.shop.id))
            client.grantTypes = [.authorizationCode]
            try repositories.clients.update(client)
        }
        try await server.tell(.shop)
        let anna = try await server.browser(of: .anna)
        _ = try await server.session(of: anna, at: .shop)
        server.clock.advance(by: .seconds(11 * 3600))
        _ = try await server.store.change { try $0.signIns.sweep(before: server.clock.date, limit: 9) }
        _ = try await anna.confirm("logout")
        #expect(try await server.notices().count == 1)
    }

    @Test(arguments: [false, true])
    func `loses its tokens with the session, unless the person let it stay signed in`(stays: Bool) async throws {
        try await server.change { repositories in
            for app in [TestApps.shop, .phone] {
                var client = try #require(try repositories.clients.find(app.id))
                client.scope = Scope(client.scope.words + [.offlineAccess])
                try repositories.clients.update(client)
            }
        }
        try await server.tell(.shop)
        let anna = try await server.browser(of: .anna)
        func tokens(of app: TestApps) async throws -> TokenResponse {
            var request = app.request
            if stays { request.scope = Scope([.openid, .profile, .offlineAccess]) }
            let code = try await anna.authorize(request, answering: "approve").authorization?.code
            return try await server.redeem(try #require(code), as: app).json(TokenResponse.self)
        }
        let (told, other) = (try await tokens(of: .shop), try await tokens(of: .phone))
        _ = try await anna.confirm("logout")
        for (app, tokens, works) in [(TestApps.shop, told, stays), (.phone, other, true)] {
            #expect(try await server.honours(tokens.accessToken) == works)
            let refresh = TokenRequest.refresh(try #require(tokens.refreshToken), scope: .none)
            let answer = try await server.post("/token", try refresh.form.with(app.credentials))
            #expect(answer.status == (works ? .ok : .badRequest))
        }
        #expect(try await server.notices().count == 1)
    }

    @Test(arguments: [false, true])
    func `loses the tokens of every sign-in with the session, however many there are`(everywhere: Bool) async throws {
        try await server.tell(.shop)
        let anna = try await server.browser(of: .anna)
        _ = try await server.session(of: anna, at: .shop)
        // The person let each twentieth stay signed in.
        let grants = (0..<1100).map { Grant.ID("grant \($0)") }
        let staying = stride(from: 0, to: grants.count, by: 20).map { grants[$0] }
        try await server.change { repositories in
            let one = try #require(try repositories.signIns.all(of: TestPerson.anna.subject).first)
            let wider = Scope(one.grant.scope.words + [.offlineAccess])
            for id in grants {
                let grant = Grant(
                    id: id, subject: one.grant.subject, client: one.grant.client,
                    scope: staying.contains(id) ? wider : one.grant.scope,
                    evidence: one.grant.evidence, approved: one.grant.approved)
                try repositories.signIns.insert(
                    SignInRecord(
                        grant: grant, request: one.request, signedIn: one.signedIn, lastUsed: one.lastUsed,
                        ends: one.ends, session: one.session))
            }
        }
        if everywhere {
            let now = server.clock.date
            try await server.change { try Sessions($0).endAll(of: TestPerson.anna.subject, at: now) }
        } else {
            _ = try await anna.confirm("logout")
        }
        let left = try await server.store.read { repositories in
            try grants.filter { try repositories.signIns.find($0)?.revoked == nil }
        }
        #expect(left == staying)
    }

    @Test func `gets no tokens for a code of a session that has ended`() async throws {
        let anna = try await server.browser(of: .anna)
        let (code, other) = (try await anna.code(for: .shop), try await server.browser(of: .anna).code(for: .phone))
        _ = try await anna.confirm("logout")
        #expect(try await server.redeem(code, as: .shop).error == .invalidGrant)
        #expect(try await server.redeem(other, as: .phone).status == .ok)
    }

    @Test func `is told of a session that was continued, when it ends later than at first`() async throws {
        try await server.change { repositories in
            var client = try #require(try repositories.clients.find(TestApps.shop.id))
            client.grantTypes = [.authorizationCode]
            try repositories.clients.update(client)
        }
        try await server.tell(.shop)
        let anna = try await server.browser(of: .anna)
        let session = try await server.session(of: anna, at: .shop)
        server.clock.advance(by: .seconds(11 * 3600))
        let answer = try await anna.post("login", ["username": "anna", "password": TestPerson.anna.password.revealed])
        let cookie = try #require(answer.givenCookie)
        server.clock.advance(by: .seconds(11 * 3600))
        _ = try await server.store.change { try $0.signIns.sweep(before: server.clock.date, limit: 9) }
        let account = try await server.get("/account", headers: [.cookie: cookie])
        let renewed = TestBrowser(server: server, cookie: cookie, formToken: try #require(account.field("form_token")))
        _ = try await renewed.confirm("logout")
        #expect(try await server.notices().map(\.session?.rawValue) == [session])
    }

    @Test func `waits for no other app that is slow`() async throws {
        try await server.tell(.shop, at: "https://shop.example/slow")
        try await server.tell(.phone)
        let now = server.clock.date
        try await server.change { repositories in
            for number in 0..<20 {
                try repositories.clientNotices.keep(
                    ClientNotice(
                        .sessionEnded(SessionID(rawValue: "\(number)")),
                        client: number < 15 ? TestApps.shop.id : TestApps.phone.id,
                        subject: TestPerson.anna.subject,
                        occurred: now,
                        due: now + Double(number)
                    )
                )
            }
        }
        server.clock.advance(by: .seconds(60))
        let network = ScriptedTransport(["/slow": [.silence], "/ended": [.status(.ok)]])
        let delivery = server.delivery(over: network)
        let delivering = Task { try await delivery.deliver() }
        await network.requests(5, to: "/ended")
        await network.requests(3, to: "/slow")
        // It is called a few times at once, and the rest waits.
        #expect(network.sent(to: "/slow").count == 3)
        delivering.cancel()
        _ = await delivering.result
    }

    @Test func `is not told of what it asked for itself`() async throws {
        try await server.tell(.shop)
        let anna = try await server.browser(of: .anna)
        let tokens = try await server.redeem(try await anna.code(for: .shop), as: .shop).json(TokenResponse.self)
        let token = try #require(tokens.refreshToken).revealed
        _ = try await server.post("/revoke", try TestApps.shop.credentials.with(["token": token]))
        #expect(try await server.notices() == [])
    }

    @Test(arguments: [
        ScriptedTransport.Reply.status(.internalServerError), .status(.found, fields: [.location: "https://b.example"]),
        .status(.badRequest), .failure(TransportError(.timedOut, because: "")),
        .failure(TransportError(.notTrusted, because: "")),
    ])
    func `is called again a few times, and then no more`(failure: ScriptedTransport.Reply) async throws {
        try await server.tell(.shop)
        let anna = try await server.browser(of: .anna)
        _ = try await server.session(of: anna, at: .shop)
        _ = try await anna.confirm("logout")
        let network = ScriptedTransport.listening(answering: failure)
        let delivery = server.delivery(over: network)
        for (attempt, delay) in NoticeDelivery.delays.enumerated() {
            try await delivery.deliver()
            #expect(network.sent().count == attempt + 1)
            server.clock.advance(by: .seconds(delay - 1))
            try await delivery.deliver()
            #expect(network.sent().count == attempt + 1)
            server.clock.advance(by: .seconds(1))
        }
        #expect(try await server.notices() == [])
        #expect(network.sent().allSatisfy { $0.request.authority == "app.example" })
        let last = try await server.store.read { try $0.audit.entries(after: 0, limit: 100) }.last
        #expect(last?.facts.act == .logoutNotDelivered && last?.facts.client == TestApps.shop.id)
    }

    @Test func `is told when a later attempt arrives`() async throws {
        try await server.tell(.shop)
        let anna = try await server.browser(of: .anna)
        _ = try await server.session(of: anna, at: .shop)
        _ = try await anna.confirm("logout")
        let network = ScriptedTransport.listening(
            answering: .status(.serviceUnavailable), .status(.noContent))
        let delivery = server.delivery(over: network)
        try await delivery.deliver()
        server.clock.advance(by: .seconds(30))
        try await delivery.deliver()
        #expect(network.logoutTokens.count == 2)
        #expect(try await server.notices() == [])
    }

    @Test func `is called by one node at a time`() async throws {
        try await server.tell(.shop)
        let anna = try await server.browser(of: .anna)
        _ = try await server.session(of: anna, at: .shop)
        _ = try await anna.confirm("logout")
        let network = ScriptedTransport.listening()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { try await server.delivery(over: network).deliver() } }
            try await group.waitForAll()
        }
        #expect(network.sent().count == 1)
    }

    @Test func `is not called once it was removed, or does not want to be told`() async throws {
        for app in [TestApps.shop, .phone] { try await server.tell(app) }
        let anna = try await server.browser(of: .anna)
        for app in [TestApps.shop, .phone] { _ = try await server.session(of: anna, at: app) }
        _ = try await anna.confirm("logout")
        #expect(try await server.notices().count == 2)
        try await server.change { repositories in
            _ = try repositories.clients.remove(TestApps.shop.id)
            try repositories.clients.update(TestApps.phone.record(created: server.clock.date))
        }
        let network = ScriptedTransport.listening()
        try await server.delivery(over: network).deliver()
        #expect(network.sent().isEmpty)
        #expect(try await server.notices() == [])
    }

    @Test(arguments: [
        ("https://app.example/ended?a=b", true, true), ("https://app.example:8443/ended", true, false),
        ("http://127.0.0.1:9000/ended", true, false), ("http://localhost/ended", true, false),
        ("https://localhost/ended", true, false), ("https://10.0.0.1/ended", true, false),
        ("https://2130706433/ended", true, false), ("https://intranet/ended", true, false),
        ("https://printer.local/ended", true, false), ("https://0x7f.1/ended", true, false),
        ("http://app.example/ended", false, false), ("https://app.example/ended#part", false, false),
        ("https://user@app.example/ended", false, false), ("org.example.app:/ended", false, false),
        ("cpacred://verification", false, false), ("", false, false), ("https://", false, false),
    ])
    func `names an address that the server may call`(address: String, byOperator: Bool, byItself: Bool) {
        #expect((NotificationAddress.objection(to: address, isSelfRegistered: false) == nil) == byOperator)
        #expect((NotificationAddress.objection(to: address, isSelfRegistered: true) == nil) == byItself)
    }
}
