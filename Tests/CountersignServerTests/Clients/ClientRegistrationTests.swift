import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 7591 §2, §3.
@Suite("A client that registers itself", .registering(.open))
struct ClientRegistrationTests {
    let server = TestServer.current

    @Test func `is told its registered metadata`() async throws {
        let answer = try await server.register(TestMetadata.web)
        #expect(answer.status == .created)
        #expect(answer.headers[.cacheControl] == "no-store")
        let client = try answer.json(ClientInformation.self)
        #expect(client.secret?.revealed.utf8.count == 43)
        #expect(client.issued == server.clock.date.numericDate)
        #expect(client.configurationURI == "http://localhost:8080/register/\(client.client)")
        #expect(client.metadata.tokenEndpointAuthMethod == "client_secret_basic")
        #expect(client.metadata.grantTypes == [.authorizationCode])
        #expect(client.metadata.responseTypes == ["code"])
        #expect(client.metadata.clientName == "A shop")
        #expect(client.metadata.scope == "openid profile offline_access")
        #expect(client.metadata.idTokenSignedResponseAlg == "ES256")
        #expect(answer.text.contains(#""client_secret_expires_at":0"#))
    }

    /// THREATS: registrations fill the disk.
    @Test func `is refused when its metadata is too long`() async throws {
        let long = String(repeating: "a", count: 500)
        let addresses = (1...40).map { "\"https://shop.example/\($0)/\(long)\"" }.joined(separator: ",")
        let answer = try await server.register("{\"redirect_uris\":[\(addresses)]}")
        #expect(answer.status == .badRequest && answer.error == .invalidClientMetadata)
        #expect(answer.text.contains("longer than 16384 bytes"))
    }

    @Test func `signs a person in, who is told that its name is its own`() async throws {
        let client = try await server.registered()
        var request = AuthorizationRequest(
            client: client.client,
            redirectURI: "https://shop.example/done",
            challenge: CodeChallenge(of: TestApps.verifier)
        )
        request.scope = Scope([.openid])
        let anna = try await server.browser(of: .anna)
        let page = try await anna.authorize(request)
        #expect(page.text.contains("The app gave itself this name."))
        #expect(page.text.contains("Not verified"))
        let code = try #require(try await anna.authorize(request, answering: "approve").authorization?.code)
        let asked = TokenRequest.authorizationCode(
            code, redirectURI: "https://shop.example/done", verifier: TestApps.verifier)
        let header = PresentedCredentials.basicHeader(client: client.client, secret: try #require(client.secret))
        let answer = try await server.post("/token", asked.form, headers: [.authorization: header])
        #expect(answer.status == .ok)
        #expect(try answer.json(TokenResponse.self).idToken != nil)
    }

    /// Standard: OpenID Connect Dynamic Client Registration 1.0 §2; RFC 7591 §3.2.1.
    @Test func `is told which kind of application it is, and refused an unknown kind`() async throws {
        let web = try await server.register(TestMetadata.with(#""application_type":"web""#))
        #expect(try web.json(ClientInformation.self).metadata.applicationType == "web")
        let unknown = try await server.register(TestMetadata.with(#""application_type":"bogus""#))
        #expect(unknown.status == .badRequest)
        #expect(unknown.error == .invalidClientMetadata)
    }

    @Test(arguments: [
        (#""token_endpoint_auth_method":"none""#, ["https://shop.example"]),
        (#""token_endpoint_auth_method":"none","application_type":"web""#, ["https://shop.example"]),
        (#""token_endpoint_auth_method":"none","application_type":"native""#, []),
        (#""application_type":"web""#, []),
    ])
    func `may call from the origins of its addresses when it is a page in a browser`(
        members: String,
        origins: [String]
    ) async throws {
        let answer = try await server.register(TestMetadata.with(members))
        let id = try answer.json(ClientInformation.self).client
        let client = try #require(try await server.store.read { try $0.clients.find(id) })
        #expect(client.redirects.webOrigins.map(\.rawValue) == origins)
    }

    @Test func `is refused for a certificate where the server asks for none, and lists what it may redeem`()
        async throws
    {
        let certificate =
            #""token_endpoint_auth_method":"tls_client_auth","tls_client_auth_san_dns":"shop.example""#
        #expect(try await server.register(TestMetadata.with(certificate)).status == .badRequest)
        let grants = try await server.register(TestMetadata.with(#""grant_types":["client_credentials"]"#))
        #expect(grants.text.contains("may have: authorization_code"))
    }

    @Test(arguments: [RegistrationPolicy.Access.token, .open])
    func `may have device codes with a token of the operator, and keep them`(access: RegistrationPolicy.Access)
        async throws
    {
        let grants = #""grant_types":["urn:ietf:params:oauth:grant-type:device_code","authorization_code"]"#
        let metadata = TestMetadata.with(grants)
        try await TestServer.registering(access) { server in
            let answer = try await server.register(metadata, presenting: try await server.mintToken())
            #expect(answer.status == .created, "\(answer.text)")
            let client = try answer.json(ClientInformation.self)
            let json = #"{"client_id":"\#(client.client)","redirect_uris":["https://shop.example/done"],\#(grants)}"#
            let replaced = try await server.manage(.put, client.client, presenting: client.token, json)
            #expect(replaced.status == .ok, "\(replaced.text)")
            if access == .open {
                let without = try await server.register(metadata)
                #expect(without.status == .created && !without.text.contains("device_code"), "\(without.text)")
            }
        }
    }

    @Test(.registering(.token)) func `is refused without a token of the operator`() async throws {
        let answer = try await server.register(TestMetadata.web)
        #expect(answer.status == .unauthorized)
        #expect(answer.headers[.wwwAuthenticate] == "Bearer realm=\"countersign\"")
    }

    @Test(arguments: [RegistrationPolicy.Access.token, .open])
    func `is refused with a token that is unknown, over or used up`(access: RegistrationPolicy.Access) async throws {
        try await TestServer.registering(access) { server in
            let short = try await server.mintToken(lifetime: 10)
            let single = try await server.mintToken()
            let first = try await server.registered(presenting: single)
            #expect(try await server.find(first.client)?.registration.expires == nil)
            server.clock.advance(by: .seconds(10))
            let before = try await server.rows(of: "clients")
            for token in [short, single, AccessToken(revealing: "unknown")] {
                let answer = try await server.register(TestMetadata.web, presenting: token)
                #expect(answer.status == .unauthorized)
                #expect(answer.headers[.wwwAuthenticate]?.contains("error=\"invalid_token\"") == true)
            }
            #expect(try await server.rows(of: "clients") == before)
        }
    }

    @Test(.registering(.token)) func `uses the token up only when it is registered, and names it in the audit`()
        async throws
    {
        let token = try await server.mintToken(uses: 2)
        #expect(try await server.register("{}", presenting: token).status == .badRequest)
        _ = try await server.registered(presenting: token)
        let client = try await server.registered(presenting: token)
        #expect(try await server.register(TestMetadata.web, presenting: token).status == .unauthorized)
        let entries = try await server.store.read { try $0.audit.entries(after: 0, limit: 100) }
        let added = entries.filter { $0.facts.act == .clientAdded }.map(\.facts.client)
        #expect(added.count == 2 && added.last == client.client)
    }

    @Test(arguments: [
        ("{}", OAuthError.Code.invalidRedirectURI),
        (#"{"redirect_uris":[]}"#, .invalidRedirectURI),
        (#"{"redirect_uris":["http://shop.example/done"]}"#, .invalidRedirectURI),
        (#"{"redirect_uris":["https://shop.example/done#here"]}"#, .invalidRedirectURI),
        (#"{"redirect_uris":["javascript:alert(1)"]}"#, .invalidRedirectURI),
        (#"{"redirect_uris":"https://shop.example/done"}"#, .invalidClientMetadata),
        (#"{"redirect_uris":[1]}"#, .invalidClientMetadata),
        ("", .invalidClientMetadata), ("[]", .invalidClientMetadata), ("{", .invalidClientMetadata),
        (TestMetadata.with(#""token_endpoint_auth_method":"client_secret_jwt""#), .invalidClientMetadata),
        (TestMetadata.with(#""token_endpoint_auth_method":"private_key_jwt""#), .invalidClientMetadata),
        (
            TestMetadata.with(#""token_endpoint_auth_method":"private_key_jwt","jwks":{"keys":[]}"#),
            .invalidClientMetadata
        ),
        (
            TestMetadata.with(
                #""token_endpoint_auth_method":"private_key_jwt","jwks":{"keys":[{"kty":"oct","k":"AAAA"}]}"#),
            .invalidClientMetadata
        ),
        (TestMetadata.with(#""jwks_uri":"https://shop.example/jwks""#), .invalidClientMetadata),
        // Keys that would not count.
        (TestMetadata.with(#""jwks":{"keys":[\#(TestMetadata.key)]}"#), .invalidClientMetadata),
        (TestMetadata.with(#""jwks":{"keys":[{"kty":"oct","k":"AAAA"}]}"#), .invalidClientMetadata),
        (
            TestMetadata.with(
                #""token_endpoint_auth_method":"client_secret_post","jwks":{"keys":[\#(TestMetadata.key)]}"#),
            .invalidClientMetadata
        ),
        (
            TestMetadata.with(#""token_endpoint_auth_method":"none","jwks":{"keys":[\#(TestMetadata.key)]}"#),
            .invalidClientMetadata
        ),
        (TestMetadata.with(#""grant_types":["implicit"]"#), .invalidClientMetadata),
        (TestMetadata.with(#""grant_types":["client_credentials"]"#), .invalidClientMetadata),
        (TestMetadata.with(#""grant_types":["refresh_token"]"#), .invalidClientMetadata),
        (TestMetadata.with(#""response_types":["token"]"#), .invalidClientMetadata),
        (TestMetadata.with(#""scope":"nearby_approve""#), .invalidClientMetadata),
        (TestMetadata.with(#""scope":"\"""#), .invalidClientMetadata),
        (TestMetadata.with(#""id_token_signed_response_alg":"none""#), .invalidClientMetadata),
        (TestMetadata.with(#""post_logout_redirect_uris":["http://shop.example"]"#), .invalidClientMetadata),
        (TestMetadata.with(#""backchannel_logout_uri":"http://127.0.0.1/ended""#), .invalidClientMetadata),
        (TestMetadata.with(#""backchannel_logout_uri":"https://10.0.0.1/ended""#), .invalidClientMetadata),
        (TestMetadata.with(#""dpop_bound_access_tokens":"yes""#), .invalidClientMetadata),
        (
            TestMetadata.with(#""require_signed_request_object":true,"jwks":{"keys":[\#(TestMetadata.key)]}"#),
            .invalidClientMetadata
        ),
    ])
    func `says only what can be registered`(json: String, error: OAuthError.Code) async throws {
        let before = try await server.rows(of: "clients")
        let answer = try await server.register(json)
        #expect(answer.status == .badRequest)
        #expect(answer.error == error)
        #expect(try await server.rows(of: "clients") == before)
    }

    /// Standard: RFC 9101 §10.5.
    @Test func `may demand that its requests are signed, when it has keys`() async throws {
        let members = #""token_endpoint_auth_method":"private_key_jwt","jwks":{"keys":[\#(TestMetadata.key)]}"#
        let client = try await server.registered(
            TestMetadata.with(#"\#(members),"require_signed_request_object":true"#))
        #expect(client.metadata.requireSignedRequestObject == true)
        let stored = try await server.store.read { try $0.clients.find(client.client) }
        #expect(stored?.rules.requiresSignedRequests == true)
    }

    @Test func `sends JSON, and not too much of it`() async throws {
        let form = try await server.post("/register", ["client_name": "A shop"])
        #expect(form.status == .badRequest && form.error == .invalidRequest)
        let long = TestMetadata.with(#""client_uri":"\#(String(repeating: "x", count: 65_536))""#)
        let answer = try await server.register(long)
        #expect(answer.status == .contentTooLarge && answer.error == .invalidRequest)
        #expect(try await server.get("/register").status == .methodNotAllowed)
    }

    @Test(.registering(.open, scope: Scope([.email]))) func `gets less than it asks for, and is told so`() async throws
    {
        let asked = TestMetadata.with(
            """
            "grant_types":["authorization_code","implicit","client_credentials","refresh_token"],\
            "response_types":["code","code id_token"],"scope":"openid email admin nearby_approve",\
            "logo_uri":"https://shop.example/logo.png","contacts":["a@shop.example"],"software_id":"shop",\
            "software_statement":"a.b.c","subject_type":"pairwise","client_name#ja":"店","jwks":{"keys":[]}
            """
        )
        let answer = try await server.register(asked)
        let metadata = try answer.json(ClientInformation.self).metadata
        #expect(metadata.grantTypes == [.authorizationCode, .refreshToken])
        #expect(metadata.responseTypes == ["code"])
        #expect(metadata.scope == "openid email")
        #expect(metadata.softwareID == "shop")
        #expect(answer.members.isDisjoint(with: ["logo_uri", "contacts", "subject_type", "software_statement"]))
    }

    @Test(arguments: [
        (#""token_endpoint_auth_method":"none""#, "none", false),
        (#""token_endpoint_auth_method":"client_secret_post""#, "client_secret_post", true),
        (
            #""token_endpoint_auth_method":"private_key_jwt","jwks":{"keys":[\#(TestMetadata.key)]}"#,
            "private_key_jwt", false
        ),
    ])
    func `has a secret only where it needs one`(members: String, method: String, hasSecret: Bool) async throws {
        let answer = try await server.register(TestMetadata.with(members))
        let client = try answer.json(ClientInformation.self)
        #expect(client.metadata.tokenEndpointAuthMethod == method)
        #expect((client.secret != nil) == hasSecret)
        #expect(answer.members.contains("client_secret_expires_at") == hasSecret)
        #expect((client.metadata.keys != nil) == (method == "private_key_jwt"))
    }

    @Test func `is registered for what it may have, and people are always asked`() async throws {
        let asked = TestMetadata.with(
            """
            "id_token_signed_response_alg":"RS256","dpop_bound_access_tokens":true,\
            "require_pushed_authorization_requests":true,"post_logout_redirect_uris":["https://shop.example/bye"],\
            "backchannel_logout_uri":"https://shop.example/ended","backchannel_logout_session_required":true
            """
        )
        let id = try await server.registered(asked).client
        let client = try #require(try await server.find(id))
        // The algorithm of ID tokens says nothing about access tokens.
        #expect(client.idTokenAlgorithm == .rs256 && client.tokenFormat == .opaque)
        #expect(client.lifetimes.accessToken == Lifetimes().accessToken)
        #expect(client.dpop == .required)
        #expect(client.redirects.requiresPushedRequests)
        #expect(client.redirects.postLogoutRedirectURIs == ["https://shop.example/bye"])
        #expect(
            client.redirects.backChannelLogout
                == BackChannelLogout(uri: "https://shop.example/ended", requiresSession: true))
        #expect(client.redirects.consent == .ask)
        #expect(client.serves.isEmpty)
        #expect(client.name == id.rawValue)
        #expect(client.provenanceOfName(.verified) == .asserted)
    }

    /// Standard: OpenID CIBA Core 1.0 §4.
    @Test func `may ask over the back channel where the operator gave it a token`() async throws {
        let members = """
            "grant_types":["urn:openid:params:grant-type:ciba","authorization_code"],\
            "backchannel_token_delivery_mode":"ping",\
            "backchannel_client_notification_endpoint":"https://shop.example/decided",\
            "backchannel_user_code_parameter":true
            """
        try await TestServer.registering(.token) { server in
            let client = try await server.registered(
                TestMetadata.with(members), presenting: try await server.mintToken())
            #expect(client.metadata.backchannelTokenDeliveryMode == "ping")
            #expect(client.metadata.backchannelClientNotificationEndpoint == "https://shop.example/decided")
            #expect(client.metadata.backchannelUserCodeParameter == true)
            let record = try #require(try await server.find(client.client))
            #expect(
                record.backchannel
                    == BackchannelRegistration(
                        deliveryMode: .ping, notificationEndpoint: "https://shop.example/decided",
                        sendsUserCodes: true))
        }
        try await TestServer.registering(.open) { server in
            let client = try await server.registered(TestMetadata.with(members))
            #expect(client.metadata.grantTypes == [.authorizationCode])
            #expect(client.metadata.backchannelTokenDeliveryMode == nil)
        }
    }

    @Test(
        .registering(.token),
        arguments: [
            #""backchannel_token_delivery_mode":"carrier pigeon""#, #""backchannel_token_delivery_mode":"ping""#,
            #""backchannel_token_delivery_mode":"push","backchannel_client_notification_endpoint":"https://10.0.0.1/x""#,
            #""backchannel_token_delivery_mode":"push","dpop_bound_access_tokens":true,"#
                + #""backchannel_client_notification_endpoint":"https://shop.example/x""#,
            #""backchannel_token_delivery_mode":"poll","backchannel_authentication_request_signing_alg":"ES256""#,
            #""backchannel_token_delivery_mode":"poll","token_endpoint_auth_method":"none""#,
        ])
    func `cannot ask over the back channel like this`(members: String) async throws {
        let grant = #""grant_types":["urn:openid:params:grant-type:ciba"],"#
        let answer = try await server.register(
            TestMetadata.with(grant + members), presenting: try await server.mintToken())
        #expect(answer.error == .invalidClientMetadata, "\(answer.text)")
    }

    @Test(.registering(.token)) func `gets more where its token says so`() async throws {
        let allowance = RegistrationAllowance(
            clientCredentials: true, scope: Scope([ScopeWord("reports.read")]), serves: ["https://api.example"])
        let token = try await server.mintToken(uses: 2, allowance)
        let asked = #"{"grant_types":["client_credentials"],"scope":"reports.read"}"#
        let client = try await server.registered(asked, presenting: token)
        #expect(client.metadata.grantTypes == [.clientCredentials])
        #expect(client.metadata.responseTypes == [])
        #expect(try await server.find(client.client)?.serves == ["https://api.example"])
        let header = PresentedCredentials.basicHeader(client: client.client, secret: try #require(client.secret))
        let answer = try await server.post(
            "/token", ["grant_type": "client_credentials"], headers: [.authorization: header])
        #expect(try answer.json(TokenResponse.self).scope == Scope([ScopeWord("reports.read")]))
        let open = #"{"grant_types":["client_credentials"],"token_endpoint_auth_method":"none"}"#
        #expect(try await server.register(open, presenting: token).error == .invalidClientMetadata)
    }

    @Test func `without a token is forgotten after a week, unless it is used`() async throws {
        let unused = try await server.registered()
        let used = try await server.registered()
        let first = try #require(try await server.find(used.client))
        try await server.change { try ClientRegistrations($0).require(first, at: server.clock.date) }
        #expect(
            try await server.find(used.client)?.registration.expires == server.clock.date + Client.lifetime)
        server.clock.advance(by: .seconds(7 * 86_400 + 1))
        let answer = try await server.manage(.get, unused.client, presenting: unused.token)
        #expect(answer.status == .unauthorized)
        try await server.store.change { _ = try $0.clients.sweep(before: server.clock.date, limit: 9) }
        #expect(try await server.find(unused.client) == nil)
        #expect(try await server.manage(.get, used.client, presenting: used.token).status == .ok)
    }

    @Test(.registering(.open) { $0.limits[.registrationPerAddress] = Limit(2, in: 3600) })
    func `shares the limits of devices`() async throws {
        let client = try await server.registered()
        let device = ["client_name": "Radio", "software_id": "a.b", "software_version": "1"]
        #expect(try await server.post("/cpa/register", object: device).status == .created)
        let answer = try await server.register(TestMetadata.web)
        #expect(answer.status == .tooManyRequests)
        #expect(answer.headers[.retryAfter] == "3600")
        let json = #"{"client_id":"\#(client.client)","redirect_uris":["https://shop.example/done"]}"#
        let update = try await server.manage(.put, client.client, presenting: client.token, json)
        #expect(update.status == .tooManyRequests)
    }

    @Test(.server) func `finds no endpoint where the operator wants none`() async throws {
        #expect(try await server.register(TestMetadata.web).status == .notFound)
        let metadata = try await server.get("/.well-known/openid-configuration").text
        #expect(!metadata.contains("registration_endpoint"))
        #expect(!(try await server.get("/openapi.json").text.contains("\"/register\"")))
    }

    @Test(.registering(.token)) func `finds the endpoint in both documents`() async throws {
        for name in MetadataEndpoint.names {
            let metadata = try await server.get("/.well-known/\(name)").json(AuthorizationServerMetadata.self)
            #expect(metadata.registrationEndpoint == "http://localhost:8080/register")
        }
    }
}
