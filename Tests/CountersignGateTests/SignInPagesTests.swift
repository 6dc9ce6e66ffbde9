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
            #expect(again.headers[.setCookie] == nil)
            #expect(try await client.finish(first).headers[.location] == "http://localhost/a")
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
            #expect(ended.headers[.setCookie]?.contains("Max-Age=0") == true)
            #expect(test.server.count(of: "/revoke") == 1)
            #expect(try await client.check("/", cookie: cookie).status == .unauthorized)

            let next = try await client.signedIn()
            test.server.change { $0.isSignedIn = false }
            let left = try await client.get("/gate/signed-out", cookie: next)
            #expect(left.headers[.setCookie]?.contains("Max-Age=0") == true)
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
