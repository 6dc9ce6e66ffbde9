import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

/// Standard: FAPI 2.0 Security Profile §5.3.2.
@Suite("The security profile of a client")
struct ClientRulesTests {
    private func client(_ edit: (inout Client) -> Void = { _ in }) -> Client {
        var client = Client(
            id: ClientID("pay"),
            name: "Pay",
            kind: .keys(AssertionKey().set),
            grantTypes: [.authorizationCode, .refreshToken, .clientCredentials],
            scope: Scope([.openid]),
            tokenFormat: .es256,
            redirects: RedirectRegistration(redirectURIs: ["https://pay.example/done"], profile: .fapi2),
            created: Date(timeIntervalSince1970: 0)
        )
        edit(&client)
        return client
    }

    @Test func `adds its demands to those of the registration`() {
        let rules = client().rules
        #expect(rules.requiresPushedRequests && rules.requiresRedirectURI && rules.requiresKey)
        #expect(!rules.rotatesRefreshTokens && rules.assertionEndpoints.isEmpty && !rules.requiresSignedRequests)
        #expect(rules.algorithms == .fapi2)
        #expect(rules.requestObjects == .validity)

        let plain = client { $0.redirects.profile = nil }.rules
        #expect(!plain.requiresPushedRequests && !plain.requiresRedirectURI && !plain.requiresKey)
        #expect(plain.rotatesRefreshTokens && plain.assertionEndpoints == ["token", "par", "bc-authorize"])
        #expect(plain.algorithms == .all)
    }

    @Test func `does not go with every registration`() {
        #expect(SecurityProfile.fapi2.objection(to: client()) == nil)
        let unfit: [(inout Client) -> Void] = [
            { $0.kind = .public }, { $0.kind = .confidential(SecretDigest(of: "a")) },
            { $0.grantTypes.append(.deviceCode) }, { $0.redirects.redirectURIs.append("http://127.0.0.1/done") },
            { $0.redirects.redirectURIs.append("org.example:/done") }, { $0.tokenFormat = .rs256 },
            {
                $0.kind = .keys(JSONWebKeySet(keys: [.rsa(id: JSONWebKey.ID("r"), modulus: [1], exponent: [1, 0, 1])]))
            },
        ]
        for edit in unfit { #expect(SecurityProfile.fapi2.objection(to: client(edit)) != nil) }
    }

    /// Standard: FAPI-CIBA §5.2.2; OpenID CIBA Core 1.0 §4.
    @Test func `and its registration say how it asks over the back channel`() {
        func asking(_ edit: (inout Client) -> Void = { _ in }) -> Client {
            client { client in
                client.grantTypes.append(.backchannelAuthentication)
                edit(&client)
            }
        }
        #expect(SecurityProfile.fapi2.objection(to: asking()) == nil)
        #expect(asking().backchannel.objection(to: asking()) == nil)
        #expect(asking().rules.requiresSignedBackchannelRequests && asking().rules.requiresBindingMessage)
        // As CIBA wants it, and no other endpoint.
        #expect(asking().rules.assertionEndpoints == ["token", "bc-authorize"])
        #expect(asking().rules.backchannelAlgorithms == .fapi2)
        let unfit: [(inout Client) -> Void] = [
            { $0.backchannel.deliveryMode = .ping },
            {
                $0.backchannel = BackchannelRegistration(deliveryMode: .push, notificationEndpoint: "https://a.example")
            },
            { $0.backchannel.signingAlgorithm = "RS256" },
            { $0.kind = .certificate(.issued(.dns("pay.example"))) },
            {
                $0.redirects.profile = nil
                $0.kind = .public
            },
            {
                $0.redirects.profile = nil
                $0.kind = .confidential(SecretDigest(of: "a"))
                $0.backchannel.signingAlgorithm = "ES256"
            },
        ]
        for edit in unfit { #expect(asking(edit).backchannel.objection(to: asking(edit)) != nil) }
        let plain = asking { $0.redirects.profile = nil }
        #expect(!plain.rules.requiresSignedBackchannelRequests && plain.rules.backchannelAlgorithms == .all)
        // A client that does not ask may be registered in any way.
        let silent = client { $0.backchannel.deliveryMode = .ping }
        #expect(silent.backchannel.objection(to: silent) == nil)
    }

    @Test(.server) func `is demanded when a client is added and when it is changed`() async throws {
        let server = TestServer.current
        let registry = ClientRegistry(
            of: server.store, mint: CodeMint(drawingFrom: .system), clock: server.clock.source)
        await #expect(throws: ClientRegistry.ChangeError.self) {
            try await registry.add(client { $0.kind = .public })
        }
        try await registry.add(client())
        await #expect(throws: ClientRegistry.ChangeError.self) {
            try await registry.change(ClientID("pay")) { $0.grantTypes.append(.deviceCode) }
        }
        let stored = try await server.store.read { try $0.clients.find(ClientID("pay")) }
        #expect(stored?.redirects.profile == .fapi2)
        #expect(stored?.grantTypes.contains(.deviceCode) == false)
    }
}
