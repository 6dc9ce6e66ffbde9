import Countersign
import CountersignSQLite
import CountersignWire
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOEmbedded
import Testing

@testable import CountersignServer

@Suite("The address of an asking screen", .server)
struct ObservedAddressTests {
    let server = TestServer.current

    @Test(arguments: ["192.0.2.7", "2001:db8::7"])
    func `is shown as the server saw it, and compared with the reader's`(address: String) async throws {
        let codes = try await ask(from: address, at: server)
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        let near = try await confirmation(codes, for: anna, at: address)
        #expect(near.contains("<bdi>\(address)</bdi>"))
        #expect(near.contains("The same address as yours now."))
        let far = try await confirmation(codes, for: anna, at: "198.51.100.1")
        #expect(far.contains("Not the address that you have now."))
    }

    @Test func `is not taken from what a client says of itself`() async throws {
        let headers: HTTPFields = [
            HTTPField.Name("X-Forwarded-For")!: "203.0.113.9", HTTPField.Name("Forwarded")!: "for=203.0.113.9",
        ]
        let codes = try await ask(from: "192.0.2.7", at: server, headers: headers)
        let stored = try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest) }
        #expect(stored?.exchange.request.address == .observed("192.0.2.7"))
    }

    /// A proxy's address is everybody's address: the page would vouch for a stranger's screen.
    @Test(.server(issuer: "https://id.example")) func `is not confused with that of the proxy in front`() async throws {
        let codes = try await ask(from: "127.0.0.1", at: server)
        let stored = try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest) }
        #expect(stored?.exchange.request.address == nil)
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        let page = try await confirmation(codes, for: anna, at: "127.0.0.1")
        #expect(!page.contains("127.0.0.1") && !page.contains("The same address"))
    }

    private func ask(
        from address: String,
        at server: TestServer,
        headers: HTTPFields = [:]
    ) async throws -> DeviceAuthorizationResponse {
        let channel = NIOAsyncTestingChannel()
        channel.remoteAddress = try SocketAddress(ipAddress: address, port: 4711)
        let form = TestClients.tv.form
        let answer = try await server.post("/device_authorization", form, headers: headers, on: channel)
        return try JSONDecoder().decode(DeviceAuthorizationResponse.self, from: Data(try await answer.bytes()))
    }

    private func confirmation(
        _ codes: DeviceAuthorizationResponse,
        for browser: TestBrowser,
        at address: String
    ) async throws -> String {
        let channel = NIOAsyncTestingChannel()
        channel.remoteAddress = try SocketAddress(ipAddress: address, port: 4712)
        let path = "/activate/confirm?user_code=\(codes.userCode)"
        let answer = try await browser.server.send(.get, path, headers: [.cookie: browser.cookie], on: channel)
        return String(decoding: try await answer.bytes(), as: UTF8.self)
    }
}
