import Countersign
import CountersignWire
import Testing

@Suite("An OAuth error")
struct OAuthErrorTests {
    @Test func `equals another by its code alone`() {
        let error = OAuthError(.invalidGrant, "one", because: "this")
        #expect(error == OAuthError(.invalidGrant, "other", because: "that"))
        #expect(error == OAuthError(.invalidGrant, because: "that"))
        #expect(error != OAuthError(.invalidClient, "one", because: "this"))
    }

    @Test func `is written with code and description, and never with its reason`() throws {
        let error = OAuthError(.invalidClient, "client authentication failed", because: "no such client: tv")
        let json = try OAuthErrorResponse(error).json()
        #expect(json == #"{"error":"invalid_client","error_description":"client authentication failed"}"#)
    }

    @Test func `is written without a description when it has none`() throws {
        let error = OAuthError(.authorizationPending, because: "nobody decided")
        #expect(try OAuthErrorResponse(error).json() == #"{"error":"authorization_pending"}"#)
    }

    @Test func `is that of RFC 6749`() throws {
        let response = try OAuthErrorResponse(json: RFC6749.errorResponse)
        #expect(response.error == .invalidRequest)
        #expect(response.description == nil)
    }

    @Test func `is read with a code that is not known here, and with more members`() throws {
        let json = #"{"error":"unheard_of","error_description":"d","error_uri":"https://example.com","more":[1]}"#
        let response = try OAuthErrorResponse(json: json)
        #expect(response.error == OAuthError.Code("unheard_of"))
        #expect(response.description == "d")
    }

    @Test(arguments: ["{}", #"{"error":null}"#, #"{"error":400}"#, #"{"error":{"code":"x"}}"#, #""invalid_request""#])
    func `is not read from an answer that has no code`(json: String) {
        #expect(throws: DecodingError.self) { try OAuthErrorResponse(json: json) }
    }

    // RFC 6749 §5.2, §4.1.2.1; RFC 8628 §3.5; RFC 7009 §2.2.1; RFC 6750 §3.1.
    @Test(arguments: [
        (OAuthError.Code.invalidRequest, "invalid_request"), (.invalidClient, "invalid_client"),
        (.invalidGrant, "invalid_grant"), (.unauthorizedClient, "unauthorized_client"),
        (.unsupportedGrantType, "unsupported_grant_type"), (.invalidScope, "invalid_scope"),
        (.accessDenied, "access_denied"), (.serverError, "server_error"),
        (.temporarilyUnavailable, "temporarily_unavailable"), (.authorizationPending, "authorization_pending"),
        (.slowDown, "slow_down"), (.expiredToken, "expired_token"), (.unsupportedTokenType, "unsupported_token_type"),
        (.invalidToken, "invalid_token"), (.insufficientScope, "insufficient_scope"),
    ])
    func `has the code that the standard registers`(code: OAuthError.Code, wire: String) {
        #expect(code.rawValue == wire)
    }
}
