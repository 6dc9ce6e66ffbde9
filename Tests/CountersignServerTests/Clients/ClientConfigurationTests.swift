import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 7592 §2.
@Suite("The registration of a client", .registering(.open))
struct ClientConfigurationTests {
    let server = TestServer.current

    private func update(_ client: ClientInformation, _ members: String) -> String {
        #"{"client_id":"\#(client.client)",\#(members)}"#
    }

    private static let address = #""redirect_uris":["https://shop.example/new"]"#

    @Test func `is managed by the pages of an app that registered with a token`() async throws {
        let metadata = TestMetadata.with(#""token_endpoint_auth_method":"none""#)
        try await TestServer.registering(.token) { server in
            let client = try await server.registered(metadata, presenting: try await server.mintToken())
            let origin: HTTPFields = [.origin: "https://shop.example"]
            let path = server.path("register/\(client.client)")
            let preflight = try await server.send(.options, path, headers: origin)
            #expect(preflight.headers[.accessControlAllowOrigin] == "https://shop.example")
            #expect(preflight.headers[.accessControlAllowMethods] == "DELETE, GET, POST, PUT")
            let answer = try await server.get(path, headers: origin)
            #expect(answer.status == .unauthorized)
            #expect(answer.headers[.accessControlAllowOrigin] == "https://shop.example")
        }
    }

    @Test func `is read by its client, without the secret`() async throws {
        let client = try await server.registered()
        let answer = try await server.manage(.get, client.client, presenting: client.token)
        #expect(answer.status == .ok)
        #expect(answer.headers[.cacheControl] == "no-store")
        var expected = client
        expected.secret = nil
        #expect(try answer.json(ClientInformation.self) == expected)
        #expect(!answer.members.contains("client_secret_expires_at"))
    }

    @Test(arguments: [HTTPRequest.Method.get, .put, .delete])
    func `is read and changed with its own token only`(method: HTTPRequest.Method) async throws {
        let client = try await server.registered()
        let other = try await server.registered()
        let json = method == .put ? update(client, Self.address) : nil
        for (id, token) in [
            (client.client, other.token), (ClientID("4711"), client.token), (TestClients.console.id, client.token),
            (client.client, AccessToken(revealing: "unknown")),
        ] {
            let answer = try await server.manage(method, id, presenting: token, json)
            #expect(answer.status == .unauthorized)
            #expect(answer.headers[.wwwAuthenticate]?.contains("error=\"invalid_token\"") == true)
        }
        let without = try await server.manage(method, client.client, presenting: nil, json)
        #expect(without.status == .unauthorized)
        #expect(without.headers[.wwwAuthenticate] == "Bearer realm=\"countersign\"")
        #expect(try await server.manage(.get, client.client, presenting: client.token).status == .ok)
    }

    @Test func `is replaced as a whole`() async throws {
        let client = try await server.registered(
            TestMetadata.with(#""client_name":"A shop","dpop_bound_access_tokens":true"#))
        let json = update(client, #"\#(Self.address),"client_secret":"\#(client.secret?.revealed ?? "")""#)
        let answer = try await server.manage(.put, client.client, presenting: client.token, json)
        #expect(answer.status == .ok)
        let changed = try answer.json(ClientInformation.self)
        #expect(changed.secret == nil && changed.token == client.token && changed.client == client.client)
        #expect(changed.metadata.redirectURIs == ["https://shop.example/new"])
        #expect(changed.metadata.clientName == client.client.rawValue)
        #expect(changed.metadata.dpopBoundAccessTokens == false)
        let stored = try await server.find(client.client)
        #expect(stored?.kind == .confidential(try #require(client.secret).digest))
    }

    /// Only an operator's store has it: no member of the metadata is for it.
    @Test func `keeps the least evidence of its requests, whatever it is replaced by`() async throws {
        let client = try await server.registered()
        #expect(try await server.find(client.client)?.minimumEvidence == ScopeDemands.none)
        try await server.change { repositories in
            var record = try #require(try repositories.clients.find(client.client))
            record.minimumEvidence = ScopeDemands([.number])
            try repositories.clients.update(record)
        }
        let json = update(client, #"\#(Self.address),"minimum_evidence":"","link_approval":"always""#)
        #expect(try await server.manage(.put, client.client, presenting: client.token, json).status == .ok)
        let stored = try #require(try await server.find(client.client))
        #expect(stored.minimumEvidence == ScopeDemands([.number]) && stored.linkApproval == .number)
    }

    @Test func `has a secret again when it needs one again`() async throws {
        let client = try await server.registered(TestMetadata.with(#""token_endpoint_auth_method":"none""#))
        let answer = try await server.manage(
            .put, client.client, presenting: client.token, update(client, Self.address))
        let secret = try #require(try answer.json(ClientInformation.self).secret)
        #expect(try await server.find(client.client)?.kind == .confidential(secret.digest))
    }

    @Test(.registering(.token)) func `never has more than its token allowed`() async throws {
        let client = try await server.registered(presenting: try await server.mintToken())
        for members in [#""grant_types":["client_credentials"]"#, #""scope":"reports.read""#] {
            let json = update(client, "\(Self.address),\(members)")
            let answer = try await server.manage(.put, client.client, presenting: client.token, json)
            #expect(answer.error == .invalidClientMetadata)
        }
    }

    @Test(arguments: [
        (#"{"redirect_uris":["https://shop.example/new"]}"#, OAuthError.Code.invalidClientMetadata),
        (#"{"client_id":"4711","redirect_uris":["https://shop.example/new"]}"#, .invalidClientMetadata),
        (#"{"client_id":4711,"redirect_uris":["https://shop.example/new"]}"#, .invalidClientMetadata),
        (#"{"client_id":"ID","client_secret":"chosen",ADDRESS}"#, .invalidClientMetadata),
        (#"{"client_id":"ID","registration_access_token":"chosen",ADDRESS}"#, .invalidClientMetadata),
        (#"{"client_id":"ID","registration_client_uri":"https://a.example",ADDRESS}"#, .invalidClientMetadata),
        (#"{"client_id":"ID","client_secret_expires_at":0,ADDRESS}"#, .invalidClientMetadata),
        (#"{"client_id":"ID","client_id_issued_at":0,ADDRESS}"#, .invalidClientMetadata),
        (#"{"client_id":"ID"}"#, .invalidRedirectURI),
        (#"{"client_id":"ID","redirect_uris":["http://shop.example"]}"#, .invalidRedirectURI),
        ("[]", .invalidClientMetadata),
    ])
    func `stays as it is when what is to replace it is refused`(json: String, error: OAuthError.Code) async throws {
        let client = try await server.registered()
        let body = json.replacing("ID\"", with: "\(client.client)\"").replacing("ADDRESS", with: Self.address)
        let before = try await server.find(client.client)
        let answer = try await server.manage(.put, client.client, presenting: client.token, body)
        #expect(answer.status == .badRequest)
        #expect(answer.error == error)
        #expect(try await server.find(client.client) == before)
    }

    @Test(.registering(.token)) func `ends with all that the client holds`() async throws {
        let token = try await server.mintToken(RegistrationAllowance(clientCredentials: true))
        let client = try await server.registered(
            #"{"grant_types":["client_credentials"]}"#, presenting: token)
        let header = PresentedCredentials.basicHeader(client: client.client, secret: try #require(client.secret))
        let asked: Form = ["grant_type": "client_credentials"]
        #expect(try await server.post("/token", asked, headers: [.authorization: header]).status == .ok)
        let answer = try await server.manage(.delete, client.client, presenting: client.token)
        #expect(answer.status == .noContent)
        #expect(answer.text.isEmpty)
        #expect(try await server.find(client.client) == nil)
        #expect(try await server.rows(of: "access_tokens") == 0)
        #expect(try await server.post("/token", asked, headers: [.authorization: header]).error == .invalidClient)
        let again = try await server.manage(.delete, client.client, presenting: client.token)
        #expect(again.status == .unauthorized)
        let last = try await server.store.read { try $0.audit.entries(after: 0, limit: 100) }.last
        #expect(last?.facts.act == .clientRemoved && last?.facts.by == .client)
    }

    @Test func `is not changed by an operator, who may remove it`() async throws {
        let client = try await server.registered()
        let registry = ClientRegistry(
            of: server.store, mint: CodeMint(drawingFrom: .system), clock: server.clock.source)
        await #expect(throws: ClientRegistry.ChangeError.isSelfRegistered) {
            try await registry.change(client.client) { $0.name = "Ours" }
        }
        #expect(try await registry.remove(client.client))
        #expect(try await server.manage(.get, client.client, presenting: client.token).status == .unauthorized)
    }

    /// People allowed a name that they read, at an address that they read.
    @Test(arguments: [
        (#""redirect_uris":["https://shop.example/done"],"client_name":"Your Bank""#, true),
        (#""redirect_uris":["https://shop.example/done","https://evil.example/x"],"client_name":"A shop""#, true),
        (#""redirect_uris":["https://shop.example/done"],"client_name":"A shop","software_id":"new""#, false),
    ])
    func `forgets what people allowed when it changes its name or adds an address`(members: String, isAnother: Bool)
        async throws
    {
        let client = try await server.registered()
        let consent = Consent(
            subject: TestPerson.anna.subject, client: client.client, scope: Scope([.openid]),
            given: server.clock.date)
        try await server.change { try $0.consents.keep(consent) }
        let answer = try await server.manage(.put, client.client, presenting: client.token, update(client, members))
        #expect(answer.status == .ok)
        let (left, entry) = try await server.store.read { repositories in
            (
                try repositories.consents.find(consent.subject, client.client),
                try repositories.audit.entries(after: 0, limit: 100).last { $0.facts.act == .clientChanged }
            )
        }
        #expect((left == nil) == isAnother)
        #expect((entry?.facts.detail?.contains("what people had allowed") == true) == isAnother)
    }
}
