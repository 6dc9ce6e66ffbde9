import CountersignTesting
import HTTPTypes
import Testing

@testable import CountersignWire

/// The fast reading of a request gives the same result as a plain one, step by step.
///
/// Standard: RFC 5849 §3.4.1, §3.5.1, §3.6.
@Suite("Requests of OAuth 1, beside a plain reading of the standard")
struct OAuth1ReferenceTests {
    /// Pieces of queries, forms and headers, and some that they cannot have.
    private static let pieces = [
        "a", "b", "A", "_", "~", "-", ".", "az", "oauth_", "oauth_token", "oauth_signature", "oauth_nonce", "realm",
        "%61", "%2b", "%2B", "%20", "%C3%A9", "%E2%98%83", "%f0%9f%98%80", "%25", "%3D", "%26", "1", "10", "2", "",
    ]
    private static let odd = ["%", "%4", "%zz", "%00", "%FF", "%C3", "%ED%A0%80", "é", "\u{1}", "\"", ",", "\\", "="]
    private static let ofForms = ["+", "*", "!", "'", "=", "==", ";", "/", "?", "\""]

    private struct Maker {
        let random: SeededRandom

        func pick(_ list: [String]) -> String { list[number(list.count)] }
        func number(_ limit: Int) -> Int { Int(random.bytes(1)[0]) % limit }

        func text(_ extra: [String], isHostile: Bool) -> String {
            (0..<number(4)).map { _ in
                if isHostile, number(12) == 0 { return pick(OAuth1ReferenceTests.odd) }
                return number(4) == 0 && !extra.isEmpty ? pick(extra) : pick(OAuth1ReferenceTests.pieces)
            }.joined()
        }

        func form(isHostile: Bool) -> String {
            (0..<number(8)).map { _ in
                let name = text(OAuth1ReferenceTests.ofForms, isHostile: isHostile)
                return number(6) == 0 ? name : "\(name)=\(text(OAuth1ReferenceTests.ofForms, isHostile: isHostile))"
            }.joined(separator: number(9) == 0 ? "&&" : "&")
        }

        func header(isHostile: Bool) -> String {
            let parts = (0..<(1 + number(8))).map { place in
                let name = text([], isHostile: isHostile) + (isHostile ? "" : "\(place)")
                return "\(name)=\"\(text([], isHostile: isHostile))\""
            }
            let realm = number(3) == 0 ? [#"realm="a \"b\" \\ c, d""#] : []
            return pick(["OAuth ", "oauth\t ", "OAUTH "])
                + (realm + parts).joined(separator: pick([",", ", ", " ,\t"]))
        }
    }

    @Test(arguments: [false, true])
    func `are read alike, and give the same base string`(isHostile: Bool) throws {
        let maker = Maker(random: SeededRandom(seed: isHostile ? 5849 : 1849))
        var read = 0
        for _ in 0..<4000 {
            let (header, query, form) = (
                maker.header(isHostile: isHostile), maker.form(isHostile: isHostile), maker.form(isHostile: isHostile)
            )
            let expected = (PlainOAuth1.header(header), PlainOAuth1.form(query), PlainOAuth1.form(form))
            let parsed = try? OAuth1Header(parsing: header)
            #expect(parsed?.parameters == expected.0, "\(header)")
            let request = try? OAuth1Request(
                .post,
                "https://api.example.com/a%7eb/c;d?\(query)",
                type: "application/x-www-form-urlencoded",
                body: Array(form.utf8))
            #expect((request == nil) == (expected.1 == nil || expected.2 == nil), "\(query) \(form)")
            guard let parsed, let request, let inHeader = expected.0, let inQuery = expected.1, let inForm = expected.2
            else { continue }
            read += 1
            #expect(request.query == inQuery && request.form == inForm)
            let text = PlainOAuth1.baseString(
                "POST", "https://api.example.com/a%7eb/c;d", inHeader + inQuery + inForm)
            #expect(request.baseString(with: parsed.encoded).text == text)
            #expect(SignatureBaseString(of: request, header: parsed.parameters).text == text)
        }
        #expect(read > (isHostile ? 100 : 3000))
    }

    @Test func `are read alike at the limits of their numbers`() {
        for count in [63, 64, 65] {
            let header = "OAuth " + (0..<count).map { "a\($0)=\"\"" }.joined(separator: ",")
            #expect((try? OAuth1Header(parsing: header))?.parameters == PlainOAuth1.header(header))
        }
        for count in [511, 512, 513] {
            let form = (0..<count).map { "a=\($0)" }.joined(separator: "&")
            #expect((try? OAuth1Parameter.parse(Array(form.utf8))) == PlainOAuth1.form(form))
        }
    }
}
