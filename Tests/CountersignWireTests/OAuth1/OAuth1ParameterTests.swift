import CountersignTesting
import HTTPTypes
import Testing

@testable import CountersignWire

/// Standard: RFC 5849 §3.4.1.3, §3.6. The examples without a section are those of OAuth's own list of test cases.
@Suite("Parameters of OAuth 1")
struct OAuth1ParameterTests {
    @Test(arguments: [
        ("abcABC123", "abcABC123"), ("-._~", "-._~"), ("%", "%25"), ("+", "%2B"), ("&=*", "%26%3D%2A"),
        ("\u{0A}", "%0A"), (" ", "%20"), ("\u{7F}", "%7F"), ("\u{80}", "%C2%80"), ("\u{3001}", "%E3%80%81"),
        ("Ladies + Gentlemen", "Ladies%20%2B%20Gentlemen"), ("Dogs, Cats & Mice", "Dogs%2C%20Cats%20%26%20Mice"),
        ("☃", "%E2%98%83"), ("", ""),
    ])
    func `are encoded by one alphabet`(text: String, encoded: String) throws {
        #expect(OAuth1Encoding.encode(text) == encoded)
        #expect(try OAuth1Header(parsing: #"OAuth a="\#(encoded)""#).parameters == [OAuth1Parameter("a", text)])
    }

    @Test(arguments: ["%", "%4", "%zz", "a b", "a+b", "a*b", "%FF", "%00", "é", "%C3"])
    func `are not read when they are encoded otherwise`(encoded: String) {
        #expect(throws: OAuth1Error(.malformed, because: "")) {
            try OAuth1Header(parsing: #"OAuth a="\#(encoded)""#)
        }
    }

    @Test(arguments: [
        ("name", "name="), ("a=b", "a=b"), ("a=b&c=d", "a=b&c=d"), ("a=x!y&a=x+y", "a=x%20y&a=x%21y"),
        ("x!y=a&x=a", "x=a&x%21y=a"), ("a=2&a=10&a=1", "a=1&a=10&a=2"), ("b=&a&&=c", "=c&a=&b="),
        // Sorted by what is encoded: an escape comes before every letter.
        ("az=1&a%C3%A9=1&a=1&a-=1", "a=1&a%C3%A9=1&a-=1&az=1"), ("A=1&a=1&_=1", "A=1&_=1&a=1"),
        ("a=%7E&a=~b", "a=~&a=~b"),
    ])
    func `are sorted by their encoded bytes, names first`(query: String, normalized: String) throws {
        let parameters = try OAuth1Parameter.parse(Array(query.utf8))
        let request = try OAuth1Request(.get, "http://example.com/")
        let signed = "GET&http%3A%2F%2Fexample.com%2F&\(OAuth1Encoding.encode(normalized))"
        #expect(SignatureBaseString(of: request, header: parameters).text == signed)
        #expect(SignatureBaseString(of: request, header: parameters.reversed()).text == signed)
    }

    @Test(arguments: [
        "a=%", "a=%4", "a=b c", "a=%FF", "a=%00", "é=1", Array(repeating: "a", count: 513).joined(separator: "&"),
    ])
    func `are refused when no form has them`(query: String) {
        #expect(throws: OAuth1Error(.malformed, because: "")) { try OAuth1Parameter.parse(Array(query.utf8)) }
    }

    @Test func `are read again as they were written`() throws {
        let random = SeededRandom(seed: 5849)
        for _ in 0..<500 {
            let parameters = (0..<8).map { _ in OAuth1Parameter(random.text(upTo: 12), random.text(upTo: 12)) }
                .filter { $0 != OAuth1Parameter("", "") }
            let encoded = OAuth1Parameter.encoded(parameters)
            #expect(try OAuth1Parameter.parse(Array(encoded.utf8)) == parameters)
        }
    }
}
