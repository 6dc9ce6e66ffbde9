import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 8628 §3.1, §3.2.
@Suite("A device authorization request", .server)
struct DeviceAuthorizationEndpointTests {
    let server = TestServer.current

    @Test func `is answered with a pair of codes and where to take them`() async throws {
        let answer = try await server.post("/device_authorization", TestClients.tv.form)
        let codes = try answer.json(DeviceAuthorizationResponse.self)

        #expect(answer.status == .ok)
        #expect(
            answer.members == [
                "device_code", "user_code", "verification_uri", "verification_uri_complete", "expires_in",
                "interval", "countersign_ways",
            ]
        )
        #expect(codes.ways == [.code])
        #expect(codes.deviceCode.revealed.utf8.count == 43)
        #expect(UserCode(parsing: codes.userCode.rawValue)?.description == codes.userCode.rawValue)
        #expect(codes.verificationURI == "http://localhost:8080/activate")
        #expect(codes.verificationURIComplete == "\(codes.verificationURI)?user_code=\(codes.userCode)")
        #expect(codes.expiresIn == 300)
        #expect(codes.interval == 5)
    }

    @Test func `is kept by nobody on the way`() async throws {
        let answer = try await server.post("/device_authorization", TestClients.tv.form)
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.headers[.contentType] == "application/json")
    }

    @Test func `gets codes that live as long as its client's do`() async throws {
        let codes = try await server.ask(as: .radio)
        #expect(codes.expiresIn == 120)
        server.clock.advance(by: .seconds(119))
        #expect(try await server.poll(codes, as: .radio).error == .authorizationPending)
        server.clock.advance(by: .seconds(1))
        #expect(try await server.poll(codes, as: .radio).error == .expiredToken)
    }

    @Test func `gets other codes every time`() async throws {
        var seen: Set<String> = []
        for _ in 0..<50 {
            let codes = try await server.ask()
            seen.insert(codes.deviceCode.revealed)
            seen.insert(codes.userCode.rawValue)
        }
        #expect(seen.count == 100)
    }

    @Test func `asks for all its client may have when it names no scope`() async throws {
        let tokens = try await server.signedIn(.tv)
        #expect(tokens.scope?.description == "openid profile email offline_access play")
        let fewer = try await server.signedIn(.tv, scope: "play openid")
        #expect(fewer.scope?.description == "play openid")
    }

    @Test(arguments: [
        ("admin", OAuthError.Code.invalidScope),
        ("admin nearby_approve", .invalidScope),
        ("play \"quoted\"", .invalidScope),
        ("pl\\ay", .invalidScope),
        ("ö", .invalidScope),
    ])
    func `is refused a scope that its client may not have`(scope: String, code: OAuthError.Code) async throws {
        var form = TestClients.tv.form
        form["scope"] = scope
        let answer = try await server.post("/device_authorization", form)
        #expect(answer.status == .badRequest)
        #expect(answer.error == code)
    }

    @Test func `is refused to a client without this grant`() async throws {
        let answer = try await server.post("/device_authorization", TestClients.robot.form)
        #expect(answer.status == .badRequest)
        #expect(answer.error == .unauthorizedClient)
    }

    @Test(.server(issuer: "https://id.example/a")) func `comes below the issuer's path`() async throws {
        let codes = try await server.ask()
        #expect(codes.verificationURI == "https://id.example/a/activate")
        #expect(try await server.post("/device_authorization", TestClients.tv.form).status == .notFound)
    }

    @Test func `keeps where each fact comes from`() async throws {
        var form = TestClients.tv.form
        form["device_name"] = "Kitchen\u{202E} \u{7}TV"
        let agent: HTTPFields = [.userAgent: "TVApp/1.0"]
        let answer = try await server.post("/device_authorization", form, headers: agent)
        let code = try answer.json(DeviceAuthorizationResponse.self).deviceCode
        let open = try await server.ask(as: .console)
        let (public_, confidential) = try await server.store.read { repositories in
            (
                try repositories.exchanges.find(code.digest)?.exchange.request,
                try repositories.exchanges.find(open.deviceCode.digest)?.exchange.request
            )
        }

        #expect(public_?.client == .asserted(ClientID("tv")))
        #expect(confidential?.client == .verified(ClientID("console")))
        #expect(public_?.deviceName == .asserted("Kitchen TV"))
        #expect(public_?.software == .asserted("TVApp/1.0"))
        #expect(public_?.asked == .observed(server.clock.date))
        #expect(public_?.deadline == server.clock.date + 300)
    }
}
