import Countersign
import CountersignWire
import Testing

@Suite("A token response")
struct TokenResponseTests {
    private let whole = TokenResponse(
        accessToken: AccessToken(revealing: "an-access-token"),
        expiresIn: 3_600,
        refreshToken: RefreshToken(revealing: "a-refresh-token"),
        scope: Scope([.openid, .profile]),
        idToken: UnverifiedIDToken(revealing: "a.b.c")
    )

    @Test func `is written with the names of the standard`() throws {
        let expected = """
            {"access_token":"an-access-token","expires_in":3600,"id_token":"a.b.c","refresh_token":"a-refresh-token",\
            "scope":"openid profile","token_type":"Bearer"}
            """
        #expect(try whole.json() == expected)
    }

    @Test func `tells when the authorization ends by itself`() throws {
        let ending = TokenResponse(
            accessToken: AccessToken(revealing: "a"), expiresIn: nil, authorizationExpiresIn: 900)
        let json = #"{"access_token":"a","authorization_expires_in":900,"token_type":"Bearer"}"#
        #expect(try ending.json() == json)
        #expect(try TokenResponse(json: json) == ending)
        for bad in [#""soon""#, "-1", "null"] {
            let other = try TokenResponse(json: json.replacing("900", with: bad))
            #expect(other.authorizationExpiresIn == nil)
        }
    }

    @Test func `is written without what there is not`() throws {
        let least = TokenResponse(accessToken: AccessToken(revealing: "a"), expiresIn: nil)
        #expect(try least.json() == #"{"access_token":"a","token_type":"Bearer"}"#)
    }

    @Test func `is read as it was written`() throws {
        #expect(try TokenResponse(json: whole.json()) == whole)
    }

    @Test func `is that of RFC 6749`() throws {
        let response = try TokenResponse(json: RFC6749.tokenResponse)
        #expect(response.accessToken.revealed == "2YotnFZFEjr1zCsicMWpAA")
        #expect(response.tokenType == "example")
        #expect(response.expiresIn == 3_600)
        #expect(response.refreshToken?.revealed == "tGzv3JOkF0XG5Qx2TlKWIA")
        #expect(response.scope == nil)
        #expect(response.idToken == nil)
    }

    @Test(arguments: [
        ("3600", 3_600), ("\"3600\"", 3_600), ("3600.0", 3_600), ("3600.9", 3_600), ("0", 0), ("\"0\"", 0),
        ("1e3", 1_000), ("null", nil), ("999999999999", 999_999_999_999),
    ])
    func `has a lifetime, from servers that quote it too`(json: String, seconds: Int?) throws {
        #expect(try response(lifetime: json).expiresIn == seconds)
    }

    @Test(arguments: [
        "-1", "\"-1\"", "-0.5", "1e12", "1e300", "1e400", "99999999999999999999999999", "\"1e400\"", "\"nan\"",
        "\"inf\"", "\"-inf\"", "\"\"", "\" 5\"", "\"ten\"", "\"5 s\"", "true", "[]", "{}", "[3600]",
    ])
    func `has no lifetime where it is no span of time, and its tokens all the same`(json: String) throws {
        let response = try response(lifetime: json)
        #expect(response.expiresIn == nil && response.accessToken.revealed == "a")
    }

    @Test(arguments: [
        "", "null", "[]", "\"a\"", "{}", #"{"access_token":"a"}"#, #"{"token_type":"Bearer"}"#,
        #"{"access_token":null,"token_type":"Bearer"}"#, #"{"access_token":5,"token_type":"Bearer"}"#,
        #"{"access_token":["a"],"token_type":"Bearer"}"#, #"{"access_token":"a","token_type":5}"#,
        #"{"access_token":"a","token_type":"Bearer","refresh_token":5}"#,
        #"{"access_token":"a","token_type":"Bearer","scope":5}"#,
        #"{"access_token":"a","token_type":"Bearer","scope":[5]}"#,
        #"{"access_token":"a","token_type":"Bearer""#, "<html></html>",
    ])
    func `is refused when it is not what the standard says`(json: String) {
        #expect(throws: DecodingError.self) { try TokenResponse(json: json) }
    }

    @Test func `counts members that are null as left out`() throws {
        let json = #"{"access_token":"a","token_type":"Bearer","refresh_token":null,"scope":null,"id_token":null}"#
        let least = TokenResponse(accessToken: AccessToken(revealing: "a"), expiresIn: nil)
        #expect(try TokenResponse(json: json) == least)
    }

    @Test(arguments: [
        (#""openid profile""#, Scope?.some(Scope([.openid, .profile]))), (#""""#, Scope.none),
        (#"["openid","profile"]"#, Scope([.openid, .profile])), ("[]", Scope.none),
    ])
    func `says what was granted`(json: String, scope: Scope?) throws {
        let response = try TokenResponse(json: #"{"access_token":"a","token_type":"Bearer","scope":\#(json)}"#)
        #expect(response.scope == scope)
    }

    @Test func `prints without its tokens`() {
        for printed in ["\(whole)", String(reflecting: whole)] {
            #expect(!printed.contains("an-access-token"))
            #expect(!printed.contains("a-refresh-token"))
            #expect(!printed.contains("a.b.c"))
        }
    }

    private func response(lifetime: String) throws -> TokenResponse {
        try TokenResponse(json: #"{"access_token":"a","token_type":"Bearer","expires_in":\#(lifetime)}"#)
    }
}
