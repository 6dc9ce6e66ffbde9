import Countersign
import Foundation
import Testing

@Suite("A scope")
struct ScopeTests {
    @Test(arguments: [
        ("", []),
        ("openid", ["openid"]),
        ("openid profile email", ["openid", "profile", "email"]),
        ("b a c", ["b", "a", "c"]),
        ("a b a a", ["a", "b"]),
        ("A a", ["A", "a"]),
        ("https://example.com/read urn:x:y", ["https://example.com/read", "urn:x:y"]),
        ("!#$%&'()*+,-./:;<=>?@[]^_`{|}~", ["!#$%&'()*+,-./:;<=>?@[]^_`{|}~"]),
        (" openid  profile ", ["openid", "profile"]),
        ("   ", []),
    ])
    func `is read word by word, in order, each word once`(text: String, words: [String]) {
        #expect(Scope(parsing: text)?.words.map(\.rawValue) == words)
    }

    // RFC 6749 §3.3: scope-token = 1*( %x21 / %x23-5B / %x5D-7E ).
    @Test(arguments: [
        "a\"b", "a\\b", "a\tb", "a\nb", "a\r\nb", "a\0b", "a\u{7F}b", "a\u{A0}b", "café", "a \u{301}b", "a\u{200B}",
        "openid \"", "\u{3000}", "ａ",
    ])
    func `has no character that the standard leaves out`(text: String) {
        #expect(Scope(parsing: text) == nil)
    }

    @Test func `has only words of the characters that the standard lists`() {
        for value in UInt8(0)...127 {
            let listed = value == 0x21 || (0x23...0x5B).contains(value) || (0x5D...0x7E).contains(value)
            #expect((ScopeWord(parsing: String(UnicodeScalar(value))) != nil) == listed, "\(value)")
        }
        #expect(ScopeWord(parsing: "") == nil)
    }

    @Test func `is written with single spaces`() {
        #expect(Scope([.openid, .profile, .openid]).description == "openid profile")
        #expect(Scope.none.description.isEmpty)
        #expect(Scope(parsing: "a  b")?.description == "a b")
    }

    @Test func `knows what it contains`() {
        let scope = Scope([.openid, .email])
        #expect(scope.contains(.openid))
        #expect(!scope.contains(.profile))
        #expect(!scope.contains(ScopeWord("OPENID")))
        #expect(!scope.isEmpty)
        #expect(Scope.none.isEmpty)
    }

    @Test(arguments: [
        ("", "", true), ("", "a", true), ("a", "", false), ("a", "a", true), ("a b", "b a", true),
        ("a b", "a", false), ("a", "a b", true), ("a c", "a b", false), ("A", "a", false),
    ])
    func `is part of another when every word is`(one: String, other: String, expected: Bool) throws {
        let one = try #require(Scope(parsing: one))
        #expect(one.isSubset(of: try #require(Scope(parsing: other))) == expected)
    }

    @Test func `of many words is read and compared in reasonable time`() throws {
        let text = (0..<20_000).map { "word-\($0)" }.joined(separator: " ")
        let scope = try #require(Scope(parsing: text))
        #expect(scope.words.count == 20_000)
        #expect(scope.isSubset(of: scope))
    }

    @Test func `is stored and read back`() throws {
        let scope = Scope([.openid, .offlineAccess])
        #expect(try JSONDecoder().decode(Scope.self, from: JSONEncoder().encode(scope)) == scope)
    }
}
