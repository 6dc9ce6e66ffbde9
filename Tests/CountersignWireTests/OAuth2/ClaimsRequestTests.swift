import Countersign
import Testing

@testable import CountersignWire

/// Standard: OpenID Connect Core 1.0 §5.5.
@Suite("A request for claims")
struct ClaimsRequestTests {
    /// The example of §5.5, shortened by one claim.
    private let example = """
        {
         "userinfo":
          {
           "given_name": {"essential": true},
           "nickname": null,
           "picture": null,
           "http://example.info/claims/groups": null
          },
         "id_token":
          {
           "auth_time": {"essential": true},
           "acr": {"values": ["urn:mace:incommon:iap:silver"] }
          }
        }
        """

    @Test func `says how much each claim is wanted`() throws {
        let claims = try ClaimsRequest(parsing: example)
        #expect(claims.userInfo["given_name"] == ClaimsRequest.IndividualClaim(isEssential: true))
        #expect(claims.userInfo["nickname"] == ClaimsRequest.IndividualClaim())
        #expect(claims.userInfo.count == 4)
        #expect(claims.idToken["auth_time"] == ClaimsRequest.IndividualClaim(isEssential: true))
        #expect(claims.idToken["acr"] == ClaimsRequest.IndividualClaim(values: ["urn:mace:incommon:iap:silver"]))
        #expect(claims.names.count == 6)
    }

    @Test func `is read again as it is written`() throws {
        let claims = try ClaimsRequest(parsing: example)
        #expect(try ClaimsRequest(parsing: claims.text) == claims)
        var odd = ClaimsRequest()
        odd.idToken["a \"quoted\" \\ name"] = ClaimsRequest.IndividualClaim(isEssential: true, values: ["é", "\""])
        #expect(try ClaimsRequest(parsing: odd.text) == odd)
        #expect(ClaimsRequest().text == "{}")
    }

    @Test(arguments: [
        (#"{"id_token":{"sub":{"value":"248289761001"}}}"#, ["248289761001"]),
        (#"{"id_token":{"sub":{"value":5}}}"#, []), (#"{"id_token":{"sub":{"values":[5]}}}"#, []),
        (#"{"id_token":{"sub":{"values":["a","b"],"other":true}}}"#, ["a", "b"]),
    ])
    func `names the values that are accepted, of which no number is one`(text: String, values: [String]) throws {
        #expect(try ClaimsRequest(parsing: text).idToken["sub"]?.values == values)
    }

    @Test(arguments: [
        "", "{", "[]", "null", "\"a\"", #"{"id_token":1}"#, #"{"id_token":"a"}"#, #"{"id_token":[]}"#,
        #"{"id_token":{"acr":true}}"#, #"{"id_token":{"acr":{"essential":"true"}}}"#,
        #"{"id_token":{"acr":{"values":"a"}}}"#, #"{"id_token":{"acr":null,"acr":null}}"#,
        #"{"id_token":null,"id_token":null}"#, #"{"id_token":{}} x"#,
    ])
    func `is refused when it is malformed`(text: String) {
        #expect(throws: OAuthError(.invalidRequest, because: "")) { try ClaimsRequest(parsing: text) }
    }
}
