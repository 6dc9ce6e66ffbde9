import Foundation
import Testing

@testable import CountersignWire

@Suite("An issuer")
struct IssuerTests {
    @Test(arguments: [
        ("https://example.com", "https://example.com"),
        ("https://example.com/", "https://example.com"),
        ("https://example.com:8443", "https://example.com:8443"),
        ("https://example.com/a/b", "https://example.com/a/b"),
        ("https://example.com/a/b/", "https://example.com/a/b"),
        ("HTTPS://Example.COM/A", "HTTPS://Example.COM/A"),
        ("https://[2001:db8::1]:8443/a", "https://[2001:db8::1]:8443/a"),
        ("https://xn--mnchen-3ya.example", "https://xn--mnchen-3ya.example"),
        ("https://example.com/%C3%A4", "https://example.com/%C3%A4"),
    ])
    func `is written as it was given, without a slash at the end`(given: String, text: String) throws {
        let issuer = try Issuer(given)
        #expect(issuer.text == text)
        #expect(issuer.description == text)
        #expect(issuer.url.absoluteString == text)
        #expect(issuer.isSecure)
    }

    @Test(arguments: [
        "", " ", "/", "//", "example.com", "https:", "https:/", "https://", "https:///", "https:///a",
        "https:example.com", "https:/example.com", "https://example.com//", "https://example.com/a//",
        "https://exa mple.com", "https://example.com/a b", "https://example.com/\n", " https://example.com",
        "https://example.com\\@other.example", "https://example.com/{a}", "https://example.com|", "https://[::1",
        "https://example.com:", "https://example.com:x", "https://example.com:-1", "https://example.com:0",
        "https://example.com:65536", "https://example.com:0443", "https://example.com:99999999999999999999",
        "https://example.com/%", "https://example.com/%zz", "https://%65xample.com", "https://example.com%2Fother",
    ])
    func `is a whole URL`(text: String) {
        #expect(throws: Issuer.ParsingError.malformed) { try Issuer(text) }
    }

    // Names are compared as they are written: one that would have to be escaped first has two spellings.
    @Test(arguments: [
        "https://münchen.example", "https://example.com/ä", "https://example.com/日本語日本語日本語日本語日本語",
        "http://localhost/日本語日本語日本語", "https://еxample.com", "https://example.com/\u{202E}",
    ])
    func `is ASCII`(text: String) {
        #expect(throws: Issuer.ParsingError.malformed) { try Issuer(text) }
    }

    @Test(arguments: [
        "ftp://example.com", "javascript://example.com", "file://localhost/a", "wss://example.com", "//example.com",
    ])
    func `is reached by HTTP`(text: String) {
        #expect(throws: Issuer.ParsingError.scheme) { try Issuer(text) }
    }

    @Test(arguments: [
        "https://example.com?a=b", "https://example.com?", "https://example.com/a?b", "https://example.com#a",
        "https://example.com#", "https://anna@example.com", "https://anna:pw@example.com", "https://@example.com",
        "https://:pw@example.com", "https://localhost@example.com",
    ])
    func `has no query, fragment or user`(text: String) {
        #expect(throws: Issuer.ParsingError.extraParts) { try Issuer(text) }
    }

    @Test(arguments: [
        "http://localhost", "http://LOCALHOST:8080", "http://tv.localhost:8080/a", "http://127.0.0.1",
        "http://127.0.0.1:8080", "http://127.255.255.254", "http://[::1]", "http://[::1]:8080",
    ])
    func `may be plain HTTP on this machine`(text: String) throws {
        #expect(try !Issuer(text).isSecure)
    }

    @Test(arguments: [
        "http://example.com", "http://localhost.example.com", "http://127.0.0.1.example.com", "http://127.0.0",
        "http://127.0.0.1.1", "http://127.0.0.256", "http://127.+0.0.1", "http://127.0.0.01", "http://128.0.0.1",
        "http://10.0.0.1", "http://192.168.1.1", "http://0.0.0.0", "http://[::]", "http://[::2]", "http://notlocalhost",
        "http://localhost.", "http://2130706433", "http://[::ffff:192.0.2.1]", "http://127.0.0.", "http://127..0.1",
    ])
    func `is nowhere else plain HTTP, unless somebody says so`(text: String) throws {
        #expect(throws: Issuer.ParsingError.insecure) { try Issuer(text) }
        #expect(try !Issuer(text, allowingInsecureHTTP: true).isSecure)
    }

    // RFC 6454 §6.2.
    @Test(arguments: [
        ("https://example.com", "https://example.com"),
        ("https://example.com/a/b", "https://example.com"),
        ("HTTPS://Example.COM/A", "https://example.com"),
        ("https://example.com:443/a", "https://example.com"),
        ("https://example.com:80", "https://example.com:80"),
        ("https://example.com:8443/a", "https://example.com:8443"),
        ("http://localhost:80", "http://localhost"),
        ("http://localhost:443", "http://localhost:443"),
        ("http://[::1]:8080/a", "http://[::1]:8080"),
        ("https://[2001:DB8::1]", "https://[2001:db8::1]"),
        ("https://example.com/%C3%A4/%20", "https://example.com"),
    ])
    func `has the origin that a browser writes`(text: String, origin: String) throws {
        #expect(try Issuer(text).origin == origin)
    }

    @Test(arguments: [
        ("https://example.com", ""), ("https://example.com/", ""), ("https://example.com/a/b", "/a/b"),
        ("https://example.com/%C3%A4", "/%C3%A4"), ("http://[::1]:80/a;b=c", "/a;b=c"),
    ])
    func `has a path`(text: String, path: String) throws {
        #expect(try Issuer(text).path == path)
    }

    @Test func `has endpoints under it`() throws {
        #expect(try Issuer("https://example.com").appending("token") == "https://example.com/token")
        #expect(try Issuer("https://example.com/a/").appending("token") == "https://example.com/a/token")
    }

    @Test(arguments: RFC8414.places)
    func `has its metadata between host and path`(text: String, place: String) throws {
        #expect(try Issuer(text).wellKnown("oauth-authorization-server") == place)
    }

    @Test func `has its metadata at the same place however its path is spelled`() throws {
        let issuer = try Issuer("https://example.com:8443/%C3%A4/b/")
        #expect(issuer.wellKnown("x") == "https://example.com:8443/.well-known/x/%C3%A4/b")
    }
}
