import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The account page", .server)
struct AccountPageTests {
    let server = TestServer.current

    @Test func `lists the screens that are signed in, and the approvals that wait`() async throws {
        let anna = try await server.browser(of: .anna)
        #expect(try await anna.get("account").text.contains("No screen is signed in as you."))

        let codes = try await server.ask(deviceName: "Kitchen TV")
        try await anna.decide("approve", codes)
        #expect(try await anna.get("account").text.contains("Approved, not picked up yet"))
        _ = try await server.poll(codes)
        let page = try await anna.get("account").text
        #expect(!page.contains("Approved, not picked up yet"))
        #expect(page.contains("The tv") && page.contains("Kitchen TV"))

        let bert = try await server.browser(of: .bert)
        #expect(try await !bert.get("account").text.contains("Kitchen TV"))
    }

    @Test func `points out each screen or app that signed in, for a day, and of many the latest ten`() async throws {
        let anna = try await server.browser(of: .anna)
        let words = "A screen or an app was signed in as you"
        #expect(try await !anna.get("account").text.contains(words))
        _ = try await server.signedIn(.radio)
        server.clock.advance(by: .seconds(3600))
        _ = try await server.signedIn()
        let page = try await anna.get("account").text
        let notices = page.components(separatedBy: words).dropFirst().map { $0.prefix { $0 != "." } }
        #expect(notices.count == 2 && notices[0].contains("<bdi>The tv</bdi>"))
        #expect(notices.last?.contains("<bdi>The radio</bdi>") == true)
        #expect(try await !server.browser(of: .bert).get("account").text.contains(words))
        server.clock.advance(by: .seconds(86_400))
        #expect(try await !server.browser(of: .anna).get("account").text.contains(words))
        for _ in 0..<11 {
            server.clock.advance(by: .seconds(60))
            _ = try await server.signedIn()
        }
        let later = try await server.browser(of: .anna).get("account").text
        #expect(later.components(separatedBy: words).count == 1 + 10)
    }

    @Test func `announces what was refused as a problem, and what was done as such`() async throws {
        let anna = try await server.browser(of: .anna)
        let refusals: [AccountPage.CompletedAct] = [
            .tooLate, .delivered, .lastWay, .backchannelUserCodeRefused, .pushRefused,
        ]
        for done in AccountPage.CompletedAct.allCases {
            let isRefused = refusals.contains(done)
            let page = try await anna.get("account?done=\(done.rawValue)").text
            let words = "<p>\(done.words.english)</p></div>"
            let alert = "<div class=\"alert\" role=\"alert\" id=\"problem\">\(words)"
            let notice = "<div class=\"notice\" role=\"status\">\(words)"
            #expect(page.contains(alert) == isRefused && page.contains(notice) != isRefused, "\(done)")
            #expect(page.contains("<title>Problem: ") == isRefused, "\(done)")
            // The field is there for those alone whom an app may ask for such a code.
            let field = Markup(page).all("input").first { $0.attributes["id"] == "backchannel_user_code" }?.attributes
            #expect((field != nil) == (done == .backchannelUserCodeRefused), "\(done)")
            #expect(field.map { $0["aria-invalid"] == "true" } != false)
            #expect(field.map { $0["aria-describedby"]?.hasSuffix(" problem") == true } != false)
            #expect(field.map { $0["autocomplete"] == "new-password" } != false)
        }
    }

    @Test func `signs one screen out, at once and for good`() async throws {
        let one = try await server.signedIn()
        let other = try await server.signedIn(.radio)
        let anna = try await server.browser(of: .anna)
        server.clock.advance(by: .seconds(120))
        let grants = Markup(try await anna.get("account").text).all("input").compactMap {
            $0.attributes["name"] == "grant" ? $0.attributes["value"] : nil
        }
        #expect(grants.count == 2)
        let grant = try #require(try await self.grant(of: one, at: server))
        #expect(try await anna.post("account/sign-out", ["grant": grant]).location == "/account?done=signed-out")

        #expect(try await !server.honours(one.accessToken))
        #expect(try await server.refresh(one.refreshToken).error == .invalidGrant)
        #expect(try await server.honours(other.accessToken))
        #expect(try await anna.post("account/sign-out", ["grant": grant]).location == "/account?done=nothing")
        let notice = try await anna.get("account?done=signed-out").text
        #expect(notice.contains("That screen is signed out."))
    }

    @Test(arguments: [(0.0, "undone"), (59, "undone"), (60, "too-late"), (200, "too-late")])
    func `undoes an approval within a minute, before it is redeemed`(after: Double, done: String) async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let grant = try await anna.approve(codes)
        server.clock.advance(by: .seconds(after))
        let answer = try await anna.post("account/undo", ["grant": grant.rawValue])
        #expect(answer.location == "/account?done=\(done)")
        #expect(try await server.poll(codes).error == (done == "undone" ? .accessDenied : nil))
    }

    /// THREATS: an app that makes approvals until an older one is not found any more.
    @Test(.server(withSigningKeys: false, withDomains: true))
    func `undoes an approval however many there are, and withdraws all of a device`() async throws {
        let anna = try await server.browser(of: .anna)
        let device = try await server.newDevice()
        try await device.signedIn(.bank)
        let association = try await device.associated(.radio)
        try await server.confirm("approve", as: .anna)
        let codes = try await server.ask()
        let grant = try await anna.approve(codes)
        let now = server.clock.date
        try await server.change { repositories in
            let digest = codes.deviceCode.digest
            let model = try #require(try repositories.exchanges.find(digest))
            for number in 0..<250 {
                let other = Grant(
                    id: Grant.ID("other \(number)"), subject: TestPerson.anna.subject,
                    client: TestClients.console.id, scope: .none, evidence: Evidence(), approved: now + 1)
                let request = SignInRequest(
                    id: SignInRequest.ID("other \(number)"),
                    client: .verified(TestClients.console.id),
                    scope: .verified(.none),
                    asked: .observed(now),
                    deadline: now + 300
                )
                let state = SignInExchange.State.approved(
                    other, by: ApproverIdentity(subject: TestPerson.anna.subject, id: ApproverID("browser")))
                try repositories.exchanges.insert(
                    SignInExchangeRecord(
                        exchange: SignInExchange(restoring: request, in: state),
                        requestCode: SecretDigest(of: "device \(number)"),
                        method: .deviceCode(UserCodeDigest(restoring: SecretDigest(of: "user \(number)").bytes)),
                        interval: model.interval
                    )
                )
            }
        }
        #expect(try await anna.post("account/undo", ["grant": grant.rawValue]).location == "/account?done=undone")
        #expect(try await server.poll(codes).error == .accessDenied)
        let record = try #require(try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }.first)
        _ = try await anna.post("account/sign-out", ["grant": record.grant.id.rawValue])
        #expect(try await device.poll(association).status != .ok)
    }

    /// Features of Cross-Platform Authentication: what a device asks ends with its sign-in.
    @Test(.server(withSigningKeys: false, withDomains: true))
    func `takes back what a device asks when it is signed out`() async throws {
        let anna = try await server.browser(of: .anna)
        let phone = try await server.authenticator()
        let device = try await server.newDevice()
        try await device.signedIn(.bank)
        _ = try await device.associated(.radio)
        #expect(try await server.waiting(for: .anna) == 1)
        let records = try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }
        let record = try #require(records.first { $0.request.domain != nil })
        _ = try await anna.post("account/sign-out", ["grant": record.grant.id.rawValue])
        #expect(try await server.waiting(for: .anna) == 0)
        let other = try await server.newDevice(named: "Bedroom radio")
        try await other.signedIn(.bank)
        _ = try await other.associated(.radio)
        let entries = try await phone.entries()
        #expect(entries.count == 1)
        let shown = try await phone.look(try #require(entries.first).exchange)
        #expect(shown.status == .ok)
    }

    @Test(arguments: [(0.0, "undone"), (59, "undone"), (60, "too-late")])
    func `undoes an approval within a minute, after it was redeemed`(after: Double, done: String) async throws {
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let grant = try await anna.approve(codes)
        let tokens = try await server.poll(codes).json(TokenResponse.self)
        server.clock.advance(by: .seconds(after))
        let answer = try await anna.post("account/undo", ["grant": grant.rawValue])
        #expect(answer.location == "/account?done=\(done)")
        let isOver = done == "undone"
        #expect(try await server.honours(tokens.accessToken) != isOver)
        #expect(try await server.refresh(tokens.refreshToken).error == (isOver ? .invalidGrant : nil))
    }

    @Test func `lists the other browsers of the person, and signs one out`() async throws {
        let anna = try await server.browser(of: .anna)
        let words = "Your other browsers"
        #expect(try await !anna.get("account").text.contains(words))
        let other = try await server.browser(of: .anna)
        let bert = try await server.browser(of: .bert)
        #expect(try await !bert.get("account").text.contains(words))
        let page = try await anna.get("account")
        #expect(page.text.contains(words) && page.text.contains("<span>the password</span>"))
        let form: Form = ["session": page.field("session")]
        #expect(try await bert.post("account/browsers/sign-out", form).location == "/account?done=nothing")
        #expect(try await other.get("account").status == .ok)
        #expect(try await anna.post("account/browsers/sign-out", form).location == "/account?done=signed-out")
        #expect(try await other.get("account").location?.hasPrefix("/login") == true)
        #expect(try await anna.get("account").status == .ok)
        #expect(try await anna.post("account/browsers/sign-out", [:]).status == .forbidden)
    }

    @Test func `undoes an approval once`() async throws {
        let anna = try await server.browser(of: .anna)
        let codes = try await server.ask()
        let grant = try await anna.approve(codes)
        for done in ["undone", "nothing"] {
            let answer = try await anna.post("account/undo", ["grant": grant.rawValue])
            #expect(answer.location == "/account?done=\(done)")
        }
        #expect(try await server.poll(codes).error == .accessDenied)
    }

    @Test(arguments: [true, false], ["account/undo", "account/sign-out"])
    func `touches nothing of another person's`(isRedeemed: Bool, path: String) async throws {
        let codes = try await server.ask()
        let grant = try await server.browser(of: .anna).approve(codes)
        if isRedeemed { _ = try await server.poll(codes) }
        let bert = try await server.browser(of: .bert)
        let before = try await server.dump()
        for named in [grant.rawValue, "unknown", "é", "' OR 1=1 --"] {
            let answer = try await bert.post(path, ["grant": named])
            #expect(answer.location == "/account?done=nothing")
        }
        #expect(try await bert.post(path, [:]).status == .forbidden)
        #expect(try await server.dump() == before)
    }

    @Test(arguments: ["", "signed-outx", "<script>", "%3Cscript%3E", "é"])
    func `shows no notice but its own`(done: String) async throws {
        let anna = try await server.browser(of: .anna)
        let plain = try await anna.get("account").body
        #expect(try await anna.get("account?done=\(done)").body == plain)
    }

    /// The grant that an access token comes from.
    private func grant(of tokens: TokenResponse, at server: TestServer) async throws -> String? {
        try await server.store.read { try $0.accessTokens.find(tokens.accessToken.digest)?.grant?.rawValue }
    }
}
