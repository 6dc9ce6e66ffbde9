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

/// Each weakness of the service behind CM Authenticator SDK 4.0, by its name, and what holds here. The suites that each
/// test names go further.
@Suite("A weakness of the older service: security", .server(configuring: TestLegacyPhone.configure))
struct LegacyDialectWeaknessTests {
    let server = TestServer.current

    /// In our dialect every byte counts (`AuthenticatorDecisionTests`); in the older one what a token says
    /// (`LegacyDecisionTests`).
    @Test func `1: answers that are not signed – a signed one is for one request and one body, once`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.joined()
        let asked = try await phone.customer.open()
        let body = #"{"auth_status":"approved"}"#
        let now = phone.server.clock.date
        let other = CustomerSiteToken.text(by: secret, request: "other", body: Array(body.utf8), at: now)
        #expect(try await phone.answer(asked, body, by: other).status == .unauthorized)
        let right = CustomerSiteToken.text(by: secret, request: asked.id.rawValue, body: Array(body.utf8), at: now)
        #expect(try await phone.answer(asked, body, by: right).status == .ok)
        #expect(try await phone.answer(asked, body, by: right).status == .unauthorized)
    }

    /// `LegacyAuthenticatorTests`, `LegacyNumberTests`.
    @Test func `2: a device identifier that is all it takes – it answers nothing, and moves no messages`() async throws
    {
        let phone = try await TestLegacyPhone.add(to: server)
        _ = try await phone.joined()
        let asked = try await phone.customer.open()
        #expect(try await phone.customer.send(.get, "\(phone.environment)/auth", by: nil).status == .unauthorized)
        let answer = try await phone.customer.send(
            .put, "\(phone.device)/instant/\(asked.id)", #"{"auth_status":"approved"}"#, by: nil)
        #expect(answer.status == .unauthorized)
        _ = try await phone.change(#""push_token":"aa","push_enabled":true"#)
        _ = try await phone.change(#""push_token":"bb""#)
        let id = LegacyDeviceID(revealing: phone.id).stored
        let stored = try await phone.server.store.read { try $0.devices.find(id) }
        #expect(stored?.pushToken?.revealed == "aa" && stored?.status == .verified)
    }

    /// `CustomerSiteCodeTests`, `EnrollmentTests`.
    @Test func `3: a secret in a picture – it works for one device of the person, once`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.joined()
        let second = try await TestLegacyPhone.register(with: phone.customer, phone.app)
        try await second.prove()
        #expect(try await second.join(secret).status == .unauthorized)
        #expect(try await second.requests(secret).status == .unauthorized)
    }

    /// `RequestWaitingTests`.
    @Test(.server) func `4: a token that says approved of nothing – it names the request`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let asked = try await customer.open()
        try await customer.decide(.approve, asked)
        let events = try await customer.server.get("/auth/v1.0/instant/\(asked.id)/events")
        let text = try #require(events.text.firstMatch(of: /"token":"([^"]+)"/)).1
        let told = try StatusToken(String(text), by: customer.secret, at: customer.server.clock.date)
        #expect(told.request == asked.id && told.status == .approved)
    }

    /// `AuthenticatorInboxTests`, `AuthenticatorDecisionTests`.
    @Test(.server) func `5: prompts without end or words – one at a time, with a number and what is asked`()
        async throws
    {
        let customer = try await TestCustomer.add(to: server)
        let asked = ["text": "\"Pay 5 euro\"", "ip": "\"203.0.113.7\""]
        let first = try await customer.open(.instant, asked)
        #expect(first.number?.utf8.count == 2)
        for _ in 0..<3 { #expect(try await customer.open(.instant, asked).status == .failed) }
        let terms = try await customer.terms(of: first)
        #expect(terms.message == "Pay 5 euro" && terms.address == "203.0.113.7" && terms.kind == .instant)
    }

    /// `CertificatePinsTests`, `DeviceMessageTests`.
    @Test func `6: pins without an end or a version – a list ends, and no older one is taken`() throws {
        let key = try CertificatePinSigningKey(pem: P256.Signing.PrivateKey().pemRepresentation)
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let list = try key.list(of: [[1, 2, 3]], version: 3, until: now + 60)
        #expect(try PinnedCertificates(list, signedBy: key.publicKey, notOlderThan: 3, at: now).version == 3)
        #expect(throws: PinnedCertificates.VerificationError.expired) {
            try PinnedCertificates(list, signedBy: key.publicKey, at: now + 60)
        }
        #expect(throws: PinnedCertificates.VerificationError.older) {
            try PinnedCertificates(list, signedBy: key.publicKey, notOlderThan: 4, at: now)
        }
    }

    /// `RequestPasswordTests`.
    @Test(.server)
    func `7: passwords for all who have the secret – the environment and the database do not show them`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let asked = try await customer.open(.oneTimePassword)
        let pin = try await customer.password(of: asked)
        #expect(try await customer.read(asked).pin == nil)
        let rows = try await customer.server.dump()
        #expect(rows.contains { $0.contains(asked.id.rawValue) })
        // As a column, or in a document, whose quotes are escaped here.
        let spellings = ["=\(pin) ", "\"\(pin)\"", "\\\"\(pin)\\\""]
        #expect(!rows.contains { row in spellings.contains { row.contains($0) } })
    }

    /// On the device itself, `CustomerSiteSecretStoreTests`.
    @Test func `8: identifiers and secrets in the clear – the database has digests and sealed ones`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.joined()
        let bytes = try server.databaseBytes()
        #expect(bytes.range(of: Data(phone.customer.environment.id.rawValue.utf8)) != nil)
        for word in [phone.id, secret.revealed, phone.customer.secret.revealed] {
            #expect(bytes.range(of: Data(word.utf8)) == nil)
        }
    }
}
