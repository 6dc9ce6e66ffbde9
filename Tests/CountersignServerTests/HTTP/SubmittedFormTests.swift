import CountersignWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

/// Standard: RFC 6749 §3.1, §3.2, Appendix B.
@Suite("A form that a client sends", .server)
struct SubmittedFormTests {
    let server = TestServer.current
    static let endpoints = ["/device_authorization", "/token", "/introspect", "/revoke"]

    @Test(arguments: [
        "application/json", "text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded2", "",
    ])
    func `must be of its own type`(type: String) async throws {
        for path in Self.endpoints {
            let answer = try await server.post(path, TestClients.tv.form, headers: [.contentType: type])
            #expect(answer.status == .badRequest)
            #expect(answer.error == .invalidRequest)
        }
    }

    @Test(arguments: [
        "application/x-www-form-urlencoded; charset=UTF-8", "Application/X-WWW-Form-Urlencoded",
        "application/x-www-form-urlencoded;charset=utf-8", "application/x-www-form-urlencoded \t; charset=utf-8",
    ])
    func `may name a character set`(type: String) async throws {
        let headers: HTTPFields = [.contentType: type]
        let answer = try await server.post("/device_authorization", TestClients.tv.form, headers: headers)
        #expect(answer.status == .ok)
    }

    /// Standard: RFC 9112 §6.1. What is inside of the chunks would still be in another coding.
    @Test(
        .server(withSigningKeys: false), arguments: ["gzip, chunked", "chunked, chunked", "identity", "xchunked", ""])
    func `must not come in a coding that nobody takes off`(coding: String) async throws {
        for path in Self.endpoints {
            let answer = try await server.post(
                path,
                TestClients.console.form,
                headers: [.transferEncoding: coding]
            )
            #expect(answer.status == .badRequest)
            #expect(answer.error == .invalidRequest)
        }
        let chunked: HTTPFields = [.transferEncoding: "Chunked"]
        let answer = try await server.post("/device_authorization", TestClients.tv.form, headers: chunked)
        #expect(answer.status == .ok)
    }

    @Test(arguments: [
        "client_id=tv&client_id=tv", "client_id=tv&scope=openid&scope=", "client_id=tv&scope&scope=play",
        "client_id=tv&x=%", "client_id=tv&x=%zz", "client_id=tv&x=%ff%fe", "client_id=tv&x=%00", "client_id=%C0%AF",
        "client%5Fid=tv&client_id=tv",
    ])
    func `must be readable, and name nothing twice`(body: String) async throws {
        for path in Self.endpoints {
            let answer = try await server.post(path, raw: body)
            #expect(answer.status == .badRequest)
            #expect(answer.error == .invalidRequest)
        }
    }

    @Test func `must not be too long`() async throws {
        let fits = "client_id=tv&x=" + String(repeating: "a", count: Request.longestForm - 15)
        #expect(fits.utf8.count == Request.longestForm)
        #expect(try await server.post("/device_authorization", raw: fits).status == .ok)
        let answer = try await server.post("/device_authorization", raw: fits + "a")
        #expect(answer.status == .contentTooLarge)
        #expect(answer.error == .invalidRequest)
        let many = "client_id=tv&" + (0..<70).map { "p\($0)=1" }.joined(separator: "&")
        #expect(try await server.post("/device_authorization", raw: many).error == .invalidRequest)
    }

    @Test(arguments: ["", "&&&", "=", "=&=tv", "client_id", "client_id=", "\u{0}", "🦊=🦊"])
    func `without a client is refused`(body: String) async throws {
        for path in Self.endpoints {
            let status = try await server.post(path, raw: body).status
            #expect(status == .unauthorized || status == .badRequest)
        }
    }

    @Test(arguments: [HTTPRequest.Method.get, .head, .put, .patch, .delete, .options])
    func `is taken by POST only, and every other method is refused`(method: HTTPRequest.Method) async throws {
        for path in Self.endpoints {
            let answer = try await server.send(method, path)
            #expect(answer.status == .methodNotAllowed)
            #expect(answer.headers[.allow] == "POST")
            #expect(answer.headers[.cacheControl] == "no-store")
            // A body after a HEAD would be read as the beginning of the next answer.
            #expect(method != .head || answer.body.readableBytes == 0)
        }
    }

    @Test func `may hold huge values, which are nobody's`() async throws {
        let huge = String(repeating: "A", count: 60_000)
        let token: Form = ["client_id": "tv", "token": huge]
        #expect(try await server.post("/revoke", token).status == .ok)
        for grant in ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"] {
            let form: Form = ["client_id": "tv", "grant_type": grant, "device_code": huge]
            let other: Form = ["client_id": "tv", "grant_type": grant, "refresh_token": huge]
            let answer = try await server.post("/token", grant == "refresh_token" ? other : form)
            #expect(answer.error == .invalidGrant)
        }
        #expect(try await server.post("/token", ["client_id": huge]).error == .invalidClient)
    }
}
