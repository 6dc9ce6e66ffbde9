import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The evidence in tokens", .server)
struct EvidenceInTokensTests {
    let server = TestServer.current

    private static let typed = EvidenceClaim(Evidence([.codeTyped, .network(.yes)]))

    @Test(arguments: [TestClients.radio, .kiosk])
    func `is one claim of ID tokens and of access tokens that are JWTs, after a refresh too`(
        client: TestClients
    ) async throws {
        let tokens = try await server.signedIn(client, scope: "openid play offline_access")
        #expect(try await server.read(try #require(tokens.idToken).revealed).evidence() == Self.typed)
        #expect(try await server.read(tokens.accessToken.revealed).evidence() == Self.typed)
        server.clock.advance(by: .seconds(60))
        let later = try await server.refresh(tokens.refreshToken, as: client).json(TokenResponse.self)
        #expect(try await server.read(later.accessToken.revealed).evidence() == Self.typed)
    }

    @Test func `is told by introspection, and not about a token without a person`() async throws {
        let tokens = try await server.signedIn(.console, scope: "openid play")
        for asker in [TestClients.console, .api] {
            let told = try await server.introspect(tokens.accessToken.revealed, as: asker)
            #expect(told.evidence == Self.typed)
        }
        let form: Form = ["grant_type": "client_credentials"]
        let own = try await server.post("/token", try TestClients.robot.form.with(form)).json(TokenResponse.self)
        #expect(try await server.read(own.accessToken.revealed).claims["countersign_evidence"] == nil)
    }

    @Test(.server(withSigningKeys: false, withDomains: true))
    func `is told to the service of a domain`() async throws {
        let device = try await server.newDevice()
        let told = try await server.check(device.signedIn(), for: .radio).json(TokenCheckResponse.self)
        #expect(told.evidence == Self.typed)
    }

    @Test(.server(withApps: true))
    func `is that of the browser which leads back, and reaches the class for it`() async throws {
        let anna = try await server.browser(of: .anna)
        var form = TestApps.shop.request.form
        form["acr_values"] = AuthenticationClass.nearby.rawValue
        let answer = try await anna.authorize(query: form.encoded)
        let code = try #require(answer.authorization?.code)
        let tokens = try await server.redeem(code, as: .shop).json(TokenResponse.self)
        let read = try await server.read(try #require(tokens.idToken).revealed)
        #expect(try read.evidence() == EvidenceClaim(Evidence([.redirected])))
        #expect(read.text("acr") == "urn:countersign:acr:nearby")
        #expect(read.claims["amr"] as? [String] == ["pwd"])
    }

    @Test func `is that of a ticket, which says no more than that it reached its app`() async throws {
        let device = try await server.authenticator()
        let record = try await server.store.read { try $0.accessTokens.find(device.token.digest) }
        #expect(record?.evidence?.way == .ticket && record?.evidence?.hasDeviceKey == false)
    }
}

extension ReadToken {
    /// The claim about the evidence of the approval.
    func evidence() throws -> EvidenceClaim {
        let claim = try #require(claims["countersign_evidence"])
        return try JSONDecoder().decode(
            EvidenceClaim.self, from: try JSONSerialization.data(withJSONObject: claim))
    }
}
