import Countersign
import CountersignWire
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: WHATWG Fetch §3.2 (CORS protocol).
@Suite("A web page of another origin")
struct CrossOriginAccessTests {
    private static let page = "https://radio.example.com"
    private static let paths = ["/cpa/register", "/cpa/associate", "/cpa/token"]

    private func withPages(_ test: @Sendable (TestServer) async throws -> Void) async throws {
        try await TestServer.open(
            withSigningKeys: false, withDomains: true,
            configuring: { $0.crossPlatformOrigins = [WebOrigin(Self.page), WebOrigin("http://localhost:3000")] },
            test
        )
    }

    @Test func `may ask where an operator says so`() async throws {
        try await withPages { server in
            for path in Self.paths {
                let headers: HTTPFields = [.origin: Self.page, .accessControlRequestMethod: "POST"]
                let answer = try await server.send(.options, path, headers: headers)
                #expect(answer.status == .noContent)
                #expect(answer.headers[.accessControlAllowOrigin] == Self.page)
                #expect(answer.headers[.accessControlAllowMethods] == "POST")
                #expect(answer.headers[.accessControlAllowCredentials] == "true")
                #expect(
                    answer.headers[.accessControlAllowHeaders]
                        == "Content-Type, Authorization, Content-Length, X-Requested-With, DPoP, Prefer"
                )
                #expect(answer.headers[.vary] == "Origin")
            }
            let good = ["client_name": "Radio", "software_id": "a.b", "software_version": "1"]
            for (body, status) in [(good, HTTPResponse.Status.created), ([:], .badRequest)] {
                let answer = try await server.post("/cpa/register", object: body, headers: [.origin: Self.page])
                #expect(answer.status == status)
                #expect(answer.headers[.accessControlAllowOrigin] == Self.page)
                #expect(answer.headers[.accessControlAllowCredentials] == "true")
            }
        }
    }

    @Test(arguments: ["https://radio.example.com.evil.example", "http://radio.example.com", "null", "*", ""])
    func `may not read what another one may`(origin: String) async throws {
        try await withPages { server in
            for path in Self.paths {
                for method in [HTTPRequest.Method.options, .post] {
                    let answer = try await server.send(method, path, headers: [.origin: origin])
                    #expect(answer.headers[.accessControlAllowOrigin] == nil)
                    #expect(answer.headers[.accessControlAllowCredentials] == nil)
                    #expect(answer.headers[.vary] == "Origin")
                }
            }
        }
    }

    @Test func `may not ask as a service, nor anywhere where nobody said so`() async throws {
        try await withPages { server in
            let answer = try await server.send(.options, "/cpa/authorized", headers: [.origin: Self.page])
            #expect(answer.status == .methodNotAllowed)
            #expect(answer.headers[.accessControlAllowOrigin] == nil)
        }
        try await TestServer.open(withSigningKeys: false, withDomains: true) { server in
            for path in Self.paths {
                let answer = try await server.send(.options, path, headers: [.origin: Self.page])
                #expect(answer.status == .methodNotAllowed)
                #expect(answer.headers[.accessControlAllowOrigin] == nil && answer.headers[.vary] == nil)
            }
        }
    }
}
