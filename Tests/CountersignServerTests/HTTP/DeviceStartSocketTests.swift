import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

/// Starts of devices through a socket, on the fast path and through the router.
@Suite("The start of a device through a socket", .timeLimit(.minutes(10)), .server)
struct DeviceStartSocketTests {
    let server = TestServer.current

    typealias Way = TokenSocketTests.Way

    private func start(_ form: Form, by way: Way, fields: [String] = []) -> String {
        RawConnection.post("/device_authorization", form, fields: way.fields + fields)
    }

    private func form(_ client: TestClients = .tv, _ changes: [String: String?] = [:]) -> Form {
        var form = client.form
        for (name, value) in changes { form[name] = value }
        return form
    }

    /// Answers that don't depend on codes that were drawn.
    @Test func `is refused with the same bytes and header fields both ways`() async throws {
        try await server.listening { port in
            let mistakes = [
                form(.tv, ["client_id": "nobody"]), form(.tv, ["client_id": nil]),
                form(.tv, ["scope": "unheard_of"]),
                form(.console, ["client_secret": "wrong"]), form(.api), form(.tv, ["scope": "\"quoted\""]),
            ]
            var answers: [Way: [TokenSocketTests.Comparable]] = [:]
            for way in Way.allCases {
                let screen = try await RawConnection(port: port)
                for mistake in mistakes {
                    try await screen.send(start(mistake, by: way))
                    let answer = try await screen.answer()
                    #expect([400, 401].contains(answer.status), "\(answer)")
                    answers[way, default: []].append(TokenSocketTests.Comparable(answer))
                }
                try await screen.close()
            }
            #expect(answers[.fastPath] == answers[.router])
        }
    }

    @Test func `has the same fields both ways, and what the device says of itself`() async throws {
        try await server.listening { port in
            var shapes: [Way: [String]] = [:]
            for way in Way.allCases {
                let screen = try await RawConnection(port: port)
                let asked = start(
                    form(.tv, ["device_name": "The TV"]), by: way,
                    fields: ["User-Agent: Cinema/3.1", "Prefer: verification-number"])
                try await screen.send(asked)
                let answer = try await screen.answer()
                #expect(answer.status == 200)
                let codes = try JSONDecoder().decode(DeviceAuthorizationResponse.self, from: Data(answer.body.utf8))
                let found = try await server.store.read {
                    try $0.exchanges.find(codes.deviceCode.digest)
                }
                let request = try #require(found).exchange.request
                #expect(request.deviceName?.value == "The TV")
                let software = try #require(request.software?.value)
                #expect(software.contains("Cinema/3.1"))
                let object = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
                shapes[way] =
                    try #require(object).keys.sorted()
                    + answer.fields.filter { $0.key != "date" }.map { "\($0): \($1)" }.sorted()

                // The router answers on the same connection afterwards, and the fast path after that.
                try await screen.send("GET /device_authorization HTTP/1.1\r\nHost: localhost:8080\r\n\r\n")
                #expect(try await screen.answer().status == 405)
                try await screen.send(start(form(), by: way))
                #expect(try await screen.answer().status == 200)
                try await screen.close()
            }
            #expect(shapes[.fastPath] == shapes[.router])
        }
    }

    @Test(arguments: Way.allCases)
    func `counts once, against the limits too`(way: Way) async throws {
        let one: @Sendable (inout ServerSettings) -> Void = { $0.limits[.startPerAddress] = Limit(1, in: 600) }
        try await TestServer.open(configuring: one) { server in
            try await server.listening { port in
                let screen = try await RawConnection(port: port)
                for status in [200, 429] {
                    try await screen.send(start(form(), by: way))
                    let answer = try await screen.answer()
                    #expect(answer.status == status)
                    #expect((answer.fields["retry-after"] != nil) == (status == 429))
                }
                try await screen.close()
            }
            let counted = server.metrics.text().split(separator: "\n").filter {
                $0.hasPrefix("countersign_http_requests_total") && $0.contains("\"/device_authorization\"")
            }
            #expect(counted.count == 2 && counted.allSatisfy { $0.hasSuffix(" 1") }, "\(counted)")
        }
    }

    @Test func `is answered before the client's side ends, and the connection is closed`() async throws {
        try await server.listening { port in
            let screen = try await RawConnection(port: port)
            try await screen.send(start(form(), by: .fastPath, fields: ["Connection: close"]))
            let answer = try await screen.answer()
            #expect(answer.status == 200)
            #expect(answer.fields["connection"] == "close")
            await #expect(throws: RawConnection.Ended.self) { try await screen.answer() }
        }
    }
}
