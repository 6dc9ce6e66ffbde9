import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A client in a web page", .server(withApps: true))
struct BrowserClientTests {
    let server = TestServer.current
    private let origin: HTTPFields = [.origin: "https://phone.example"]

    @Test(arguments: ["token", "device_authorization", "userinfo", "par", "revoke"])
    func `may call the endpoints for clients from its registered origin`(endpoint: String) async throws {
        let path = server.path(endpoint)
        let preflight = try await server.send(.options, path, headers: origin)
        #expect(preflight.status == .noContent)
        #expect(preflight.headers[.accessControlAllowOrigin] == "https://phone.example")
        #expect(preflight.headers[.accessControlAllowCredentials] == nil)
        // Errors are readable, too.
        let answer = try await server.post(path, ["client_id": "nobody"], headers: origin)
        #expect(answer.status != .ok)
        #expect(answer.headers[.accessControlAllowOrigin] == "https://phone.example")
    }

    @Test(arguments: ["https://evil.example", "null", "https://phone.example.evil.example", "http://phone.example", ""])
    func `may call no endpoint from an origin that is not registered`(other: String) async throws {
        let headers: HTTPFields = [.origin: other]
        #expect(try await server.send(.options, "/token", headers: headers).headers[.accessControlAllowOrigin] == nil)
        let answer = try await server.post("/token", ["client_id": "nobody"], headers: headers)
        #expect(answer.headers[.accessControlAllowOrigin] == nil)
        #expect(answer.headers[.vary] == "Origin")
    }

    @Test(arguments: ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server", "/jwks"])
    func `reads what is public from anywhere`(path: String) async throws {
        let answer = try await server.get(path, headers: [.origin: "https://anybody.example"])
        #expect(answer.headers[.accessControlAllowOrigin] == "*")
    }

    @Test func `gets nothing from introspection and the pages`() async throws {
        for path in ["/introspect", "/authorize", "/login", "/account"] {
            let answer = try await server.send(.options, path, headers: origin)
            #expect(answer.headers[.accessControlAllowOrigin] == nil)
        }
    }
}
