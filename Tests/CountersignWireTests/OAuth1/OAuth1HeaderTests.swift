import CountersignTesting
import Testing

@testable import CountersignWire

/// Standard: RFC 5849 §3.5.1.
@Suite("The header of OAuth 1")
struct OAuth1HeaderTests {
    @Test func `is the standard's example`() throws {
        let header = try OAuth1Header(parsing: RFC5849.printedHeader)
        #expect(header.realm == "Example")
        #expect(header.parameters.count == 7)
        #expect(header.parameters[3] == OAuth1Parameter("oauth_signature", "wOJIO9A2W5mFwDgiDvZbTSMK/PY="))
        #expect(header.text == RFC5849.printedHeader)
    }

    @Test(arguments: [
        ("OAuth a=\"b\"", ["a=b"]), ("oauth a=\"b\",c=\"d\"", ["a=b", "c=d"]),
        ("OAUTH  a=\"\" ,\tb=\"%20\" ", ["a=", "b= "]),
        ("OAuth %61%2B=\"%2b\"", ["a+=+"]),
    ])
    func `may have white space and empty values`(text: String, read: [String]) throws {
        #expect(try OAuth1Header(parsing: text).parameters.map { "\($0.name)=\($0.value)" } == read)
    }

    @Test func `keeps any realm that a header can have`() throws {
        let header = OAuth1Header(realm: #"a "quoted" \ realm, with commas"#, [OAuth1Parameter("a", "b")])
        #expect(header.text == #"OAuth realm="a \"quoted\" \\ realm, with commas", a="b""#)
        #expect(try OAuth1Header(parsing: header.text) == header)
        #expect(OAuth1Header(realm: "a\r\nb\u{e9}", []).realm == "ab")
    }

    @Test(arguments: [
        "", "OAuth", "OAuth ", "OAuth2 a=\"b\"", "Bearer a=\"b\"", "OAuth a", "OAuth a=", "OAuth a=b", "OAuth a=\"b",
        "OAuth =\"b\"", "OAuth a=\"b\" c=\"d\"", "OAuth a=\"b\",", "OAuth ,a=\"b\"", "OAuth a=\"b\",,c=\"d\"",
        "OAuth a=\"b c\"", "OAuth a=\"b+c\"", "OAuth a=\"%\"", "OAuth a=\"%f\"", "OAuth a=\"%FF\"", "OAuth a=\"é\"",
        "OAuth a=\"b\", a=\"c\"", "OAuth a=\"b\", %61=\"c\"", "OAuth realm=\"a\", realm=\"b\"", "OAuth a =\"b\"",
        "OAuth realm=\"a\\", "OAuth realm=\"\u{1}\"", "OAuth a=\"\(String(repeating: "x", count: 8192))\"",
        "OAuth " + (0..<65).map { "a\($0)=\"\"" }.joined(separator: ","),
    ])
    func `is refused when it is anything else`(text: String) {
        #expect(throws: OAuth1Error(.malformed, because: "")) { try OAuth1Header(parsing: text) }
    }

    @Test func `is read again as it was written`() throws {
        let random = SeededRandom(seed: 351)
        for count in 1..<60 {
            let parameters = (0..<count).map { OAuth1Parameter("n\($0)\(random.text(upTo: 3))", random.text(upTo: 8)) }
            let header = OAuth1Header(realm: nil, parameters)
            #expect(try OAuth1Header(parsing: header.text) == header)
        }
    }
}
