import Countersign
import CountersignWire
import Testing

@Suite("A token request")
struct TokenRequestTests {
    private static let requests: [TokenRequest] = [
        .deviceCode(DeviceCode(revealing: "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS")),
        .refresh(RefreshToken(revealing: "tGzv3JOkF0XG5Qx2TlKWIA"), scope: .none),
        .refresh(RefreshToken(revealing: "a+b/c=&d"), scope: Scope([.openid, .profile])),
        .clientCredentials(scope: .none),
        .clientCredentials(scope: Scope([ScopeWord("read"), ScopeWord("write")])),
        .backchannelAuthentication(AuthenticationRequestID(revealing: "1c266114-a1be-4252-8ad1-04986c5b9ac1")),
    ]

    @Test(arguments: requests)
    func `is read as it was sent`(request: TokenRequest) throws {
        #expect(try self.request(request.form.encoded) == request)
    }

    @Test func `is that of RFC 8628 for a device code`() throws {
        let expected = TokenRequest.deviceCode(DeviceCode(revealing: "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS"))
        #expect(try request(RFC8628.tokenForm) == expected)
        #expect(RFC8628.tokenForm == "\(expected.form.encoded)&client_id=1406020730")
    }

    @Test func `is that of RFC 6749 for a refresh token and for a client's own`() throws {
        let refresh = TokenRequest.refresh(RefreshToken(revealing: "tGzv3JOkF0XG5Qx2TlKWIA"), scope: .none)
        #expect(try request(RFC6749.refreshForm) == refresh)
        #expect(refresh.form.encoded == RFC6749.refreshForm)
        #expect(try request(RFC6749.clientCredentialsForm) == .clientCredentials(scope: .none))
        #expect(TokenRequest.clientCredentials(scope: .none).form.encoded == RFC6749.clientCredentialsForm)
    }

    @Test(arguments: zip(requests, ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token", "refresh_token"]))
    func `knows its grant type`(request: TokenRequest, grantType: String) {
        #expect(request.grantType.rawValue == grantType)
        #expect(GrantType.known.contains(request.grantType))
    }

    @Test(arguments: [
        "", "grant_type=", "device_code=a", "grant_type=refresh_token", "grant_type=refresh_token&refresh_token=",
        "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code",
        "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&refresh_token=a",
        "grant_type=refresh_token&device_code=a",
        "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Apre-authorized_code&pre-authorized_code=a&tx_code=1234",
    ])
    func `lacks nothing, and has nothing that was not asked for`(form: String) {
        #expect(throws: OAuthError(.invalidRequest, because: "")) { try request(form) }
    }

    @Test(arguments: ["password", "Authorization_Code", "Refresh_Token", "refresh_token ", "device_code", "\u{1F4FB}"])
    func `is of a grant type that is known`(grantType: String) {
        var form = Form()
        form["grant_type"] = grantType
        form["refresh_token"] = "a"
        form["device_code"] = "a"
        #expect(throws: OAuthError(.unsupportedGrantType, because: "")) { try TokenRequest(form: form) }
    }

    @Test(arguments: ["grant_type=client_credentials", "grant_type=refresh_token&refresh_token=a"])
    func `has a scope of the right form`(form: String) {
        #expect(throws: OAuthError(.invalidScope, because: "")) { try request("\(form)&scope=%5C") }
    }

    @Test(arguments: requests)
    func `prints without what it redeems`(request: TokenRequest) {
        for secret in ["GmRhmh", "tGzv3J", "a+b/c"] {
            #expect(!"\(request)".contains(secret))
            #expect(!String(reflecting: request).contains(secret))
        }
    }

    private func request(_ wire: String) throws -> TokenRequest {
        try TokenRequest(form: Form(parsing: Array(wire.utf8)))
    }

    /// Standard: RFC 8693 §2.1, §2.2.2.
    @Test(arguments: ["audience", "resource"])
    func `exchanges a token for one service, however often it is named`(name: String) throws {
        let text =
            "grant_type=urn:ietf:params:oauth:grant-type:token-exchange&subject_token=a"
            + "&subject_token_type=urn:ietf:params:oauth:token-type:id_token&\(name)=one&\(name)="
        guard case .tokenExchange(let asked) = try request("\(text)one") else {
            Issue.record("it is another request")
            return
        }
        #expect([asked.audience, asked.resource].contains("one"))
        #expect(throws: OAuthError(.invalidTarget, because: "")) { try request("\(text)two") }
    }
}
