import Countersign
import CountersignTesting
import CountersignWire
import Testing

@testable import CountersignRequester

@Suite("A redirect URI")
struct RedirectURITests {
    @Test(arguments: [
        ("https://app.example.com/signed-in", RedirectURI.Kind.claimed),
        ("https://app.example.com", .claimed), ("http://127.0.0.1:8400/callback", .loopback),
        ("http://[::1]:8400/callback", .loopback), ("com.example.app:/signed-in", .privateUse),
        ("fsoauthexample://authorized", .privateUse), ("fsoauthexample://authorized?kind=a", .privateUse),
    ])
    func `is https, a port of this machine, or of the app's own scheme`(text: String, kind: RedirectURI.Kind) throws {
        #expect(try RedirectURI(text).kind == kind)
    }

    @Test(arguments: [
        ("", RedirectURI.ParsingError.malformed), ("signed-in", .malformed), ("https://", .malformed),
        ("https:///path", .malformed), ("https://a.example/#part", .malformed), ("https://me@a.example/", .malformed),
        ("https://a.example/ b", .malformed), ("https://ä.example/", .malformed), ("app:", .malformed),
        ("app://a\u{0}b", .malformed), ("https://a.example/?x=%zz", .malformed),
        ("http://a.example/callback", .insecure), ("http://127.0.0.1.example.com/", .insecure),
        ("javascript:alert(1)", .schemeOfSystem), ("JavaScript://a/b", .schemeOfSystem),
        ("data:text/html,x", .schemeOfSystem), ("file:///etc/passwd", .schemeOfSystem),
        ("https://a.example/?code=mine", .parameterOfAnswer), ("app://cb?x=1&state=2", .parameterOfAnswer),
        ("app://cb?%73tate=2", .parameterOfAnswer),
    ])
    func `is nothing else`(text: String, refusal: RedirectURI.ParsingError) {
        #expect(throws: refusal) { try RedirectURI(text) }
    }

    @Test func `has at most 2,048 bytes`() {
        #expect(throws: RedirectURI.ParsingError.malformed) {
            try RedirectURI("https://a.example/" + String(repeating: "a", count: 2048))
        }
    }

    @Test(arguments: [
        ("https://app.example.com/cb", "https://app.example.com/cb?code=A", "code=A"),
        ("https://app.example.com/cb", "HTTPS://APP.example.com:443/cb?code=A", "code=A"),
        ("https://app.example.com", "https://app.example.com/?code=A", "code=A"),
        ("https://app.example.com/cb", "https://app.example.com/cb", ""),
        ("https://app.example.com/cb", "https://app.example.com/cb?code=A#code=B", "code=A"),
        ("fsoauthexample://authorized", "fsoauthexample://authorized?code=A", "code=A"),
        ("fsoauthexample://authorized", "FSOAuthExample://authorized#code=A", ""),
        ("com.example.app:/cb", "com.example.app:/cb?error=x", "error=x"),
        ("app://cb?kind=a", "app://cb?kind=a&code=A", "code=A"), ("app://cb?kind=a", "app://cb?kind=a", ""),
    ])
    func `takes what came back to it`(own: String, returned: String, parameters: String) throws {
        #expect(try RedirectURI(own).parameters(of: returned) == parameters)
    }

    @Test func `reads any text without harm`() throws {
        let own = try RedirectURI("app://cb?kind=a")
        let random = SeededRandom(seed: 7)
        let pieces = [
            "app://cb", "?", "kind=a", "&", "=", "%", "code", "error", "state", "\u{0}", "ä", "#", "//", ":", "😀",
        ]
        var succeeded = 0
        for number in 0..<20_000 {
            let rest = random.bytes(8).map { pieces[Int($0) % pieces.count] }.joined()
            // Chance alone hardly ever begins with the whole address.
            let text = number.isMultiple(of: 2) ? "\(own)&\(rest)" : rest
            guard let query = own.parameters(of: text) else { continue }
            guard case .success = ReturnedParameters(parsing: query).content else { continue }
            succeeded += 1
            #expect(query.contains("="))
        }
        #expect(succeeded > 0)
    }

    @Test(arguments: [
        ("https://app.example.com/cb", "https://app.example.com/CB?code=A"),
        ("https://app.example.com/cb", "https://app.example.com/cb/?code=A"),
        ("https://app.example.com/cb", "https://app.example.com/cb/../x?code=A"),
        ("https://app.example.com/cb", "http://app.example.com/cb?code=A"),
        ("https://app.example.com/cb", "https://app.example.com:8443/cb?code=A"),
        ("https://app.example.com/cb", "https://app.example.com.evil.example/cb?code=A"),
        ("https://app.example.com/cb", "https://evil@app.example.com/cb?code=A"),
        ("http://127.0.0.1:8400/callback", "http://127.0.0.1:8401/callback?code=A"),
        ("http://127.0.0.1:8400/callback", "http://localhost:8400/callback?code=A"),
        ("fsoauthexample://authorized", "fsoauthexample://elsewhere?code=A"),
        ("fsoauthexample://authorized", "other://authorized?code=A"), ("app://cb?kind=a", "app://cb?kind=ab&code=A"),
        ("app://cb?kind=a", "app://cb?code=A"), ("app://cb", ""), ("app://cb", "\u{FFFD}%%%"), ("app://cb", "?code=A"),
    ])
    func `takes nothing that came back elsewhere`(own: String, returned: String) throws {
        #expect(try RedirectURI(own).parameters(of: returned) == nil)
    }
}
