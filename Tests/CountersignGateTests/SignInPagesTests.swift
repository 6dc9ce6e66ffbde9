import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignGate

@Suite("A sign-in at a gate")
struct SignInPagesTests {
    @Test func `asks by PKCE, a nonce and a state of this browser`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let parameters = try await client.begin().parameters
            #expect(parameters["response_type"] == "code")
            #expect(parameters["client_id"] == "gate")
            #expect(parameters["redirect_uri"] == "http://localhost/gate/callback")
            #expect(parameters["code_challenge_method"] == "S256")
            #expect(parameters["code_challenge"]?.count == 43)
            #expect(parameters["nonce"]?.isEmpty == false)
        }
    }

    @Test(arguments: [
        ("/photos?a=b", "http://localhost/photos?a=b"), ("//evil.example", "http://localhost/"),
        ("/\\evil.example", "http://localhost/"), ("https://evil.example/", "http://localhost/"),
        ("/a%0d%0aSet-Cookie:x", "http://localhost/"), ("", "http://localhost/"),
    ])
    func `returns to the same site alone`(target: String, location: String) async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let form: Form = ["to": target]
            let response = try await client.finish(try await client.begin(form.encoded))
            #expect(response.headers[.location] == location)
        }
    }

    @Test func `can be begun in many tabs`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let first = try await client.begin("to=/a")
            let again = try await client.get("/gate/sign-in?to=/b", cookie: first.cookie)
            let renewed = try #require(again.headers[.setCookie])
            #expect(renewed.cookiePair == first.cookie && renewed.contains("; Max-Age=31536000;"))
            #expect(try await client.finish(first).headers[.location] == "http://localhost/a")
        }
    }

    @Test func `leads to the start of the site where another tab signed the browser in`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let (first, second) = (try await client.begin("to=/a"), try await client.begin("to=/b"))
            // The browser has the cookie of the second tab alone.
            let lost = try await client.finish((first.parameters, second.cookie))
            #expect(lost.status == .forbidden)
            let session = try #require(try await client.finish(second).headers[.setCookie]).cookiePair
            let late = try await client.finish((first.parameters, "\(second.cookie); \(session)"))
            #expect(late.status == .found)
            #expect(late.headers[.location] == "http://localhost/")
            #expect(late.headers[.setCookie] == nil)
            #expect(try await client.finish((first.parameters, session)).status == .forbidden)
            #expect(test.server.count(of: "/token") == 1)
            #expect(try await client.check("/", cookie: session).status == .ok)

            test.server.change { $0.isSignedIn = false }
            test.clock.advance(by: .seconds(10))
            let ended = try await client.finish((first.parameters, "\(second.cookie); \(session)"))
            #expect(ended.status == .forbidden)
        }
    }

    @Test func `that failed says so on a page, which leads to the same one again where it is known`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let begun = try await client.begin("to=%2Fvault%2Fa%3Fb%3Dc&acr_values=urn:a&max_age=300")
            let form: Form = ["error": "<b>denied", "state": begun.parameters["state"]]
            let again = "http://localhost/gate/sign-in?to=%2Fvault%2Fa%3Fb%3Dc&amp;acr_values=urn%3Aa&amp;max_age=300"
            for (query, sentence, link) in [
                ("state=a", "It is over, or began in another browser.", #"<a href="/">Back to the site</a>"#),
                (form.encoded, "The server says: &lt;b&gt;denied.", #"<a href="\#(again)">Sign in again</a>"#),
            ] {
                let page = try await client.get("/gate/callback?\(query)", cookie: begun.cookie)
                #expect(page.status == .forbidden)
                #expect(page.headers[.contentType] == "text/html; charset=utf-8")
                let text = String(buffer: page.body)
                #expect(text.contains("<h1>The sign-in failed</h1>\n<p>\(sentence)</p>"))
                #expect(text.contains(link))
            }
        }
    }

    @Test func `is refused with the state of another browser, a changed one, and after its time`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let (own, other) = (try await client.begin(), try await client.begin())
            #expect(try await client.finish(own, state: other.parameters["state"]).status == .forbidden)
            #expect(try await client.finish(own, state: "\(own.parameters["state"] ?? "")A").status == .forbidden)
            test.clock.advance(by: .seconds(3_600))
            #expect(try await client.finish(own).status == .forbidden)
            #expect(test.server.count(of: "/token") == 0)
        }
    }

    @Test func `is refused with the answer of another server, and with an error`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let begun = try await client.begin()
            for more: Form in [["code": "c", "iss": "https://evil.example"], ["error": "access_denied"]] {
                var form = more
                form["state"] = begun.parameters["state"]
                let response = try await client.get("/gate/callback?\(form.encoded)", cookie: begun.cookie)
                #expect(response.status == .forbidden)
                #expect(response.headers[.setCookie] == nil)
            }
        }
    }

    @Test func `says where a person adds what the site demands`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let begun = try await client.begin()
            let form: Form = ["error": "unmet_authentication_requirements", "state": begun.parameters["state"]]
            let response = try await client.get("/gate/callback?\(form.encoded)", cookie: begun.cookie)
            #expect(response.status == .forbidden)
            #expect(String(buffer: response.body).contains("\(GateServer.issuer)/account,"))
        }
    }

    @Test func `is refused with an ID token of another sign-in`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let begun = try await client.begin()
            test.server.change { $0.nonce = "another" }
            let form: Form = ["code": "c", "state": begun.parameters["state"]]
            #expect(try await client.get("/gate/callback?\(form.encoded)", cookie: begun.cookie).status == .forbidden)
        }
    }

    @Test func `ends by a page of the site, or where the server says so`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let cookie = try await client.signedIn()
            let asked = try await client.get("/gate/sign-out", cookie: cookie)
            #expect(asked.headers[.location]?.hasPrefix("\(GateServer.issuer)/end_session?") == true)
            #expect(try await client.check("/", cookie: cookie).status == .ok)
            #expect(try await client.get("/gate/signed-out", cookie: cookie).headers[.setCookie] == nil)
            let foreign = [("Origin", "https://evil.example")]
            #expect(try await client.get("/gate/sign-out", .post, cookie: cookie, fields: foreign).status == .forbidden)
            let own = [("Origin", "http://localhost")]
            let ended = try await client.get("/gate/sign-out", .post, cookie: cookie, fields: own)
            #expect(ended.status == .seeOther)
            let names = ended.headers[values: .setCookie].map { $0.prefix { $0 != "=" } }
            #expect(names == ["countersign-gate-hgW4ugjC", "countersign-browser"])
            #expect(ended.headers[values: .setCookie].allSatisfy { $0.contains("=; Max-Age=0;") })
            #expect(test.server.count(of: "/revoke") == 1)
            #expect(try await client.check("/", cookie: cookie).status == .unauthorized)

            let next = try await client.signedIn()
            test.server.change { $0.isSignedIn = false }
            let left = try await client.get("/gate/signed-out", cookie: next)
            #expect(left.headers[values: .setCookie] == ended.headers[values: .setCookie])
            for page in [left, try await client.get("/gate/signed-out")] {
                #expect(page.status == .ok && page.headers[.contentType] == "text/html; charset=utf-8")
                #expect(String(buffer: page.body).contains("You are signed out"))
            }
        }
    }

    @Test func `publishes the key of its statements`() async throws {
        let test = try GateUnderTest()
        defer { test.remove() }
        try await test.with { client in
            let response = try await client.get("/gate/jwks")
            #expect(response.status == .ok)
            #expect(String(buffer: response.body).contains(#""alg":"ES256""#))
        }
    }
}
