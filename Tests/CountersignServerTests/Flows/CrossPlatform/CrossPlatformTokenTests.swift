import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: ETSI TS 103 407 §8.4.
@Suite("A device's token for a domain", .server(withSigningKeys: false, withDomains: true))
struct CrossPlatformTokenTests {
    let server = TestServer.current

    @Test func `can be had without a person`() async throws {
        let device = try await server.newDevice()
        let answer = try await device.renew()
        #expect(answer.status == .ok)
        #expect(answer.headers[.cacheControl] == "no-store" && answer.headers[.pragma] == "no-cache")
        #expect(
            answer.members == ["access_token", "token_type", "expires_in", "domain", "domain_display_name"]
        )
        let response = try answer.json(CrossPlatformTokenResponse.self)
        #expect(response.tokenType == "bearer")
        #expect(response.expiresIn == 86_400)
        #expect(response.domain == TestDomain.radio.name)
        #expect(response.domainDisplayName == "The radio")
        let checked = try await server.check(response.accessToken, for: .radio)
        #expect(checked.text == "{\"client_id\":\(device.id)}")
    }

    @Test func `is for the person who signed the device in, and names them`() async throws {
        let device = try await server.newDevice()
        let association = try await device.associated()
        try await device.decide("approve", association)
        let answer = try await device.poll(association)
        #expect(
            answer.members == [
                "access_token", "token_type", "expires_in", "domain", "domain_display_name", "user_name",
            ]
        )
        #expect(answer.userName == "Anna Ek")
    }

    @Test func `without a person ends when one signs the device in`() async throws {
        let device = try await server.newDevice()
        let anonymous = try await device.renew().token
        let other = try await device.renew(.bank).token
        let persons = try await device.signedIn()
        #expect(try await server.check(anonymous, for: .radio).status == .notFound)
        #expect(try await server.check(other, for: .bank).status == .ok)
        #expect(try await server.check(persons, for: .radio).members.contains("user_id"))
    }

    @Test func `is renewed by the device's identity, and the old one stops working at once`() async throws {
        let device = try await server.newDevice()
        let first = try await device.signedIn()
        let renewed = try await device.renew()
        #expect(renewed.userName == "Anna Ek")
        #expect(try await server.check(first, for: .radio).status == .notFound)
        #expect(try await server.check(renewed.token, for: .radio).status == .ok)
        // Also long after it has ended: the sign-in lives as long as the device is known.
        server.clock.advance(by: .seconds(399 * 86_400))
        #expect(try await server.check(renewed.token, for: .radio).status == .notFound)
        try await server.maintenance().sweep()
        #expect(try await device.renew().userName == "Anna Ek")
        #expect(try await server.rows(of: "sign_ins") == 1)
    }

    @Test func `replaces the one of an earlier sign-in for the same domain`() async throws {
        let device = try await server.newDevice()
        let annas = try await device.signedIn(.bank)
        let berts = try await device.signedIn(.bank, as: .bert)
        #expect(try await server.check(annas, for: .bank).status == .notFound)
        #expect(try await server.check(berts, for: .bank).status == .ok)
        #expect(try await device.renew(.bank).userName == "Bert Öst")
    }

    @Test func `is not refused, and not there, while nobody has decided`() async throws {
        let device = try await server.newDevice()
        let answer = try await device.poll(device.associated())
        #expect(answer.status == .accepted)
        #expect(answer.text == #"{"reason":"authorization_pending"}"#)
    }

    @Test func `may be asked for at once, then at the interval; who is faster is told when`() async throws {
        let device = try await server.newDevice()
        let association = try await device.associated()
        #expect(try await device.poll(association).status == .accepted)
        for (wait, retryIn) in [(0, 5), (1, 4), (3, 1)] {
            server.clock.advance(by: .seconds(wait))
            let answer = try await device.poll(association)
            #expect(answer.status == .badRequest)
            #expect(answer.refusal == .slowDown)
            #expect(try answer.json(CrossPlatformErrorResponse.self).retryIn == retryIn)
            #expect(answer.headers[.retryAfter] == "\(retryIn)")
        }
        server.clock.advance(by: .seconds(1))
        #expect(try await device.poll(association).status == .accepted)
        server.clock.advance(by: .seconds(5))
        #expect(try await device.poll(association).status == .accepted)
        try await device.decide("approve", association)
        #expect(try await device.poll(association).status == .ok)
    }

    @Test func `is refused when the person refuses, and comes too late when it is too late`() async throws {
        let device = try await server.newDevice()
        let (open, approved) = (try await device.associated(), try await device.associated())
        let denied = try await device.associated()
        try await device.decide("approve", approved)
        try await device.decide("deny", denied)
        #expect(try await device.poll(denied).refusal == .cancelled)
        server.clock.advance(by: .seconds(1799))
        #expect(try await device.poll(denied).refusal == .cancelled)
        #expect(try await device.poll(open).status == .accepted)
        server.clock.advance(by: .seconds(1))
        for association in [open, approved, denied] {
            let answer = try await device.poll(association)
            #expect(answer.status == .badRequest)
            #expect(answer.refusal == .expired)
        }
    }

    @Test func `comes once for a device code, to its device and for its domain`() async throws {
        let (device, stranger) = (try await server.newDevice(), try await server.newDevice())
        let association = try await device.associated()
        try await device.decide("approve", association)
        #expect(try await stranger.poll(association).refusal == .invalidRequest)
        #expect(try await device.poll(association, .news).refusal == .invalidRequest)
        let token = try await device.poll(association).token
        #expect(try await server.check(token, for: .radio).status == .ok)
        #expect(try await device.poll(association).refusal == .invalidRequest)
        let unknown = AssociationResponse(deviceCode: DeviceCode(revealing: "x"), shape: .automatic, expiresIn: 1)
        let answer = try await device.poll(unknown)
        #expect(answer.status == .badRequest)
        #expect(answer.refusal == .invalidRequest)
    }

    @Test func `is kept from a person who is locked`() async throws {
        let device = try await server.newDevice()
        let token = try await device.signedIn()
        let association = try await device.associated(.bank)
        try await device.decide("approve", association)
        try await server.lock(.anna)
        #expect(try await device.renew().refusal == .cancelled)
        #expect(try await device.poll(association, .bank).refusal == .cancelled)
        #expect(try await server.check(token, for: .radio).status == .notFound)
        try await server.lock(.anna, .active)
        #expect(try await server.check(token, for: .radio).status == .ok)
        #expect(try await device.renew().userName == "Anna Ek")
    }

    @Test func `ends with its domain, also when another one gets the name`() async throws {
        let device = try await server.newDevice()
        let (persons, anonymous) = (try await device.signedIn(), try await device.renew(.bank).token)
        let now = server.clock.date
        for domain in [TestDomain.radio, .bank] {
            try await server.change { _ = try $0.domains.remove(domain.name) }
            try await server.store.endAll(of: domain.name, at: now)
        }
        #expect(try await device.renew().refusal == .invalidRequest)
        server.clock.advance(by: .seconds(1))
        let created = server.clock.date
        try await server.change { repositories in
            for domain in [TestDomain.radio, .bank] {
                try repositories.domains.insert(domain.record(created: created))
            }
        }
        #expect(try await server.check(persons, for: .radio).status == .notFound)
        #expect(try await server.check(anonymous, for: .bank).status == .notFound)
        #expect(try await device.renew().userName == nil)
    }

    @Test(arguments: [true, false])
    func `is not had for a domain by a code for an earlier one of the same name`(isApproved: Bool) async throws {
        let device = try await server.newDevice()
        let association = try await device.associated(.bank)
        if isApproved { try await device.decide("approve", association) }
        try await server.change { _ = try $0.domains.remove(TestDomain.bank.name) }
        server.clock.advance(by: .seconds(1))
        let created = server.clock.date
        try await server.change { try $0.domains.insert(TestDomain.bank.record(created: created)) }
        #expect(try await device.poll(association, .bank).refusal != nil)
        #expect(try await server.store.read { try $0.signIns.find(device.id, TestDomain.bank.name) } == nil)
    }

    @Test func `is no token for anything else here`() async throws {
        let device = try await server.newDevice()
        let token = try await device.signedIn()
        #expect(try await server.honours(token) == false)
        let form: Form = ["client_id": device.id.rawValue, "client_secret": device.secret.revealed]
        for grant in GrantType.known {
            let asked = try form.with([
                "grant_type": grant.rawValue, "device_code": "x", "refresh_token": "x", "code": "x",
                "subject_token": "x", "subject_token_type": "x", "auth_req_id": "x",
                "pre-authorized_code": "x",
            ])
            #expect(try await server.post("/token", asked).error == .unauthorizedClient)
        }
        #expect(try await server.post("/device_authorization", form).error == .unauthorizedClient)
        // Nor does a code of one protocol go in the other.
        let codes = try await server.ask()
        let association = AssociationResponse(deviceCode: codes.deviceCode, shape: .automatic, expiresIn: 1)
        #expect(try await device.poll(association).refusal == .invalidRequest)
    }

    @Test(arguments: [
        "urn:ietf:params:oauth:grant-type:device_code", "client_credentials", "refresh_token", "",
        "http://tech.ebu.ch/cpa/1.0/authorization_code",
    ])
    func `is asked for by one of two grants`(grant: String) async throws {
        let device = try await server.newDevice()
        let members = [
            "grant_type": grant, "client_id": device.id.rawValue, "client_secret": device.secret.revealed,
            "domain": "radio.example.com",
        ]
        let answer = try await server.post("/cpa/token", object: members)
        #expect(answer.status == .badRequest)
        #expect(answer.refusal == .invalidRequest)
        let without = members.filter { $0.key != "grant_type" }
        #expect(try await server.post("/cpa/token", object: without).refusal == .invalidRequest)
    }

    @Test func `counts among the tokens that were issued`() async throws {
        let device = try await server.newDevice()
        _ = try await device.renew().token
        try await device.signedIn()
        let figures = server.metrics.text()
        for grant in ["cpa_client_credentials", "cpa_device_code"] {
            #expect(figures.contains("countersign_tokens_issued_total{grant_type=\"\(grant)\"} 1"))
        }
    }
}
