import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

/// Standard: OpenAPI Specification 3.1. Whether it is one at all, and whether the answers conform, the journeys show.
@Suite("The description of the endpoints")
struct DescriptionEndpointTests {
    /// The operations in the description, as `METHOD path`.
    private func described(by server: TestServer) async throws -> Set<String> {
        let answer = try await server.get(server.path("openapi.json"))
        #expect(answer.status == .ok)
        let whole = try #require(
            try JSONSerialization.jsonObject(with: Data(answer.body.readableBytesView)) as? [String: Any]
        )
        let paths = try #require(whole["paths"] as? [String: [String: Any]])
        return Set(paths.flatMap { path, operations in operations.keys.map { "\($0.uppercased()) \(path)" } })
    }

    @Test(arguments: [nil, RegistrationPolicy(access: .token)])
    func `names every method of every endpoint that is there, and no other`(
        registration: RegistrationPolicy?
    ) async throws {
        try await TestServer.open(configuring: { $0.registration = registration }) { server in
            var mounted: Set<String> = []
            for route in server.server.router().routes where route.method != .head {
                let path = route.path.description
                let refusal = try await server.send(.patch, path)
                // A page says in HTML that it is no endpoint; health is for those who run the server.
                guard refusal.headers[.contentType]?.hasPrefix("application/json") == true, !path.hasPrefix("/health/")
                else { continue }
                let allowed = refusal.headers[.allow]?.split(separator: ", ").map(String.init) ?? []
                if allowed.contains(route.method.rawValue) { mounted.insert("\(route.method) \(path)") }
            }
            #expect(mounted.count > 8)
            #expect(try await described(by: server) == mounted)
        }
    }

    @Test(arguments: ["http://localhost:8080", "https://id.example/a"])
    func `names the server as it is reached`(issuer: String) async throws {
        try await TestServer.open(issuer: issuer) { server in
            let text = try await server.get(server.path("openapi.json")).text
            #expect(text.contains("\"servers\":[{\"url\":\"\(issuer)\"}]"))
        }
    }

    @Test(.server) func `may be kept for a while`() async throws {
        let server = TestServer.current
        let answer = try await server.get("/openapi.json")
        #expect(answer.headers[.contentType] == "application/json")
        #expect(answer.headers[.cacheControl] == "public, max-age=300")
    }
}
