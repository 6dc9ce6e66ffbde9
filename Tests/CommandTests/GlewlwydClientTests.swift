import Countersign
import CountersignServer
import Foundation
import Testing

@testable import CountersignCommand

@Suite("A client in the list of Glewlwyd's clients")
struct GlewlwydClientTests {
    private let noon = Date(timeIntervalSince1970: 1_800_000_000)

    private func clients(_ text: String) throws -> ForeignClients {
        try ForeignClients(Array(text.utf8), called: "The file")
    }

    private func registration(_ members: String) throws -> ForeignClientRegistration {
        let foreign = try clients("\n [{\"client_id\":\"web\",\(members)}]")
        let entry = try #require(foreign.entries.first)
        return try entry.client.get().registration(holding: SecretDigest(of: "secret"), at: noon)
    }

    @Test func `has its name, addresses and flows`() throws {
        let made = try registration(
            """
            "name":"The web","description":"","scope":["g_profile","reports"],"enabled":true,"confidential":true,
            "redirect_uri":["https://web.example/done"],"token_endpoint_auth_method":["client_secret_basic"],
            "authorization_type":["code","refresh_token","device_authorization","client_credentials","delete_token"],
            "source":"database"
            """)
        let client = made.client
        #expect(made.notes.isEmpty && client.name == "The web" && client.created == noon)
        #expect(client.kind == .confidential(SecretDigest(of: "secret")))
        #expect(client.redirects.redirectURIs == ["https://web.example/done"])
        #expect(client.grantTypes == [.authorizationCode, .deviceCode, .clientCredentials, .refreshToken])
        #expect(client.scope == Scope([.openid, .profile, .email, .offlineAccess, ScopeWord("reports")]))
    }

    /// The list of a Glewlwyd 2.7 with one public client, as it came.
    @Test func `is read as Glewlwyd writes it`() throws {
        let made = try registration(
            """
            "name":"","description":"","scope":["openid"],"enabled":true,"confidential":false,
            "redirect_uri":["com.example.app:/x"],"authorization_type":["code","refresh_token"],"source":"database"
            """)
        #expect(made.client.kind == .public && made.client.name == "web" && made.notes.isEmpty)
        #expect(made.client.grantTypes == [.authorizationCode, .refreshToken])
        #expect(made.client.scope == Scope([.openid, .profile, .email, .offlineAccess]))
    }

    @Test func `is named where an address or a flow is not taken`() throws {
        let made = try registration(
            """
            "confidential":false,"redirect_uri":["https://web.example/*","https://web.example/done"],
            "authorization_type":["code","token","password","client_credentials"]
            """)
        #expect(made.client.grantTypes == [.authorizationCode])
        #expect(made.client.redirects.redirectURIs == ["https://web.example/done"])
        #expect(made.client.scope == Scope([.openid, .profile, .email]))
        #expect(made.notes.count == 4, "\(made.notes)")
    }

    @Test(arguments: [
        ("\"enabled\":false", "switched off"), ("\"redirect_uri\":[]", "None of its flows"),
        ("\"authorization_type\":[\"password\"]", "None of its flows"),
        ("\"confidential\":true,\"token_endpoint_auth_method\":\"private_key_jwt\"", "private_key_jwt"),
    ])
    func `is refused with the reason`(members: String, reason: String) {
        let error = #expect(throws: ImportLineError.self) { try registration(members) }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test(arguments: ["[{}]", "[5]", #"[{"client_id":1}]"#, #"[{"client_id":"x","redirect_uri":"x"}]"#])
    func `is refused alone where it cannot be read`(text: String) throws {
        #expect(try clients(text).entries.map { (try? $0.client.get()) != nil } == [false])
    }

    @Test(arguments: [#"[{"client_id":"web"}"#, "[", "5", ""])
    func `is refused with the whole list where that is cut off, or is none`(text: String) {
        #expect(throws: CommandError.self) { try clients(text) }
    }

    @Test func `is told from one of Keycloak`() throws {
        let realm = try clients(#"{"clients":[{"clientId":"account"}]}"#)
        #expect(try realm.entries.map { try $0.client.get().isOwn } == [true])
    }
}
