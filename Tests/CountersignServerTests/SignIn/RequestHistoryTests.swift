import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The history of a request", .server)
struct RequestHistoryTests {
    let server = TestServer.current

    @Test func `tells a sign-in from its beginning to its end`() async throws {
        let codes = try await server.ask(deviceName: "Kitchen TV")
        let anna = try await server.browser(of: .anna)
        server.clock.advance(by: .seconds(1))
        let grant = try await anna.approve(codes)
        server.clock.advance(by: .seconds(1))
        _ = try await server.poll(codes)
        server.clock.advance(by: .seconds(100))
        _ = try await anna.post("account/sign-out", ["grant": grant.rawValue])
        let history = try await history(of: codes)
        #expect(
            history.events.map(\.english) == [
                "Asked for", "The screen got a code and a link to show",
                "The code was typed on a page of this server", "Approved on a page of this server",
                "The app was signed in", "Signed out on a page of this server",
            ]
        )
        #expect(history.events[3].englishProofs == ["the code of the screen, typed", "the password"])
        #expect(history.events.map(\.source).first == .request)
        #expect(history.events.map(\.at) == history.events.map(\.at).sorted())
        #expect(history.poll == .spent && history.end?.kind == .ended && !history.records.isSwept)
        #expect(history.records.people[TestPerson.anna.subject] != nil)
    }

    @Test func `tells of a denial, and what the client gets then`() async throws {
        let codes = try await server.ask()
        #expect(try await history(of: codes).poll == .pending)
        try await server.browser(of: .anna).decide("deny", codes)
        let history = try await history(of: codes)
        #expect(history.outcome?.english == "Denied on a page of this server")
        #expect(history.poll == .denied && history.end == nil && history.pollReason == "the person denied it")
    }

    @Test(arguments: [false, true])
    func `tells that its client gave it up, whether a person had opened it or not`(isOpened: Bool) async throws {
        let codes = try await server.ask()
        if isOpened { try await server.browser(of: .anna).take(codes) }
        server.clock.advance(by: .seconds(3))
        let form = try TestClients.tv.form.with(["token": codes.deviceCode.revealed])
        #expect(try await server.post(server.path("revoke"), form).status == .ok)
        let history = try await history(of: codes)
        let outcome = try #require(history.outcome)
        #expect(outcome.kind == .cancelled && outcome.english == "Cancelled at the screen")
        #expect(outcome.at == server.clock.date)
        #expect(history.poll == .denied && history.pollReason == "the app that asked gave it up")
        server.clock.advance(by: .seconds(3600))
        #expect(try await self.history(of: codes).outcome == outcome)
    }

    @Test func `tells that an approval was undone, before the screen was signed in and after`() async throws {
        for isRedeemed in [false, true] {
            let codes = try await server.ask()
            let anna = try await server.browser(of: .anna)
            let grant = try await anna.approve(codes)
            if isRedeemed { #expect(try await server.poll(codes).status == .ok) }
            _ = try await anna.post("account/undo", ["grant": grant.rawValue])
            let history = try await history(of: codes)
            #expect(history.outcome?.english == "Undone on a page of this server")
            let before = isRedeemed ? "the tokens were given before; " : ""
            #expect(history.pollReason == "\(before)the approval was undone")
        }
    }

    @Test(arguments: [false, true])
    func `tells how the sign-in of a browser ended`(isUndone: Bool) async throws {
        let tv = try await TestAskingBrowser.asking(server)
        let id = try await tv.stored().id
        let anna = try await server.browser(of: .anna)
        try await anna.approve(tv, session: "15m")
        try await tv.proceed()
        let grant = try #require(try await tv.session()?.opening?.grant.id)
        _ = try await anna.post(
            isUndone ? "account/undo" : "account/browsers/sign-out", ["grant": grant.rawValue])
        let history = try await Self.history(of: id, at: server)
        #expect(history.outcome?.kind == (isUndone ? .undone : .ended))
        let page = try await anna.get("activate/result?request=\(id)").text
        #expect(page.contains(isUndone ? "Undone on a page of this server, " : "Signed out on a page of this server, "))
    }

    @Test func `tells of a time that was over`() async throws {
        let codes = try await server.ask()
        server.clock.advance(by: .seconds(600))
        let history = try await history(of: codes)
        #expect(history.outcome?.english == "The time was over")
        #expect(history.poll == .expired)
    }

    @Test func `counts each wrong number, and names the denial by the last one`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server)
            let anna = try await server.browser(of: .anna)
            _ = try await screen.open(anna, at: TestScreenByLink.elsewhere)
            let wrong = TestScreenByLink.another(than: try #require(try await screen.number()))
            for _ in 1...NumberToMatch.tries {
                _ = try await screen.answer("approve", anna, number: wrong, at: TestScreenByLink.elsewhere)
            }
            let words = try await Self.history(of: screen.codes, at: server).events.map(\.english)
            #expect(words.filter { $0 == "A wrong number was typed on a page of this server" }.count == 2)
            #expect(words.contains("The link was opened on a page of this server"))
            #expect(words.contains("The number of the screen was asked for"))
            #expect(words.last == "Denied, because the number was wrong too often")
        }
    }

    @Test(.server { $0.minimumEvidence = [ScopeWord("play"): ScopeDemands([.secondFactor])] })
    func `tells once why policy did not allow an approval, however often it is tried`() async throws {
        let codes = try await server.ask(scope: "play")
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        for _ in 1...3 { #expect(try await anna.answer("approve", codes).status == .forbidden) }
        let refused = try await history(of: codes).events.filter { $0.kind == .refused }
        #expect(refused.map(\.detail) == ["no second factor"])
    }

    @Test func `tells once that a spent code was presented again`() async throws {
        let codes = try await server.ask()
        try await server.browser(of: .anna).decide("approve", codes)
        let tokens = try await server.poll(codes).json(TokenResponse.self)
        #expect(try await server.honours(tokens.accessToken))
        for _ in 1...3 {
            server.clock.advance(by: .seconds(30))
            let again = try await server.token(
                .deviceCode(codes.deviceCode), with: TestClients.tv.form, from: "198.51.100.77")
            #expect(again.error == .invalidGrant)
        }
        let refused = try await history(of: codes).events.filter { $0.kind == .redemptionRefused }
        #expect(refused.map(\.detail) == ["the code was redeemed before"])
        #expect(refused.first?.by == .client && refused.first?.address == "198.51.100.77")
    }

    @Test func `names the device that read and answered it`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        _ = try await client.asked()
        let id = try await device.shown().response.exchange
        #expect(try await device.decide(.approve).status == .ok)
        let words = try await Self.history(of: id, at: server).events.map(\.english)
        #expect(words.contains("Shown on Handy"))
        #expect(words.contains("Approved on Handy"))
        #expect(words.count { $0.hasPrefix("Shown") } == 1)
    }

    @Test func `hides the place of another person`() async throws {
        let codes = try await server.ask()
        let (anna, bert) = (try await server.browser(of: .anna), try await server.browser(of: .bert))
        try await bert.take(codes)
        try await anna.decide("approve", codes)
        let records = try #require(try await Self.records(of: codes, at: server))
        let hers = RequestHistory(records, to: TestPerson.anna.subject, at: server.clock.date)
        let taken = hers.events.filter { $0.kind == .taken(.code) }
        #expect(taken.map(\.place) == [nil, .page] && taken.map(\.isByAnother) == [true, false])
        #expect(taken.first?.address == nil)
    }

    /// THREATS: a person who opened a request that another one decided.
    @Test func `tells another person neither the proofs of an approval, nor offers them to undo it`() async throws {
        let codes = try await server.ask()
        let (anna, bert) = (try await server.browser(of: .anna), try await server.browser(of: .bert))
        try await bert.take(codes)
        try await anna.decide("approve", codes)
        let id = try await history(of: codes).records.id
        let hers = try await anna.get("account/request?id=\(id)")
        #expect(hers.text.contains("<li>the password</li>") && hers.field("grant") != nil)
        let his = try await bert.get("account/request?id=\(id)")
        #expect(his.text.contains("<h3>Approved by another person</h3>"))
        #expect(!his.text.contains("<li>the password</li>"))
        #expect(his.field("grant") == nil)
    }

    @Test func `names no device of the person who was asked to another one who opened it`() async throws {
        _ = try await server.authenticator()
        let codes = try await server.ask()
        try await server.browser(of: .bert).take(codes)
        let id = try await history(of: codes).records.id
        let (now, number) = (server.clock.date, try PhoneNumber("+31612345678"))
        try await server.change { repositories in
            let device = try #require(try repositories.devices.all(of: TestPerson.anna.subject).first)
            try repositories.deliveries.insert(
                Delivery(
                    id: Delivery.ID("told"), .text(nil, to: number), about: id, device: device.id, made: now,
                    expires: now + 60, state: .delivered(now)))
        }
        let records = try #require(try await Self.records(of: codes, at: server))
        let words = "A text message was sent"
        #expect(RequestHistory(records, at: now).events.map(\.english).contains("\(words) on Handy"))
        let his = RequestHistory(records, to: TestPerson.bert.subject, at: now).events.map(\.english)
        #expect(his.contains(words) && !his.contains { $0.contains("Handy") })
    }

    @Test func `is in the list of those alone who decided the request`() async throws {
        let codes = try await server.ask()
        let (anna, bert) = (try await server.browser(of: .anna), try await server.browser(of: .bert))
        try await bert.take(codes)
        try await anna.decide("approve", codes)
        let id = try await history(of: codes).records.id
        #expect(try await anna.get("account").text.contains("/account/request?id=\(id)"))
        #expect(try await !bert.get("account").text.contains("/account/request?id=\(id)"))
    }

    /// THREATS: a flood of requests that nobody takes.
    @Test func `begins in the audit when a person takes the request, not before`() async throws {
        // The first request makes the server's keys, which the audit names.
        _ = try await server.ask()
        let before = try await server.audit().count
        for _ in 1...20 {
            let codes = try await server.ask()
            _ = try await server.poll(codes)
        }
        #expect(try await server.audit().count == before)
    }

    @Test func `is still told by other records when the request was removed`() async throws {
        let codes = try await server.ask()
        try await server.browser(of: .anna).decide("approve", codes)
        _ = try await server.poll(codes)
        let id = try await history(of: codes).records.id
        server.clock.advance(by: .seconds(600 + 7201))
        try await server.maintenance().sweep()
        let left = try await Self.history(of: id, at: server)
        #expect(left.records.isSwept && left.poll == nil)
        #expect(
            left.events.map(\.english) == [
                "Asked for", "The code was typed on a page of this server", "Approved on a page of this server",
                "The app was signed in",
            ]
        )
    }

    // MARK: Secrets

    /// THREATS: a helpdesk, or a person who looks over its shoulder.
    @Test func `holds no secret, whatever happened`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server)
            let anna = try await server.browser(of: .anna)
            _ = try await screen.open(anna, at: TestScreenByLink.elsewhere)
            let number = try #require(try await screen.number())
            let wrong = TestScreenByLink.another(than: number)
            _ = try await screen.answer("approve", anna, number: wrong, at: TestScreenByLink.elsewhere)
            _ = try await screen.answer("approve", anna, number: number, at: TestScreenByLink.elsewhere)
            let tokens = try await screen.poll().json(TokenResponse.self)
            server.clock.advance(by: .seconds(30))
            _ = try await server.token(
                .deviceCode(screen.codes.deviceCode), with: TestClients.tv.form, from: "203.0.113.80")
            let history = try await Self.history(of: screen.codes, at: server)
            let told = history.events.map {
                "\($0.english) \($0.englishProofs) \($0.detail ?? "") \($0.address ?? "") \($0.subject?.rawValue ?? "")"
            }.joined(separator: "\n")
            let page = try await anna.get("account/request?id=\(history.records.id)")
            #expect(page.status == .ok)
            let secrets = [
                screen.codes.userCode.rawValue, screen.codes.userCode.rawValue.replacing("-", with: ""),
                screen.codes.deviceCode.revealed, tokens.accessToken.revealed,
                try #require(tokens.refreshToken).revealed, anna.formToken,
                "\(screen.codes.deviceCode.digest)", "\(tokens.accessToken.digest)",
            ]
            for secret in secrets {
                #expect(!told.contains(secret))
                #expect(!page.visible.contains(secret))
            }
            // The form for undoing it holds the token of the form, as every form does, and no other secret.
            for secret in secrets where secret != anna.formToken { #expect(!page.text.contains(secret)) }
            let words = told.split { $0.isWhitespace || ",[]\"".contains($0) }.map(String.init)
            #expect(!words.contains(number) && !words.contains(wrong))
        }
    }

    // MARK: The page

    @Test(arguments: [
        (PageLanguage.english, "What happened", "The code was typed on a page of this server", "the password"),
        (.german, "Was geschehen ist", "Der Code wurde eingegeben auf einer Seite dieses Servers", "das Passwort"),
        (.french, "Ce qui s’est passé", "Le code a été saisi sur une page de ce serveur", "le mot de passe"),
        (.spanish, "Qué pasó", "Se introdujo el código en una página de este servidor", "la contraseña"),
    ])
    func `is a page in each language`(
        language: PageLanguage, title: String, event: String, proof: String
    ) async throws {
        let codes = try await server.ask(deviceName: "Kitchen TV")
        let anna = try await server.browser(of: .anna)
        try await anna.decide("approve", codes)
        let id = try await history(of: codes).records.id
        let page = try await server.get(
            "/account/request?id=\(id)", headers: [.cookie: anna.cookie, .acceptLanguage: language.tag])
        #expect(page.status == .ok)
        #expect(page.text.contains("<h1>\(title)</h1>"))
        #expect(page.text.contains("<h3>\(event)</h3>"))
        #expect(page.text.contains("<li>\(proof)</li>"))
        #expect(page.text.contains("Kitchen TV") && page.field("grant") != nil)
    }

    @Test func `is a page for those whom it concerns alone`() async throws {
        let codes = try await server.ask()
        let (anna, bert) = (try await server.browser(of: .anna), try await server.browser(of: .bert))
        let id = try await history(of: codes).records.id
        #expect(try await anna.get("account/request?id=\(id)").status == .notFound)
        try await anna.decide("deny", codes)
        #expect(try await anna.get("account/request?id=\(id)").status == .ok)
        let none = try await bert.get("account/request?id=unknown")
        #expect(none.status == .notFound)
        #expect(try await bert.get("account/request?id=\(id)").body == none.body)
        #expect(try await bert.get("account/request").status == .notFound)
        #expect(try await server.get("/account/request?id=\(id)").location?.hasPrefix("/login?") == true)
    }

    @Test func `is linked from the account page, for sign-ins, devices and denials`() async throws {
        _ = try await server.authenticator()
        let (approved, denied) = (try await server.ask(), try await server.ask())
        let anna = try await server.browser(of: .anna)
        try await anna.decide("approve", approved)
        _ = try await server.poll(approved)
        try await anna.decide("deny", denied)
        let links = Markup(try await anna.get("account").text).all("a").compactMap { $0.attributes["href"] }
            .filter { $0.hasPrefix("/account/request?id=") }
        for codes in [approved, denied] {
            let id = try await history(of: codes).records.id
            #expect(links.contains("/account/request?id=\(id)"))
        }
        // The screen and the device at their places, and each of the three requests in the list of answers.
        #expect(links.count == 5)
        for link in links { #expect(try await anna.get(String(link.dropFirst())).status == .ok) }
    }

    // MARK: Finding it

    @Test func `is found by the identifier, by its beginning, and by the code as it was typed`() async throws {
        let codes = try await server.ask()
        let id = try await history(of: codes).records.id
        #expect(try await find(id.rawValue) == .found(id))
        #expect(try await find(String(id.rawValue.dropLast(3))) == .found(id))
        #expect(try await find(" \(codes.userCode.rawValue.lowercased()) ") == .found(id))
        #expect(try await find("") == .nothing)
        #expect(try await find("WDJB-MJHT") == .nothing)
        let other = try await history(of: try await server.ask()).records.id
        let both = String(zip(id.rawValue, other.rawValue).prefix { $0 == $1 }.map(\.0))
        #expect(try await find(both) == .several([id, other].sorted { $0.rawValue < $1.rawValue }))
        try await server.browser(of: .anna).decide("deny", codes)
        server.clock.advance(by: .seconds(600 + 7201))
        try await server.maintenance().sweep()
        #expect(try await find(String(id.rawValue.dropLast(3))) == .found(id))
        #expect(try await find(codes.userCode.rawValue) == .nothing)
        #expect(try await find(other.rawValue) == .nothing)
    }

    private func find(_ text: String) async throws -> RequestSearch.Result {
        try await server.store.read { try RequestSearch($0).find(text) }
    }

    private func history(of codes: DeviceAuthorizationResponse) async throws -> RequestHistory {
        try await Self.history(of: codes, at: server)
    }

    private static func records(
        of codes: DeviceAuthorizationResponse, at server: TestServer
    ) async throws -> RequestRecords? {
        try await server.store.read { repositories in
            guard let id = try repositories.exchanges.find(codes.deviceCode.digest)?.id else { return nil }
            return try RequestRecords(of: id, in: repositories)
        }
    }

    private static func history(
        of codes: DeviceAuthorizationResponse, at server: TestServer
    ) async throws -> RequestHistory {
        RequestHistory(try #require(try await records(of: codes, at: server)), at: server.clock.date)
    }

    private static func history(of id: SignInRequest.ID, at server: TestServer) async throws -> RequestHistory {
        let records = try await server.store.read { try RequestRecords(of: id, in: $0) }
        return RequestHistory(try #require(records), at: server.clock.date)
    }
}
