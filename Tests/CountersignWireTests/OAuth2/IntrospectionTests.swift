import Countersign
import CountersignWire
import Testing

@Suite("An introspection")
struct IntrospectionTests {
    @Test func `is that of RFC 7662`() throws {
        let response = try IntrospectionResponse(json: RFC7662.active)
        #expect(response.active)
        #expect(response.clientID == ClientID("l238j323ds-23ij4"))
        #expect(response.username == "jdoe")
        #expect(response.scope == "read write dolphin")
        #expect(response.subject == "Z5O3upPC88QrAjx00dis")
        #expect(response.audience == Audience(["https://protected.example.net/resource"]))
        #expect(response.issuer == "https://server.example.com/")
        #expect(response.expires == 1_419_356_238)
        #expect(response.issued == 1_419_350_238)
        #expect(response.additional.texts(ClaimName("extension_field")) == ["twenty-seven"])
    }

    @Test func `is written with the names of the standard`() throws {
        var response = try IntrospectionResponse(json: RFC7662.active)
        response.tokenType = "Bearer"
        response.tokenID = "a-token"
        response.additional = AdditionalClaims()
        let expected = """
            {"active":true,"aud":"https://protected.example.net/resource","client_id":"l238j323ds-23ij4",\
            "exp":1419356238,"iat":1419350238,"iss":"https://server.example.com/","jti":"a-token",\
            "scope":"read write dolphin","sub":"Z5O3upPC88QrAjx00dis","token_type":"Bearer","username":"jdoe"}
            """
        #expect(try response.json() == expected)
        #expect(try IntrospectionResponse(json: expected) == response)
    }

    @Test func `says of a token that is not good only that`() throws {
        #expect(try IntrospectionResponse.inactive.json() == #"{"active":false}"#)
        #expect(try IntrospectionResponse(json: RFC7662.inactive) == .inactive)
    }

    @Test(arguments: ["{}", #"{"active":"true"}"#, #"{"active":null}"#, #"{"active":1}"#])
    func `says whether the token is good`(json: String) {
        #expect(throws: DecodingError.self) { try IntrospectionResponse(json: json) }
    }

    @Test func `is asked with the token, as a revocation is`() throws {
        let form = try Form(parsing: Array("token=a%2Bb&token_type_hint=refresh_token".utf8))
        #expect(try IntrospectionRequest(form: form).token.revealed == "a+b")
        #expect(try RevocationRequest(form: form).token.revealed == "a+b")
        #expect(try IntrospectionRequest(form: form).form.encoded == "token=a%2Bb")
        #expect(try RevocationRequest(form: form).form.encoded == "token=a%2Bb")
    }

    @Test(arguments: ["", "token=", "token_type_hint=access_token"])
    func `is not asked without one`(wire: String) throws {
        let form = try Form(parsing: Array(wire.utf8))
        #expect(throws: OAuthError(.invalidRequest, because: "")) { try IntrospectionRequest(form: form) }
        #expect(throws: OAuthError(.invalidRequest, because: "")) { try RevocationRequest(form: form) }
    }

    @Test func `prints without the token`() {
        #expect(!"\(IntrospectionRequest(token: PresentedToken(revealing: "hush")))".contains("hush"))
        #expect(!"\(RevocationRequest(token: PresentedToken(revealing: "hush")))".contains("hush"))
    }
}
