import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

@Suite("An app that listens for sign-outs")
struct LogoutReceiverTests {
    /// An app with a port of its own, which passes on each form that is posted to it.
    private func listening(
        answering status: HTTPResponse.Status,
        _ test: @Sendable (_ address: String, _ forms: AsyncStream<Form>) async throws -> Void
    ) async throws {
        let (forms, arrived) = AsyncStream.makeStream(of: Form.self)
        let router = Router()
        router.post("ended") { request, _ in
            let body = try await request.body.collect(upTo: 65_536)
            arrived.yield(try Form(parsing: Array(body.readableBytesView)))
            return Response(status: status, headers: [.location: "/elsewhere"])
        }
        try await Application(router: router).test(.live) { app in
            try await test("http://localhost:\(try #require(app.port))/ended", forms)
        }
    }

    @Test func `is called by a server that runs, and verifies what it is told with the published keys`() async throws {
        try await listening(answering: .ok) { address, forms in
            try await TestServer.open(withApps: true) { server in
                try await server.tell(.shop, at: address)
                let anna = try await server.browser(of: .anna)
                let session = try await server.session(of: anna, at: .shop)
                try await server.listening { _ in
                    _ = try await anna.confirm("logout")
                    // The server looks for what it has to tell every second.
                    await server.servicesSleep()
                    server.clock.advance(by: .seconds(1))
                    var told: Form?
                    for await form in forms {
                        told = form
                        break
                    }
                    let token = try await server.read(try #require(told?["logout_token"]))
                    #expect(token.text("sid") == session)
                    while try await !server.notices().isEmpty { await Task.yield() }
                }
            }
        }
    }

    @Test func `is not followed to another address`() async throws {
        try await listening(answering: .temporaryRedirect) { address, _ in
            try await TestServer.open(withApps: true) { server in
                try await server.tell(.shop, at: address)
                let anna = try await server.browser(of: .anna)
                _ = try await server.session(of: anna, at: .shop)
                _ = try await anna.confirm("logout")
                try await server.delivery(over: SystemTransport.make()).deliver()
                #expect(try await server.notices().map(\.attempts) == [1])
            }
        }
    }
}
