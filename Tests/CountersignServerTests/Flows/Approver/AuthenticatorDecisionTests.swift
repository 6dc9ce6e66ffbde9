import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A decision of an enrolled device", .server)
struct AuthenticatorDecisionTests {
    let server = TestServer.current

    @Test func `signs in who asked, and is kept as it was signed`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        let asked = try await client.asked(["binding_message": "Order 42"])
        let shown = try await device.shown()
        #expect(shown.response.clientName == .verified("The desk") && shown.response.message == "Order 42")
        #expect(shown.response.accountName == "Anna Ek" && shown.response.numberDigits == nil)
        #expect(shown.response.serverTime == server.clock.date.numericDate)
        #expect(shown.response.channel == .backchannel && shown.response.deviceName == nil)
        let answer = try await device.send(device.claims(on: shown))
        #expect(answer.status == .ok, "\(answer.text)")
        let said = try answer.json(ApproverDecideResponse.self)
        #expect(said.outcome == .approved && said.exchange == shown.response.exchange)
        server.clock.advance(by: .seconds(5))
        #expect(try await client.poll(asked).status == .ok)

        let kept = try #require(try await server.store.read { try $0.signedDecisions.find(said.exchange) })
        #expect(try UnverifiedDecision(kept.signed).claims(signedBy: kept.key).answer == .approve)
        let audited = try #require(try await server.audited(.approved).last)
        #expect(
            audited.detail?.hasPrefix(
                "account_password named_by_client decision_signed, by authenticator") == true)
    }

    @Test func `that denies ends the request`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        let asked = try await client.asked()
        #expect(try await device.decide(.deny).status == .ok)
        #expect(try await client.poll(asked).error == .accessDenied)
        #expect(try await server.audited(.denied).count == 1)
        #expect(try await server.audited(.reported).isEmpty)
    }

    @Test func `of a person who was locked since is refused, though the key of their device is known`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        _ = try await client.asked()
        let shown = try await device.shown()
        let approved = try await server.audited(.approved).count
        try await server.lock(.anna)
        for decision in [device.claims(on: shown), device.claims(on: shown, .deny)] {
            #expect(try await device.send(decision).status == .unauthorized)
        }
        #expect(try await device.look(shown.response.exchange).status == .unauthorized)
        #expect(try await server.audited(.approved).count == approved)
        #expect(try await server.audited(.denied).isEmpty)
    }

    /// Decisions elsewhere bind a key, too; a registered device is one that its person sees on their account.
    @Test func `is refused without a registered device, though the sign-in has a key`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        let asked = try await client.asked()
        let shown = try await device.shown()
        try await server.change { repositories in
            for known in try repositories.devices.all(of: TestPerson.anna.subject) {
                _ = try repositories.devices.remove(known.id)
            }
        }
        for decision in [device.claims(on: shown), device.claims(on: shown, .deny)] {
            #expect(try await device.send(decision).error == .invalidRequest)
        }
        #expect(try await client.poll(asked).error == .authorizationPending)
    }

    @Test func `is no answer to a look by another way, and the other way round`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        let phone = TestApprover(server: server, token: device.token, key: device.key)
        let screen = try await server.screenNearby()
        let nearby = try await phone.shown(screen)
        let instead = device.claims(.approve, by: .inbox(InboxFinding()), on: nearby)
        #expect(try await device.send(instead).error == .invalidGrant)

        let asked = try await client.asked()
        let shown = try await device.shown()
        let other = phone.claims(.approve, by: .nearby(NearbyFinding(link: screen.link, proof: .code)), on: shown)
        #expect(try await phone.send(try phone.signed(other)).error == .invalidGrant)
        #expect(try await client.poll(asked).error == .authorizationPending)
        // Each is answered where it was shown.
        #expect(try await device.send(device.claims(on: shown)).status == .ok)
        #expect(try await phone.send(try phone.signed(phone.claims(on: nearby, over: screen.link))).status == .ok)
    }

    @Test func `of one device ends the look of another`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let (first, second) = (try await server.authenticator(), try await server.authenticator())
        _ = try await client.asked()
        let seen = try await second.shown()
        #expect(try await first.decide(.approve).status == .ok)
        #expect(try await second.send(second.claims(on: seen, .deny)).error == .invalidGrant)
        #expect(try await second.entries() == [])
    }

    @Test(.server { $0.limits[.approverPerAccount] = nil }) func `is refused with any byte of it changed`() async throws
    {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        _ = try await client.asked()
        let decision = try device.signed(device.claims(on: try await device.shown()))
        let bytes = Array(decision.utf8)
        for place in bytes.indices {
            var changed = bytes
            changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let answer = try await device.send(String(decoding: changed, as: UTF8.self))
            #expect(answer.status == .badRequest, "\(place)")
        }
        #expect(try await device.entries().count == 1)
        #expect(try await device.send(decision).status == .ok)
    }

    @Test func `is confirmed again when the same device repeats it, and counts once`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let (device, other) = (try await server.authenticator(), try await server.authenticator())
        let asked = try await client.asked()
        let shown = try await device.shown()
        let decision = try device.signed(device.claims(on: shown))
        let before = try await server.audited(.approved).count
        for _ in 0..<3 {
            let said = try await device.send(decision).json(ApproverDecideResponse.self)
            #expect(said.outcome == .approved && said.exchange == shown.response.exchange)
        }
        #expect(try await server.audited(.approved).count == before + 1)
        #expect(try await other.send(decision).status == .badRequest)
        var changed = device.claims(on: shown, .deny)
        changed.id = "another one"
        #expect(try await device.send(changed).error == .invalidGrant)
        server.clock.advance(by: .seconds(5))
        #expect(try await client.poll(asked).status == .ok)
    }

    @Test func `that mutes denies, and its client asks no more`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        let asked = try await client.asked()
        #expect(try await device.decide(.mute).json(ApproverDecideResponse.self).outcome == .muted)
        #expect(try await client.poll(asked).error == .accessDenied)
        #expect(try await server.audited(.reported).isEmpty)
        _ = try await client.asked()
        #expect(try await device.entries().isEmpty)
    }

    @Test func `is refused on another request, for other words, another server, another time or by another key`()
        async throws
    {
        let client = try await TestBackchannelClient.add(to: server)
        var device = try await server.authenticator()
        _ = try await client.asked()
        let first = try await device.shown()
        _ = try await device.send(device.claims(on: first, .deny))
        _ = try await client.asked()
        let second = try await device.shown()
        // Each starts from a good one.
        var claims = device.claims(on: second)
        claims.nonce = first.response.nonce
        #expect(try await device.send(claims).error == .invalidGrant)
        claims = device.claims(on: first)
        claims.exchange = second.response.exchange
        #expect(try await device.send(claims).error == .invalidGrant)
        claims = device.claims(on: second)
        claims.shown = first.digest
        #expect(try await device.send(claims).error == .invalidRequest)
        claims = device.claims(on: second)
        claims.audience = "https://other.example"
        #expect(try await device.send(claims).error == .invalidRequest)
        for wrong in [-61, 61] {
            claims = device.claims(on: second)
            claims.issued += wrong
            #expect(try await device.send(claims).error == .invalidRequest)
        }
        let key = device.key
        device.key = P256.Signing.PrivateKey()
        #expect(try await device.send(device.claims(on: second)).error == .invalidRequest)
        device.key = key
        #expect(try await device.send(device.claims(on: second)).status == .ok)
    }

    @Test func `needs a device whose key is known, and takes none from a stolen token before the first answer`()
        async throws
    {
        let client = try await TestBackchannelClient.add(to: server)
        try await client.server.addAuthenticatorApp()
        let tokens = try await client.server.redeem(try await client.server.ticket()).json(TokenResponse.self)
        let device = TestApprover(server: client.server, token: tokens.accessToken)
        let asked = try await client.asked()
        // Nobody's key is known before the device registers.
        #expect(try await device.send(device.claims(on: try await device.shown())).error == .invalidRequest)
        #expect(try await device.register().status == .ok)
        // The thief has the token, and a key of their own.
        let thief = TestApprover(server: client.server, token: tokens.accessToken)
        #expect(try await thief.send(thief.claims(on: try await thief.shown())).error == .invalidRequest)
        #expect(try await thief.register().error == .invalidRequest)
        #expect(try await client.poll(asked).error == .authorizationPending)
        #expect(try await device.decide(.approve).status == .ok)
    }

    @Test(.server { $0.minimumEvidence = [ScopeWord("play"): ScopeDemands([.secondFactor])] })
    func `is not enough where policy wants more`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        _ = try await client.asked(["scope": "openid play"])
        let answer = try await device.decide(.approve)
        #expect(answer.status == .forbidden && answer.error == .accessDenied)
        #expect(try await device.decide(.deny).status == .ok)
    }

    @Test(.server { $0.limits[.approverPerAccount] = Limit(4, in: 60) }) func `counts against limits, right or wrong`()
        async throws
    {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        let bert = try await server.authenticator(of: .bert)
        // Registering a device counted as well.
        server.clock.advance(by: .seconds(60))
        _ = try await client.asked()
        let shown = try await device.shown()
        for _ in 0..<2 { #expect(try await device.send("x").error == .invalidRequest) }
        #expect(try await device.look(shown.response.exchange).status == .ok)
        #expect(try await device.send(device.claims(on: shown)).status == .tooManyRequests)
        #expect(try await device.look(shown.response.exchange).status == .tooManyRequests)
        // Nobody else is kept waiting, though they are at the same address.
        _ = try await client.asked(["login_hint": "bert"])
        #expect(try await bert.decide(.approve).status == .ok)
        server.clock.advance(by: .seconds(60))
        #expect(try await device.decide(.approve).status == .ok)
    }

    // MARK: Reports

    @Test func `that reports denies, is written down with its reason, and mutes the source`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let other = TestBackchannelClient(server: client.server, name: "other")
        try await other.register()
        let device = try await client.server.authenticator()
        let asked = try await client.asked()
        #expect(try await device.decide(.report, reason: "I was asleep").status == .ok)
        #expect(try await client.poll(asked).error == .accessDenied)
        let entry = try #require(try await client.server.audited(.reported).last)
        #expect(entry.detail?.hasPrefix("reason: I was asleep, by authenticator") == true)
        #expect(entry.client == client.id && entry.subject == TestPerson.anna.subject)
        #expect(try await client.server.audited(.denied).isEmpty)
        let muted = try #require(try await client.server.audited(.muteAdded).last)
        #expect(muted.client == client.id && muted.detail == "reported")
        #expect(client.server.metrics.text().contains("countersign_requests_reported_total 1"))

        // Later requests of the muted client get the same answers as before.
        let later = try await client.ask()
        let laterAsked = try later.json(BackchannelAuthenticationResponse.self)
        #expect(later.status == .ok && laterAsked.expiresIn == asked.expiresIn)
        #expect(try await client.poll(laterAsked).error == .authorizationPending)
        #expect(try await device.entries() == [])
        // Another source, and another person, are not affected.
        _ = try await other.asked()
        #expect(try await device.entries().count == 1)
        _ = try await client.asked(["login_hint": "bert"])
        #expect(try await client.server.waiting(for: .bert) == 1)
        client.server.clock.advance(by: .seconds(7200))
        _ = try await client.asked()
        #expect(try await device.entries() == [])
        // The person lifts it on their page, where it is told.
        let anna = try await client.server.browser(of: .anna)
        #expect(try await anna.get("account").text.contains("You said that you did not start what it asked."))
        let lifted = try await anna.post("account/unmute", ["client": client.id.rawValue])
        #expect(lifted.location == "/account?done=unmuted")
        _ = try await client.asked()
        #expect(try await device.entries().count == 1)
    }

    @Test func `that denies again and again hides nothing`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        for _ in 0..<9 {
            _ = try await client.asked()
            #expect(try await device.decide(.deny).status == .ok)
        }
        _ = try await client.asked()
        #expect(try await device.entries().count == 1)
        #expect(try await server.audited(.muteAdded).isEmpty)
    }

    // MARK: Numbers

    /// A number that is not this one.
    private func wrong(_ number: String?) -> String { number == "00" ? "01" : "00" }

    @Test func `with a number needs the right one`() async throws {
        let client = try await TestBackchannelClient.add(to: server, editing: { $0.backchannel.showsNumber = true })
        let device = try await server.authenticator()
        let asked = try await client.asked()
        let number = try #require(asked.verificationNumber)
        #expect(number.utf8.count == 2)
        let shown = try await device.shown()
        #expect(shown.response.numberDigits == 2)
        #expect(try await device.send(device.claims(on: shown)).error == .invalidNumber)
        #expect(try await device.decide(.approve, number: wrong(number)).error == .invalidNumber)
        #expect(try await device.decide(.approve, number: wrong(number)).error == .invalidNumber)
        #expect(try await device.decide(.approve, number: number).status == .ok)
        server.clock.advance(by: .seconds(5))
        #expect(try await client.poll(asked).status == .ok)
        let audited = try #require(try await server.audited(.approved).last)
        let detail = try #require(audited.detail)
        #expect(detail.contains("decision_signed number_matched"))
        #expect(!detail.split(separator: " ").contains(Substring(number)))
    }

    @Test func `that misses the number three times denies the request`() async throws {
        let client = try await TestBackchannelClient.add(to: server, editing: { $0.backchannel.showsNumber = true })
        let device = try await server.authenticator()
        let asked = try await client.asked()
        let number = asked.verificationNumber
        let shown = try await device.shown()
        for _ in 0..<3 {
            let claims = device.claims(on: shown, number: wrong(number))
            #expect(try await device.send(claims).error == .invalidNumber)
        }
        #expect(try await device.send(device.claims(on: shown, number: number)).error == .invalidGrant)
        #expect(try await client.poll(asked).error == .accessDenied)
        let denied = try #require(try await server.audited(.denied).last)
        #expect(denied.detail == "the digits were wrong too often")
    }

    @Test func `needs no number to deny`() async throws {
        let client = try await TestBackchannelClient.add(to: server, editing: { $0.backchannel.showsNumber = true })
        let device = try await server.authenticator()
        _ = try await client.asked()
        #expect(try await device.decide(.deny).status == .ok)
    }

    @Test func `is as good on the page, where the number is typed too`() async throws {
        let client = try await TestBackchannelClient.add(to: server, editing: { $0.backchannel.showsNumber = true })
        let anna = try await server.browser(of: .anna)
        let asked = try await client.asked()
        let page = try await anna.openQuestion()
        #expect(page.text.contains("2 digits"))
        let id = try #require(page.field("request"))
        let wrongly: Form = ["request": id, "decision": "approve", "number": wrong(asked.verificationNumber)]
        let again = try await anna.post("activate/decision", wrongly)
        let shown = try await server.get(try #require(again.location), headers: [.cookie: anna.cookie])
        #expect(shown.text.contains("That is not the number"))
        let none = try await anna.post("activate/decision", ["request": id, "decision": "approve"])
        #expect(none.location?.contains("number=wrong") == true)
        var rightly = wrongly
        rightly["number"] = asked.verificationNumber
        let done = try await anna.post("activate/decision", rightly)
        #expect(done.location?.contains("/activate/result?") == true)
        server.clock.advance(by: .seconds(5))
        #expect(try await client.poll(asked).status == .ok)
    }

    @Test func `shows numbers for people who are not known, too`() async throws {
        let client = try await TestBackchannelClient.add(to: server, editing: { $0.backchannel.showsNumber = true })
        let (real, fake) = (try await client.ask(), try await client.ask(["login_hint": "nobody"]))
        #expect(real.members == fake.members && real.members.contains("verification_number"))
    }

    // MARK: At once

    /// Lets one device approve and another deny at the same time, 200 times: one of them stands. `StorageTests` has the
    /// same on every store.
    @Test(
        .server { settings in
            for rule in [LimitRule.approverPerAccount, .questionPerAccount, .questionPerSource] {
                settings.limits[rule] = nil
            }
        })
    func `is one of two that come at once`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let (first, second) = (try await server.authenticator(), try await server.authenticator())
        for _ in 0..<200 {
            let asked = try await client.asked()
            let (mine, theirs) = (try await first.shown(), try await second.shown())
            async let approval = first.send(first.claims(on: mine))
            async let denial = second.send(second.claims(on: theirs, .deny))
            let (isApproved, isDenied) = (try await approval.status == .ok, try await denial.status == .ok)
            #expect(isApproved != isDenied)
            let stored = try await server.store.read { try $0.exchanges.find(asked.request.digest) }
            #expect(stored?.status(at: server.clock.date) == (isApproved ? .approved : .denied))
        }
    }
}
