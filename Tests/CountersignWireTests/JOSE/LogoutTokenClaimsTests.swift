import Countersign
import CountersignWire
import Testing

@Suite("What a logout token says")
struct LogoutTokenClaimsTests {
    // OpenID Connect Back-Channel Logout 1.0 §2.4.
    private let example = """
        {
          "iss": "https://server.example.com",
          "sub": "248289761001",
          "aud": "s6BhdRkqt3",
          "iat": 1471566154,
          "exp": 1471569754,
          "jti": "bWJq",
          "sid": "08a5019c-17e1-4977-8f42-65a12843ea02",
          "events": {
            "http://schemas.openid.net/event/backchannel-logout": {}
          }
        }
        """

    @Test func `is that of OpenID Connect`() throws {
        let claims = try LogoutTokenClaims(json: example)
        #expect(claims.issuer == "https://server.example.com")
        #expect(claims.subject == Subject("248289761001"))
        #expect(claims.audience.names == ["s6BhdRkqt3"])
        #expect(claims.issued == 1_471_566_154 && claims.expires == 1_471_569_754)
        #expect(claims.tokenID == "bWJq")
        #expect(claims.session == SessionID("08a5019c-17e1-4977-8f42-65a12843ea02"))
    }

    @Test func `is written with the names of the standard, and without a nonce`() throws {
        let claims = try LogoutTokenClaims(json: example)
        let expected = """
            {"aud":"s6BhdRkqt3","events":{"http://schemas.openid.net/event/backchannel-logout":{}},"exp":1471569754,\
            "iat":1471566154,"iss":"https://server.example.com","jti":"bWJq",\
            "sid":"08a5019c-17e1-4977-8f42-65a12843ea02","sub":"248289761001"}
            """
        #expect(try claims.json() == expected)
        #expect(String(decoding: CompactJSON.bytes(of: claims), as: UTF8.self) == expected)
    }

    @Test(arguments: ["iss", "sub", "aud", "exp", "iat", "jti", "sid", "events", LogoutTokenClaims.event])
    func `lacks nothing that is required`(claim: String) {
        let broken = example.replacing("\"\(claim)\"", with: "\"other\"")
        #expect(throws: DecodingError.self) { try LogoutTokenClaims(json: broken) }
    }
}
