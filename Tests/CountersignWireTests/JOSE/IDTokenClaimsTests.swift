import Countersign
import CountersignWire
import Testing

@Suite("What an ID token says")
struct IDTokenClaimsTests {
    // OpenID Connect Core 1.0 §2.
    private let example = """
        {
          "iss": "https://server.example.com",
          "sub": "24400320",
          "aud": "s6BhdRkqt3",
          "nonce": "n-0S6_WzA2Mj",
          "exp": 1311281970,
          "iat": 1311280970,
          "auth_time": 1311280969,
          "acr": "urn:mace:incommon:iap:silver"
        }
        """

    @Test func `is that of OpenID Connect`() throws {
        let claims = try IDTokenClaims(json: example)
        #expect(claims.issuer == "https://server.example.com")
        #expect(claims.subject == Subject("24400320"))
        #expect(claims.audience.names == ["s6BhdRkqt3"])
        #expect(claims.expires == 1_311_281_970)
        #expect(claims.issued == 1_311_280_970)
        #expect(claims.authenticated == 1_311_280_969)
        #expect(claims.nonce == "n-0S6_WzA2Mj")
        #expect(claims.authenticationClass == "urn:mace:incommon:iap:silver")
        #expect(claims.name == nil)
    }

    @Test func `is written with the names of the standard`() throws {
        var claims = try IDTokenClaims(json: example)
        claims.name = "Anna"
        claims.preferredUsername = "anna"
        claims.email = "anna@example.com"
        claims.isEmailVerified = false
        claims.methods = ["pwd"]
        let expected = """
            {"acr":"urn:mace:incommon:iap:silver","amr":["pwd"],"aud":"s6BhdRkqt3","auth_time":1311280969,"email":"anna@example.com","email_verified":false,\
            "exp":1311281970,"iat":1311280970,"iss":"https://server.example.com","name":"Anna","nonce":"n-0S6_WzA2Mj","preferred_username":"anna",\
            "sub":"24400320"}
            """
        #expect(try claims.json() == expected)
        #expect(try IDTokenClaims(json: expected) == claims)
    }

    @Test(arguments: ["iss", "sub", "aud", "exp", "iat"])
    func `lacks nothing that is required`(claim: String) {
        let broken = example.replacing("\"\(claim)\"", with: "\"other\"")
        #expect(throws: DecodingError.self) { try IDTokenClaims(json: broken) }
    }

    @Test func `of a person is written with the names of the standard`() throws {
        var person = UserInfo(subject: Subject("248289761001"))
        #expect(try person.json() == #"{"sub":"248289761001"}"#)
        person.name = "Jane Doe"
        person.preferredUsername = "j.doe"
        person.email = "janedoe@example.com"
        person.emailVerified = true
        let expected = """
            {"email":"janedoe@example.com","email_verified":true,"name":"Jane Doe","preferred_username":"j.doe",\
            "sub":"248289761001"}
            """
        #expect(try person.json() == expected)
        #expect(try UserInfo(json: expected) == person)
    }
}

@Suite("An audience")
struct AudienceTests {
    // RFC 7519 §4.1.3: one name stands alone, several in a list.
    @Test(arguments: [
        (#""a""#, ["a"]), (#"["a"]"#, ["a"]), (#"["a","b"]"#, ["a", "b"]), ("[]", []), (#""""#, [""]),
    ])
    func `is one name or several`(json: String, names: [String]) throws {
        #expect(try Audience(json: json).names == names)
    }

    @Test(arguments: [(["a"], #""a""#), (["a", "b"], #"["a","b"]"#), ([], "[]")])
    func `is written alone when it is one`(names: [String], json: String) throws {
        #expect(try Audience(names).json() == json)
    }

    @Test(arguments: ["null", "5", "true", "{}", "[5]", "[null]", #"[["a"]]"#])
    func `is nothing else`(json: String) {
        #expect(throws: DecodingError.self) { try Audience(json: json) }
    }
}
