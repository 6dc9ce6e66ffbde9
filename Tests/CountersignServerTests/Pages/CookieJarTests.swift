import Countersign
import CountersignWire
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import CountersignServer

/// Standard: RFC 6265 §4.1; RFC 6265bis §4.1.3.
@Suite("The cookie")
struct CookieJarTests {
    let value = "0123456789abcdef"

    @Test(arguments: [
        ("http://localhost:8080", "countersign-8080", "Path=/; HttpOnly; SameSite=Lax"),
        ("http://127.0.0.1", "countersign-80", "Path=/; HttpOnly; SameSite=Lax"),
        ("http://localhost:81/a/b", "countersign-81", "Path=/a/b; HttpOnly; SameSite=Lax"),
        ("https://id.example", "__Host-countersign", "Path=/; Secure; HttpOnly; SameSite=Lax"),
        ("https://id.example:444/a", "__Host-countersign", "Path=/; Secure; HttpOnly; SameSite=Lax"),
    ])
    func `is bound to the site, and out of reach for scripts and other sites`(
        issuer: String,
        name: String,
        attributes: String
    ) throws {
        let jar = CookieJar(try Issuer(issuer))
        let cookie = BrowserCookie(revealing: value)
        #expect(jar.give(cookie) == "\(name)=\(value); \(attributes)")
        #expect(jar.give(cookie, for: 60) == "\(name)=\(value); \(attributes); Max-Age=60")
        #expect(jar.takeAway == "\(name)=; \(attributes); Max-Age=0")
    }

    @Test func `is found among others`() throws {
        let jar = CookieJar(try Issuer("http://localhost:8080"))
        let headers = ["a=b; countersign-8080=\(value); c=d", "countersign-8080=\(value)"]
        for header in headers { #expect(jar.cookie(in: request([header]))?.revealed == value) }
        #expect(jar.cookie(in: request(["a=b", "countersign-8080=\(value)"]))?.revealed == value)
    }

    @Test(arguments: [
        "", "countersign-8080", "countersign-8080=", "countersign-8080=short", "countersign-8081=0123456789abcdef",
        "__Host-countersign=0123456789abcdef", "=0123456789abcdef", ";;;", "xcountersign-8080=0123456789abcdef",
    ])
    func `is none when it has another name or no sensible length`(header: String) throws {
        let jar = CookieJar(try Issuer("http://localhost:8080"))
        #expect(jar.cookie(in: request([header])) == nil)
        let long = "countersign-8080=" + String(repeating: "a", count: 129)
        #expect(jar.cookie(in: request([long])) == nil)
    }

    @Test func `is the first of two with one name`() throws {
        let jar = CookieJar(try Issuer("http://localhost:8080"))
        let header = "countersign-8080=\(value); countersign-8080=another-value-0123"
        #expect(jar.cookie(in: request([header]))?.revealed == value)
    }

    private func request(_ cookies: [String]) -> Request {
        var headers = HTTPFields()
        for cookie in cookies { headers.append(HTTPField(name: .cookie, value: cookie)) }
        return Request(
            head: HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/", headerFields: headers),
            body: RequestBody(buffer: ByteBuffer())
        )
    }
}
