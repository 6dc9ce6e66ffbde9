import CountersignWire
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The base address of Cross-Platform Authentication", .server)
struct ProviderEndpointTests {
    let server = TestServer.current

    private struct Read: Decodable {
        let version: String
        let uri: String
        let registration_endpoint: String
        let token_endpoint: String
        let verification_uri: String
    }

    @Test(arguments: ["http://localhost:8080", "https://id.example.com/login"])
    func `says what is below it, with the header that services send`(issuer: String) async throws {
        try await TestServer.open(issuer: issuer) { server in
            let answer = try await server.send(.get, server.path("cpa"))
            #expect(answer.status == .ok)
            let read = try answer.json(Read.self)
            #expect(read.version == "1.0")
            #expect(read.uri == "\(issuer)/cpa")
            #expect(read.registration_endpoint == "\(issuer)/cpa/register")
            #expect(read.token_endpoint == "\(issuer)/cpa/token")
            #expect(read.verification_uri == "\(issuer)/cpa/verify")
            let challenge = try #require(CrossPlatformChallenge(headerValues: answer.headers[values: .wwwAuthenticate]))
            #expect(challenge.uri == "\(issuer)/cpa")
            #expect(challenge.modes == [.client, .user])
        }
    }

    @Test func `leads a browser to the page for codes, with its query`() async throws {
        let query = "user_code=WDJB-MJHT&redirect_uri=cpacred://verification"
        let answer = try await server.send(.get, "/cpa?\(query)", headers: [.accept: "text/html,*/*;q=0.8"])
        #expect(answer.status == .seeOther)
        #expect(answer.headers[.location] == "/cpa/verify?\(query)")
    }

    @Test func `takes nothing else, and says so in the standard's form`() async throws {
        let answer = try await server.post("/cpa", object: ["a": "b"])
        #expect(answer.status == .methodNotAllowed)
        #expect(answer.headers[.allow] == "GET, HEAD")
        #expect(answer.refusal == .invalidRequest)
    }
}
