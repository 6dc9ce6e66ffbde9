import Countersign
import CountersignWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

/// Standard: RFC 8259; ETSI TS 103 407 §8.
@Suite("An object that a device or service sends", .server(withSigningKeys: false, withDomains: true))
struct SubmittedObjectTests {
    let server = TestServer.current
    static let endpoints = ["/cpa/register", "/cpa/associate", "/cpa/token", "/cpa/authorized"]

    /// Sends a body with a good credential, which only one endpoint looks at.
    private func send(
        _ body: String,
        to path: String,
        at server: TestServer,
        headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = headers
        headers[.authorization] = BearerHeader.value(for: TestDomain.radio.credential)
        return try await server.post(path, json: body, headers: headers)
    }

    @Test(arguments: [
        "application/x-www-form-urlencoded", "text/plain", "application/jsonp", "application/problem+json", "json", "",
    ])
    func `must be of its own type`(type: String) async throws {
        for path in Self.endpoints {
            let answer = try await send("{}", to: path, at: server, headers: [.contentType: type])
            #expect(answer.status == .badRequest)
            #expect(answer.refusal == .invalidRequest)
            #expect(answer.members == ["error", "error_description"])
        }
    }

    @Test(arguments: [
        "application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8",
        "application/json ; charset=utf-8", "application/json\t;;charset=utf-8",
    ])
    func `may name a character set`(type: String) async throws {
        let body = #"{"client_name":"Radio","software_id":"a.b","software_version":"1"}"#
        let answer = try await server.post("/cpa/register", json: body, headers: [.contentType: type])
        #expect(answer.status == .created)
    }

    @Test(arguments: [
        "", " ", "{", "}", "[]", "[{}]", "null", "1", "\"text\"", "{}{}", "{} x", "{'a':'b'}", "{\"a\":\"b\",}",
        "{\"a\":\"\\x\"}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\u{1}\"}", "{\"a\" \"b\"}", "a=b", "<a/>", "\u{FEFF}{}",
        "{\"client_id\":{}}", "{\"client_id\":[\"1\"]}", "{\"client_id\":true}", "{\"domain\":\"a\",\"domain\":\"b\"}",
    ])
    func `must be one, of texts, that names nothing twice`(body: String) async throws {
        for path in Self.endpoints {
            let answer = try await send(body, to: path, at: server)
            #expect(answer.status == .badRequest)
            #expect(answer.headers[.contentType] == "application/json; charset=utf-8")
            #expect(answer.refusal == .invalidRequest)
        }
    }

    @Test func `is no place for other bytes than text's, nor for a copy of itself`() async throws {
        for bytes: [UInt8] in [
            [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x22, 0x22, 0x7D], [0], [0xFF, 0xFE, 0x7B, 0, 0x7D, 0],
        ] {
            for path in Self.endpoints {
                let headers: HTTPFields = [
                    .contentType: "application/json",
                    .authorization: BearerHeader.value(for: TestDomain.radio.credential),
                ]
                let answer = try await server.send(.post, path, headers: headers, body: ByteBuffer(bytes: bytes))
                #expect(answer.status == .badRequest)
                #expect(answer.refusal == .invalidRequest)
            }
        }
        let name = "<iframe>\u{202E}"
        for path in Self.endpoints {
            let answer = try await send("{\"\(name)\":\"\(name)\"}", to: path, at: server)
            #expect(answer.refusal == .invalidRequest && !answer.text.contains("iframe"))
        }
    }

    @Test func `must not be too long, nor too deep`() async throws {
        let deep = String(repeating: "[", count: 30_000)
        let long = "{\"client_name\":\"\(String(repeating: "a", count: Request.longestForm))\"}"
        let many = "{" + (0..<9_000).map { "\"\($0)\":\"\"" }.joined(separator: ",") + "}"
        for body in [deep, "{\"a\":\(deep)", long, many] {
            for path in Self.endpoints {
                let answer = try await send(body, to: path, at: server)
                #expect(answer.status == .badRequest)
                #expect(answer.refusal == .invalidRequest)
            }
        }
    }

    @Test(arguments: ["gzip, chunked", "identity", "xchunked"])
    func `must not come in a coding that nobody takes off`(coding: String) async throws {
        for path in Self.endpoints {
            let answer = try await send("{}", to: path, at: server, headers: [.transferEncoding: coding])
            #expect(answer.status == .badRequest)
            #expect(answer.refusal == .invalidRequest)
        }
    }

    @Test(arguments: [HTTPRequest.Method.get, .head, .put, .patch, .delete, .options])
    func `is taken by POST only, and every other method is refused`(method: HTTPRequest.Method) async throws {
        for path in Self.endpoints {
            let answer = try await server.send(method, path)
            #expect(answer.status == .methodNotAllowed)
            #expect(answer.headers[.allow] == "POST")
            #expect(method == .head || answer.refusal == .invalidRequest)
            #expect(method != .head || answer.body.readableBytes == 0)
        }
    }

    @Test func `may hold huge values, which are nobody's`() async throws {
        let huge = String(repeating: "A", count: 20_000)
        let who = ["client_id": huge, "client_secret": huge, "domain": huge]
        #expect(try await server.post("/cpa/associate", object: who).refusal == .invalidClient)
        let device = try await server.newDevice()
        let members = ["client_id": device.id.rawValue, "client_secret": device.secret.revealed]
        let domain = members.merging(["domain": huge + "\u{0}é"]) { $1 }
        #expect(try await server.post("/cpa/associate", object: domain).refusal == .invalidRequest)
        let association = AssociationResponse(
            deviceCode: DeviceCode(revealing: huge),
            shape: .automatic,
            expiresIn: 1
        )
        #expect(try await device.poll(association).refusal == .invalidRequest)
        #expect(try await server.check(AccessToken(revealing: huge), for: .radio).refusal == .notFound)
    }
}
