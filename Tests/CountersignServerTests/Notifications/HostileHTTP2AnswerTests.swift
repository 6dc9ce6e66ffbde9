import CountersignTransport
import Crypto
import HTTPTypes
import PushFixture
import Testing

@testable import CountersignServer

/// Answers over HTTP/2 that no honest server sends; only a service that demands HTTP/2 is called so.
@Suite("A hostile server's answer over HTTP/2", .timeLimit(.minutes(10)))
struct HostileHTTP2AnswerTests {
    @Test(arguments: [
        "-1", "-200", "0", "00", "000", "99", "099", "600", "999", "1000", "2000", "", " 200", "+200", "OK", "2OO",
        "99999999999999999999", "9223372036854775807", "-9223372036854775808",
    ])
    func `with a status that is none is a typed error`(status: String) async throws {
        try await expectError([[(":status", status), ("content-length", "0")]])
    }

    @Test(arguments: [
        [[]], [[("content-length", "0")]], [[(":status", "200"), (":status", "200")]],
        [[(":status", "200"), (":status", "-1")]], [[(":path", "/"), (":status", "200")]],
        [[("a", "b"), (":status", "200")]], [[(":status", "200"), ("A", "b")]],
        [[(":status", "200"), ("content-length", "-1")]], [[(":status", "100")]],
        [[(":status", "200")], [(":status", "-1")]], [[(":status", "200")], [("a", "b")], [("c", "d")]],
        [[(":status", "103")], [(":status", "-1")]],
        [Array(repeating: ("a", "b"), count: 10_000)],
    ])
    func `of a broken form is an error or an answer`(blocks: [[(String, String)]]) async throws {
        try await HostileHTTP2Server.run(answering: blocks) { server in
            do {
                let answer = try await Self.ask(server)
                #expect((100...599).contains(answer.response.status.code))
            } catch {
                #expect(error is TransportError, "\(error)")
            }
        }
    }

    @Test func `is not asked for: other calls offer HTTP/1.1 alone`() async throws {
        try await HostileHTTP2Server.run(answering: [[(":status", "-1")]]) { server in
            await #expect(throws: TransportError.self) { try await Self.ask(server, offeringHTTP2: false) }
        }
    }

    @Test func `with a right status is an answer`() async throws {
        try await HostileHTTP2Server.run(answering: [[(":status", "204"), ("x", "y")]]) { server in
            let answer = try await Self.ask(server)
            #expect(answer.response.status == .noContent)
        }
    }

    private func expectError(_ blocks: [[(String, String)]]) async throws {
        try await HostileHTTP2Server.run(answering: blocks) { server in
            for _ in 0..<2 {
                let error = await #expect(throws: TransportError.self) { try await Self.ask(server) }
                #expect(error?.isTransient == true, "\(String(describing: error))")
            }
        }
    }

    private static func ask(_ server: HostileHTTP2Server, offeringHTTP2: Bool = true) async throws -> HTTPAnswer {
        let request = HTTPRequest(method: .post, scheme: "https", authority: server.place, path: "/3/device/x")
        return try await server.network(offeringHTTP2: offeringHTTP2).send(request, body: [0x61], within: .seconds(60))
    }
}
