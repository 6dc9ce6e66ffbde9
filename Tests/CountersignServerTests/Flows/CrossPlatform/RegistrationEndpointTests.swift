import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: ETSI TS 103 407 §8.2.
@Suite("A device that registers itself", .server(withSigningKeys: false, withDomains: true))
struct RegistrationEndpointTests {
    let server = TestServer.current
    private static let asked = ["client_name": "Radio", "software_id": "a.b", "software_version": "1"]

    @Test func `is given an identity, and nothing else`() async throws {
        let answer = try await server.post("/cpa/register", object: Self.asked)
        #expect(answer.status == .created)
        #expect(answer.headers[.contentType] == "application/json; charset=utf-8")
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.members == ["client_id", "client_secret"])
        let identity = try answer.json(ClientRegistrationResponse.self)
        let number = try #require(Int(identity.client.rawValue))
        #expect((1..<1 << 53).contains(number))
        #expect(identity.secret.revealed.utf8.count == 43)
    }

    @Test func `is another one each time, and no operator's`() async throws {
        let before = try await server.store.read { try $0.clients.all() }
        let devices = [try await server.newDevice(), try await server.newDevice()]
        #expect(devices[0].id != devices[1].id && devices[0].secret != devices[1].secret)
        #expect(try await server.store.read { try $0.clients.all() } == before)
    }

    @Test func `keeps of its words what can be shown`() async throws {
        let words = [
            "client_name": "\u{202E}Küche\n\u{0}📻 " + String(repeating: "x", count: 200),
            "software_id": "\u{7}", "software_version": " 1 ",
        ]
        let identity = try await server.post("/cpa/register", object: words).json(ClientRegistrationResponse.self)
        let client = try await server.store.read { try $0.clients.find(identity.client) }
        #expect(client?.name.hasPrefix("Küche📻 xxx") == true && client?.name.count == 64)
        guard case .device(let software, _) = client?.registration else {
            Issue.record("it is no device")
            return
        }
        #expect(software == ClientSoftware(id: "", version: "1"))
    }

    @Test(arguments: [
        "{}", #"{"client_name":"Radio","software_id":"a.b"}"#,
        #"{"client_name":"","software_id":"a.b","software_version":"1"}"#,
        #"{"client_name":"Radio","software_id":"a.b","software_version":1}"#,
        #"{"client_name":null,"software_id":"a.b","software_version":"1"}"#,
        #"{"client_name":"Radio","software_id":"a.b","software_version":"1","redirect_uris":"x"}"#,
        #"{"client_name":"Radio","software_id":"a.b","software_version":"1","client_name":"TV"}"#,
    ])
    func `says three texts, each once and not empty`(body: String) async throws {
        let before = try await server.rows(of: "clients")
        let answer = try await server.post("/cpa/register", json: body)
        #expect(answer.status == .badRequest)
        #expect(answer.refusal == .invalidRequest)
        #expect(answer.members == ["error", "error_description"])
        #expect(try await server.rows(of: "clients") == before)
    }

    @Test(arguments: [(255, HTTPResponse.Status.created), (256, .badRequest)])
    func `says no more than there is room for`(length: Int, status: HTTPResponse.Status) async throws {
        let name = String(repeating: "📻", count: length)
        let answer = try await server.post("/cpa/register", object: Self.asked.merging(["client_name": name]) { $1 })
        #expect(answer.status == status)
    }

    @Test func `is forgotten after a week without a token`() async throws {
        let device = try await server.newDevice()
        server.clock.advance(by: .seconds(7 * 86_400 - 1))
        #expect(try await device.associate().status == .ok)
        server.clock.advance(by: .seconds(1))
        let answers = [try await device.associate(), try await device.renew()]
        for answer in answers {
            #expect(answer.status == .badRequest)
            #expect(answer.refusal == .invalidClient)
        }
    }

    @Test func `is known for 400 days after its last token`() async throws {
        let device = try await server.newDevice()
        try await device.signedIn()
        server.clock.advance(by: .seconds(399 * 86_400))
        #expect(try await device.renew().status == .ok)
        server.clock.advance(by: .seconds(399 * 86_400))
        #expect(try await device.associate().status == .ok)
        server.clock.advance(by: .seconds(86_400))
        #expect(try await device.associate().refusal == .invalidClient)
    }

    @Test func `is swept once it is forgotten`() async throws {
        let before = try await server.rows(of: "clients")
        _ = try await server.newDevice()
        #expect(try await server.rows(of: "clients") == before + 1)
        try await server.store.change { _ = try $0.clients.sweep(before: server.clock.date, limit: 9) }
        #expect(try await server.rows(of: "clients") == before + 1)
        server.clock.advance(by: .seconds(7 * 86_400 + 1))
        try await server.store.change { _ = try $0.clients.sweep(before: server.clock.date, limit: 9) }
        #expect(try await server.rows(of: "clients") == before)
    }
}
