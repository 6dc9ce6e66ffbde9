import Countersign
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 6749 §2.3, §5.2.
@Suite("A client that authenticates", .server)
struct ClientAuthenticationTests {
    let server = TestServer.current
    static let endpoints = ["/device_authorization", "/token", "/introspect", "/revoke"]

    @Test func `may show its secret in the header or in the form`() async throws {
        let posted = try await server.post("/device_authorization", TestClients.console.form)
        let headed = try await server.post("/device_authorization", [:], headers: TestClients.console.basic)
        let named: Form = ["client_id": "console"]
        let both = try await server.post("/device_authorization", named, headers: TestClients.console.basic)
        #expect(posted.status == .ok)
        #expect(headed.status == .ok)
        #expect(both.status == .ok)
    }

    @Test(arguments: endpoints)
    func `is told the same when it is unknown and when its secret is wrong`(path: String) async throws {
        let refused: [Form] = [
            ["client_id": "nobody"],
            ["client_id": "nobody", "client_secret": "guess"],
            ["client_id": "console", "client_secret": "guess"],
            ["client_id": "console"],
            ["client_id": "tv", "client_secret": "guess"],
        ]
        var answers: [TestResponse] = []
        for form in refused { answers.append(try await server.post(path, form)) }
        for client in ["nobody", "console", "tv"] {
            let secret = ClientSecret(revealing: "guess")
            let header = PresentedCredentials.basicHeader(client: ClientID(client), secret: secret)
            answers.append(try await server.post(path, [:], headers: [.authorization: header]))
        }

        for answer in answers {
            #expect(answer.status == .unauthorized)
            #expect(answer.error == .invalidClient)
            #expect(answer.body == answers[0].body)
            #expect(answer.headers == answers[0].headers)
            #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Basic realm=") == true)
            #expect(answer.headers[.cacheControl] == "no-store")
        }
    }

    @Test(arguments: ["Bearer abc", "Basic", "Basic !!!", "Basic YWJj", "Basic /w==", "basic YTol", ""])
    func `is refused a header that cannot be read`(header: String) async throws {
        let answer = try await server.post("/token", TestClients.tv.form, headers: [.authorization: header])
        #expect(answer.status == .unauthorized)
        #expect(answer.error == .invalidClient)
    }

    @Test func `must name its client identifier`() async throws {
        for path in Self.endpoints {
            let answer = try await server.post(path, ["token": "x"])
            #expect(answer.error == .invalidClient)
        }
    }

    @Test func `must use one method of authentication only`() async throws {
        let console = TestClients.console
        let twice = try await server.post("/device_authorization", console.form, headers: console.basic)
        let other: Form = ["client_id": "tv"]
        let mixed = try await server.post("/device_authorization", other, headers: console.basic)
        var headers = console.basic
        headers.append(HTTPField(name: .authorization, value: "Basic YTpi"))
        let repeated = try await server.post("/device_authorization", [:], headers: headers)
        for answer in [twice, mixed, repeated] {
            #expect(answer.status == .badRequest)
            #expect(answer.error == .invalidRequest)
        }
    }

    /// Standard: RFC 6749 §2.3.1.
    @Test func `that is public may send an empty secret, and no other`() async throws {
        for (client, isGood) in [(TestClients.tv, true), (.console, false)] {
            let pair = Base64.encode(Array("\(client.id.rawValue):".utf8))
            let inHeader = try await server.post(
                "/device_authorization", [:], headers: [.authorization: "Basic \(pair)"])
            #expect(inHeader.status == (isGood ? .ok : .unauthorized))
        }
    }

    @Test func `is gone as soon as it was removed`() async throws {
        let codes = try await server.ask()
        try await server.remove(.tv)
        #expect(try await server.poll(codes).error == .invalidClient)
        #expect(try await server.post("/device_authorization", TestClients.tv.form).error == .invalidClient)
    }
}
