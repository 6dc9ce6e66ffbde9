import Countersign
import CountersignTesting
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A device that verifies its person")
struct UserVerifyingDeviceTests {
    private static let userVerified = AuthenticationClass.userVerified.rawValue

    /// Opens a server that believes the app, with a device that was enrolled an hour ago.
    private func open(
        believing apps: Set<ClientID> = [TestApprover.app],
        configuring: (inout ServerSettings) -> Void = { _ in },
        _ test: @escaping @Sendable (TestBackchannelClient, TestApprover) async throws -> Void
    ) async throws {
        try await TestBackchannelClient.open(configuring: {
            $0.userVerifyingApps = apps
            configuring(&$0)
        }) { client in
            let device = try await client.server.authenticator()
            client.server.clock.advance(by: .seconds(3600))
            try await test(client, device)
        }
    }

    /// The claims that the device would sign about the request that waits.
    private func claims(
        of device: TestApprover,
        verifying: Bool = true
    ) async throws -> DecisionClaims {
        var claims = device.claims(on: try await device.shown())
        claims.inbox.isUserVerified = verifying
        return claims
    }

    private func idToken(_ asked: BackchannelAuthenticationResponse, of client: TestBackchannelClient) async throws
        -> ReadToken
    {
        client.server.clock.advance(by: .seconds(5))
        let tokens = try await client.poll(asked).json(TokenResponse.self)
        return try await client.server.read(try #require(tokens.idToken).revealed)
    }

    @Test func `authenticates them when they decide, and tokens say so`() async throws {
        try await open { client, device in
            let asked = try await client.asked()
            let decided = client.server.clock.date
            #expect(try await device.send(try await claims(of: device)).status == .ok)
            let entry = try #require(try await client.server.audited(.approved).last)
            #expect(entry.detail?.contains("decision_signed verified_by_device") == true)
            let token = try await idToken(asked, of: client)
            #expect(token.number("auth_time") == decided.numericDate)
            #expect(token.text("acr") == Self.userVerified)
            #expect(token.claims["amr"] as? [String] == ["pop", "user", "mfa"])
        }
    }

    @Test func `whose statement says nothing of it leaves the time of the enrolment`() async throws {
        try await open { client, device in
            let asked = try await client.asked()
            let plain = try await claims(of: device, verifying: false)
            let text = try #require(CompactJWS(try device.signed(plain)))
            #expect(!String(decoding: text.payload, as: UTF8.self).contains("\"uv\""))
            #expect(try await device.send(plain).status == .ok)
            let token = try await idToken(asked, of: client)
            #expect(token.number("auth_time") == TestAuthority.noon.numericDate)
            #expect(token.text("acr") == AuthenticationClass.password.rawValue)
        }
    }

    @Test(arguments: [[], [ClientID("another-app")]])
    func `is believed only where the operator trusts its app with that`(apps: [ClientID]) async throws {
        try await open(believing: Set(apps)) { client, device in
            let asked = try await client.asked()
            #expect(try await device.send(try await claims(of: device)).status == .ok)
            let entry = try #require(try await client.server.audited(.approved).last)
            #expect(entry.detail?.contains("verified_by_device") == false)
            let token = try await idToken(asked, of: client)
            #expect(token.number("auth_time") == TestAuthority.noon.numericDate)
        }
    }

    @Test(.server { $0.userVerifyingApps = [TestApprover.app] })
    func `proves no more than the provider by whose word it was enrolled`() async throws {
        let client = try await TestBackchannelClient.add(to: .current)
        let ticket = EnrollmentTicket(revealing: "a ticket of a person who signed in elsewhere")
        let now = client.server.clock.date
        let record = EnrollmentTicketRecord(
            digest: ticket.digest,
            subject: TestPerson.anna.subject,
            evidence: Evidence([
                .federated(issuer: IdentityIssuer("https://other.example"), how: .browser, at: now)
            ]),
            made: now,
            expires: now + 60
        )
        try await client.server.change { try $0.enrollmentTickets.insert(record) }
        try await client.server.addAuthenticatorApp()
        let tokens = try await client.server.redeem(ticket).json(TokenResponse.self)
        let device = TestApprover(server: client.server, token: tokens.accessToken)
        #expect(try await device.register().status == .ok)
        _ = try await client.asked(["acr_values": Self.userVerified])
        let told = try await device.shown().response.approval
        #expect(told?.obstacle == .other && told?.isVerificationEnough == false)
        #expect(try await device.send(try await claims(of: device)).status == .forbidden)
    }

    @Test func `meets what asks for a verified person, and for one who signed in lately`() async throws {
        let play = ScopeWord("play")
        try await open(configuring: {
            $0.minimumEvidence = [play: ScopeDemands([.userVerified, .secondFactor], within: 60)]
        }) { client, device in
            let asked = try await client.asked(["scope": "openid play", "acr_values": Self.userVerified])
            let told = try await device.shown().response.approval
            #expect(told?.obstacle == .secondFactor && told?.isVerificationEnough == true)
            #expect(try await device.send(try await claims(of: device, verifying: false)).status == .forbidden)
            #expect(try await device.send(try await claims(of: device)).status == .ok)
            let token = try await idToken(asked, of: client)
            #expect(token.text("acr") == Self.userVerified)
        }
    }

    @Test func `is not taken for a passkey`() async throws {
        try await open { client, device in
            _ = try await client.asked(["acr_values": AuthenticationClass.passkey.rawValue])
            let told = try await device.shown().response.approval
            #expect(told?.obstacle == .other && told?.isVerificationEnough == false)
            #expect(try await device.send(try await claims(of: device)).status == .forbidden)
        }
    }

    @Test func `says so under its signature: adding or removing it is refused`() async throws {
        try await open { client, device in
            _ = try await client.asked()
            let verified = try await claims(of: device)
            var plain = verified
            plain.inbox.isUserVerified = false
            for (signed, forged) in [(plain, verified), (verified, plain)] {
                let parts = try device.signed(signed).split(separator: ".")
                let other = try device.signed(forged).split(separator: ".")
                let mixed = "\(parts[0]).\(other[1]).\(parts[2])"
                #expect(try await device.send(mixed).error == .invalidRequest)
            }
            #expect(try await device.send(verified).status == .ok)
        }
    }

    @Test(arguments: ["false", "1", "\"true\""])
    func `claims it with true only`(value: String) async throws {
        try await open { client, device in
            _ = try await client.asked()
            let text = try #require(CompactJWS(try device.signed(try await claims(of: device))))
            let payload = String(decoding: text.payload, as: UTF8.self)
                .replacing("\"uv\":true", with: "\"uv\":\(value)")
            #expect(payload.contains("\"uv\":\(value)"))
            let forged = try CompactJWS.text(
                header: Array(text.headerBytes),
                payload: Array(payload.utf8),
                signedBy: { Array(try device.key.signature(for: $0).rawRepresentation) }
            )
            #expect(try await device.send(forged).error == .invalidRequest)
        }
    }
}
