import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("Requests at devices of the older dialect", .server(configuring: TestLegacyPhone.configure))
struct LegacyDecisionTests {
    let server = TestServer.current

    private func listed(_ phone: TestLegacyPhone, _ secret: CustomerSiteSecret) async throws -> [AuthenticationRequest]
    {
        let answer = try await phone.requests(secret)
        #expect(answer.status == .ok, "\(answer.text)")
        return try answer.json([AuthenticationRequest].self)
    }

    @Test func `are listed with what the older SDK reads, and disappear at their end`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.joined()
        // The request that it joined with is over.
        phone.server.clock.setDate(phone.server.clock.date + 60)
        #expect(try await listed(phone, secret).isEmpty)
        let asked = try await phone.customer.open(.instant, ["ip": "\"203.0.113.7\"", "expiry": "70"])
        let list = try await phone.requests(secret).text
        let shown = try #require(try await listed(phone, secret).first)
        #expect(shown.id == asked.id && shown.kind == .instant && shown.expiry == 70 && shown.address == "203.0.113.7")
        #expect(shown.pin == nil && shown.number == nil && shown.invitation == nil)
        #expect(list.contains(#""created_at":""#) && list.contains("+0000"))
        phone.server.clock.setDate(phone.server.clock.date + 70)
        #expect(try await listed(phone, secret).isEmpty)
    }

    @Test(arguments: ["approved", "denied"])
    func `are answered with the token of the first app, which says nothing`(status: String) async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.joined()
        let asked = try await phone.customer.open()
        let body = #"{"auth_status":"\#(status)"}"#
        let answer = try await phone.answer(asked, body, by: phone.token(secret))
        #expect(answer.status == .ok, "\(answer.text)")
        #expect(try answer.json(AuthenticationRequest.self).status?.rawValue == status)
        #expect(try await phone.customer.read(asked).status?.rawValue == status)
        let again = try await phone.answer(asked, body, by: phone.token(secret))
        #expect(again.status == .conflict && again.failure?.status == 409)
        let entry = try await phone.server.store.read { try $0.audit.entries(before: .max, limit: 1).first }
        #expect(entry?.facts.act == (status == "approved" ? .approved : .denied))
        #expect(entry?.facts.detail?.contains("older dialect") == true)
    }

    @Test func `are weak evidence, with which policy may ask for more`() async throws {
        try await TestLegacyPhone.open(configuring: { $0.minimumEvidence = [.openid: ScopeDemands([.password])] }) {
            (phone) async throws -> Void in
            let secret = try await phone.joined()
            let asked = try await phone.customer.open()
            let refused = try await phone.answer(asked, by: phone.token(secret))
            #expect(refused.status == .forbidden && refused.failure?.status == 403)
            #expect(try await phone.customer.read(asked).status == .open)
            #expect(try await phone.answer(asked, #"{"auth_status":"denied"}"#, by: phone.token(secret)).status == .ok)
        }
        let evidence = Evidence([.namedByClient, .possession(.sharedSecret, at: Date(timeIntervalSince1970: 0))])
        let openid = Scope([.openid])
        for demands in [
            ScopeDemands([.nearby]), ScopeDemands([.password]), ScopeDemands([.secondFactor]),
            ScopeDemands([.userVerified]), ScopeDemands([.number]), ScopeDemands([.deviceKey]),
            ScopeDemands([], within: 300),
        ] {
            let policy = Policy(minimumEvidence: [.openid: demands])
            #expect(throws: Policy.ViolationError.self) {
                try policy.authorize(.decision, client: .active, subject: .active, evidence: evidence, scope: openid)
            }
        }
    }

    @Test(arguments: [true, false])
    func `are answered by no phone that a person had before they were signed out everywhere`(isKept: Bool) async throws
    {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.joined()
        let asked = try await phone.customer.open()
        let now = phone.server.clock.date
        if !isKept {
            try await phone.server.change { try Revocation($0).endAll(of: TestPerson.anna.subject, at: now) }
        }
        let answer = try await phone.answer(asked, by: phone.token(secret))
        #expect((answer.status == .ok) == isKept, "\(answer.status)")
        #expect((try await phone.customer.read(asked).status == .approved) == isKept)
    }

    @Test func `are answered with the token of Android's app, whose body and request must be right, once`() async throws
    {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.joined()
        let asked = try await phone.customer.open()
        let (approve, deny) = (#"{"auth_status":"approved"}"#, #"{"auth_status":"denied"}"#)
        func token(_ body: String, _ request: String) -> String {
            CustomerSiteToken.text(by: secret, request: request, body: Array(body.utf8), at: phone.server.clock.date)
        }
        let id = asked.id.rawValue
        #expect(try await phone.answer(asked, approve, by: token(deny, id)).status == .unauthorized)
        #expect(try await phone.answer(asked, approve, by: token(approve, "other")).status == .unauthorized)
        #expect(try await phone.answer(asked, "\(approve) ", by: token(approve, id)).status == .unauthorized)
        #expect(try await phone.customer.read(asked).status == .open)
        let good = token(approve, id)
        #expect(try await phone.answer(asked, approve, by: good).status == .ok)
        #expect(try await phone.answer(asked, approve, by: good).status == .unauthorized)
    }

    @Test(arguments: ["open", "expired", "failed", "maybe", ""])
    func `take approved and denied only`(status: String) async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.joined()
        let asked = try await phone.customer.open()
        let answer = try await phone.answer(asked, #"{"auth_status":"\#(status)"}"#, by: phone.token(secret))
        #expect(answer.status == .badRequest && answer.failure?.status == 400)
        #expect(try await phone.customer.read(asked).status == .open)
    }

    @Test func `are gone when they are over, and missing when there are none`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.joined()
        let asked = try await phone.customer.open()
        phone.server.clock.setDate(phone.server.clock.date + 60)
        let late = try await phone.answer(asked, by: phone.token(secret))
        #expect(late.status.code == 410 && late.failure?.status == 410)
        #expect(try await phone.customer.read(asked).status == .expired)
        var other = asked
        other.id = AuthenticationRequest.ID("none")
        #expect(try await phone.answer(other, by: phone.token(secret)).status == .notFound)
    }

    @Test func `belong to their person and their site`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.joined()
        let strange = "+31699999999"
        try await phone.customer.give(strange, to: .bert)
        let berts = try await phone.customer.open(.instant, ["to": "\"\(strange)\""])
        #expect(try await phone.answer(berts, by: phone.token(secret)).status == .notFound)
        let wrong = CustomerSiteSecret(revealing: "wrong")
        let asked = try await phone.customer.open()
        #expect(try await phone.answer(asked, by: phone.token(wrong)).status == .unauthorized)
        let text = CustomerSiteToken.text(by: secret, at: phone.server.clock.date - 121)
        #expect(try await phone.answer(asked, by: text).status == .unauthorized)
    }

    @Test func `show a one-time password, which is not answered but typed`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.joined()
        phone.server.clock.setDate(phone.server.clock.date + 60)
        let asked = try await phone.customer.open(.oneTimePassword)
        let shown = try #require(try await listed(phone, secret).first)
        #expect(shown.kind == .oneTimePassword && shown.pin?.utf8.count == 5)
        #expect(try await phone.answer(asked, by: phone.token(secret)).status == .badRequest)
        let checked = try await phone.customer.check(try #require(shown.pin), of: asked)
        #expect(try checked.json(AuthenticationRequest.self).status == .approved)
    }

    /// The device that asks for the number may be lost: the others show the request all the same.
    @Test func `are shown and denied there beside a device that asks for the number, and not approved`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.joined()
        _ = try await phone.change(#""push_token":"00ffa0","push_enabled":true"#)
        phone.server.clock.setDate(phone.server.clock.date + 60)
        // Alone it answers, and its evidence lacks the number.
        let alone = try await phone.customer.open()
        #expect(try await listed(phone, secret).map(\.id) == [alone.id])
        #expect(try await phone.answer(alone, by: phone.token(secret)).status == .ok)
        let id = SignInRequest.ID(alone.id.rawValue)
        let grant = try await phone.server.store.read { try $0.exchanges.find(id)?.exchange.grant }
        #expect(grant?.evidence.proofs.contains(.numberMatched) == false)

        try await phone.customer.enrollDevice()
        let asked = try await phone.customer.open()
        #expect(asked.number?.utf8.count == 2)
        #expect(try await listed(phone, secret).map(\.id) == [asked.id])
        #expect(try await phone.customer.deliveries(about: asked).compactMap(\.device).count == 2)
        #expect(try await phone.answer(asked, by: phone.token(secret)).status == .forbidden)
        #expect(try await phone.customer.read(asked).status == .open)
        let deny = #"{"auth_status":"denied"}"#
        #expect(try await phone.answer(asked, deny, by: phone.token(secret)).status == .ok)
    }

    @Test func `are answered there again once the device that asks for the number is signed out`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.joined()
        phone.server.clock.setDate(phone.server.clock.date + 60)
        try await phone.customer.enrollDevice()
        let now = phone.server.clock.date
        try await phone.server.change { repositories in
            var signIn = try #require(try repositories.signIns.find(Grant.ID("sign-in of phone")))
            signIn.revoked = now
            try repositories.signIns.update(signIn)
        }
        let asked = try await phone.customer.open()
        #expect(try await listed(phone, secret).map(\.id) == [asked.id])
        #expect(try await phone.answer(asked, by: phone.token(secret)).status == .ok)
    }

    @Test(
        .server {
            TestLegacyPhone.configure(&$0)
            $0.userVerifyingApps = [ClientID("com.example.bank"), ClientID("authenticator")]

        })
    func `prove nothing of a person whom the app says that it verified`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.joined()
        let asked = try await phone.customer.open()
        let body = #"{"auth_status":"approved","uv":true}"#
        #expect(try await phone.answer(asked, body, by: phone.token(secret)).status == .ok)
        let id = SignInRequest.ID(asked.id.rawValue)
        let grant = try await phone.server.store.read { try $0.exchanges.find(id)?.exchange.grant }
        #expect(grant?.evidence.isUserVerified == false)
        #expect(grant?.evidence.authentication?.how == .possession(.sharedSecret))
    }

    @Test(
        .server {
            TestLegacyPhone.configure(&$0)
            $0.minimumEvidence = [.openid: ScopeDemands([.password])]
        })
    func `are for another device where policy asks for more`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.joined()
        phone.server.clock.setDate(phone.server.clock.date + 60)
        try await phone.customer.enrollDevice()
        let asked = try await phone.customer.open()
        #expect(try await listed(phone, secret).isEmpty)
        #expect(try await phone.answer(asked, by: phone.token(secret)).status == .forbidden)
        let deny = #"{"auth_status":"denied"}"#
        #expect(try await phone.answer(asked, deny, by: phone.token(secret)).status == .ok)
    }

    /// Apps forget a site upon 401, so that a lock is none.
    @Test func `end with a person who is locked, and go on once they are unlocked`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.joined()
        try await server.lock(.anna)
        #expect(try await phone.requests(secret).status == .forbidden)
        let asked = AuthenticationRequest(
            id: AuthenticationRequest.ID("none"), kind: .instant, expiry: 60, created: server.clock.date)
        #expect(try await phone.answer(asked, by: phone.token(secret)).status == .notFound)
        let wrong = CustomerSiteSecret(revealing: "another")
        #expect(try await phone.requests(wrong).status == .unauthorized)
        try await server.lock(.anna, .active)
        #expect(try await phone.requests(secret).status == .ok)
    }

    /// A body that comes slowly leaves time between the two.
    @Test(arguments: ["device", "enrolment", "person", "environment"])
    func `count only while everything holds that the token showed`(ending: String) async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.joined()
        let environment = phone.customer.environment.id
        let id = LegacyDeviceID(revealing: phone.id)
        let device = try await server.flow(LegacyDevicesFlow.self).devices.authentication.authenticated(
            LegacyDeviceAuthentication.Call(
                device: id, environment: environment, token: try CustomerSiteToken(phone.token(secret)),
                address: nil))
        try await server.store.read { try device.require(in: $0) }
        try await server.change { repositories in
            switch ending {
            case "device": _ = try repositories.devices.remove(id.stored)
            case "enrolment": _ = try repositories.devices.unenroll(id.stored, from: environment)
            case "person":
                var stored = try #require(try repositories.devices.find(id.stored))
                stored.subject = TestPerson.bert.subject
                try repositories.devices.update(stored)
            default: _ = try repositories.environments.remove(environment)
            }
        }
        await #expect(throws: CustomerSiteAPIError.self) {
            try await server.store.read { try device.require(in: $0) }
        }
    }
}
