import Countersign
import CountersignServer
import CountersignWire
import Foundation
import Testing

@testable import CountersignCommand

@Suite("A client in the export of a Keycloak realm")
struct KeycloakClientTests {
    private let noon = Date(timeIntervalSince1970: 1_800_000_000)

    private func registration(_ members: String) throws -> ForeignClientRegistration {
        let json = Data("{\"clients\":[{\"clientId\":\"web\",\(members)}]}".utf8)
        let realm = try KeycloakRealm(Array(json), called: "It")
        let client = try #require(realm.entries.first).client.get()
        return try client.registration(holding: SecretDigest(of: "secret"), at: noon)
    }

    @Test func `has its name, addresses, origins and flows`() throws {
        let made = try registration(
            """
            "name":"The web","publicClient":false,"secret":"of keycloak","protocol":"openid-connect",
            "rootUrl":"https://web.example","redirectUris":["https://web.example/done","/other"],
            "webOrigins":["+","https://cdn.example"],"standardFlowEnabled":true,"serviceAccountsEnabled":true,
            "defaultClientScopes":["profile","email","roles"],"optionalClientScopes":["offline_access"],
            "attributes":{"post.logout.redirect.uris":"https://web.example/bye##+",
            "oauth2.device.authorization.grant.enabled":"true"}
            """)
        let client = made.client
        #expect(made.notes.isEmpty && client.name == "The web" && client.created == noon)
        #expect(client.kind == .confidential(SecretDigest(of: "secret")))
        #expect(client.redirects.redirectURIs == ["https://web.example/done", "https://web.example/other"])
        #expect(client.redirects.postLogoutRedirectURIs.first == "https://web.example/bye")
        #expect(client.redirects.webOrigins.map(\.rawValue) == ["https://web.example", "https://cdn.example"])
        #expect(client.grantTypes == [.authorizationCode, .deviceCode, .refreshToken, .clientCredentials])
        #expect(client.scope == Scope([.openid, .profile, .email, .offlineAccess]))
        #expect(client.redirects.consent == .ask && client.redirects.pkce == .required)
    }

    @Test func `is named where an address, an origin or a flow is not taken`() throws {
        let made = try registration(
            """
            "publicClient":true,"redirectUris":["https://web.example/*","https://web.example/done","http://web.example/"],
            "webOrigins":["*"],"implicitFlowEnabled":true,"directAccessGrantsEnabled":true,"serviceAccountsEnabled":true
            """)
        #expect(made.client.kind == .public && made.client.redirects.redirectURIs == ["https://web.example/done"])
        #expect(made.client.grantTypes == [.authorizationCode, .refreshToken])
        #expect(made.client.redirects.webOrigins.isEmpty && made.notes.count == 5, "\(made.notes)")
    }

    @Test(arguments: [
        ("\"enabled\":false", "switched off"), ("\"protocol\":\"saml\"", "saml"),
        ("\"bearerOnly\":true", "only takes tokens"), ("\"redirectUris\":[\"*\"]", "None of its flows"),
        ("\"clientAuthenticatorType\":\"client-jwt\"", "client-jwt"),
        ("\"standardFlowEnabled\":false,\"implicitFlowEnabled\":true", "None of its flows"),
        ("\"publicClient\":true,\"standardFlowEnabled\":false,\"serviceAccountsEnabled\":true", "None of its flows"),
    ])
    func `is refused with the reason`(members: String, reason: String) {
        let error = #expect(throws: ImportLineError.self) { try registration(members) }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test func `is one of Keycloak's own by its identifier`() throws {
        let realm = try KeycloakRealm(
            Array(#"{"clients":[{"clientId":"account"},{"clientId":"web"},{"name":"x"}]}"#.utf8), called: "It")
        #expect(realm.entries.map(\.place) == [1, 2, 3])
        #expect(realm.entries.map { try? $0.client.get().isOwn } == [true, false, nil])
    }
}
