import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Polls through a socket, on the fast path and through the router.
@Suite("A poll through a socket", .timeLimit(.minutes(10)))
struct TokenSocketTests {
    /// The route of a request; a media type with a parameter is not plain, and left to the router.
    enum Way: String, CaseIterable, Sendable {
        case fastPath, router

        var fields: [String] {
            switch self {
            case .fastPath: []
            case .router: ["Content-Type: \(RawConnection.formType); charset=utf-8"]
            }
        }
    }

    private func poll(
        _ codes: DeviceAuthorizationResponse,
        as client: TestClients = .tv,
        by way: Way,
        prefer: String? = nil
    ) throws -> String {
        let form = try TokenRequest.deviceCode(codes.deviceCode).form.with(client.form)
        return RawConnection.post("/token", form, fields: way.fields + (prefer.map { ["Prefer: \($0)"] } ?? []))
    }

    /// The lines that tell how often `name` was counted.
    private func figures(_ name: String, of server: TestServer) -> [String] {
        server.metrics.text().split(separator: "\n").map(String.init).filter { $0.hasPrefix("countersign_\(name)") }
    }

    @Test(arguments: Way.allCases, ["approve", "deny"])
    func `that is held and then decided counts once, and says that it was held`(
        way: Way,
        decision: String
    ) async throws {
        // A second one would be one too many.
        let once: @Sendable (inout ServerSettings) -> Void = {
            $0.limits[.tokenPerClient] = Limit(1, in: 600)
            $0.limits[.tokenPerAddress] = Limit(1, in: 600)
        }
        try await TestServer.open(configuring: once) { server in
            let codes = try await server.ask()
            let anna = try await server.browser(of: .anna)
            try await server.listening { port in
                let screen = try await RawConnection(port: port)
                try await screen.send(try poll(codes, by: way, prefer: "wait=30"))
                await server.figure("countersign_requests_waiting 1")
                #expect(figures("http_requests_in_flight", of: server) == ["countersign_http_requests_in_flight 1"])
                try await anna.decide(decision, codes)

                let answer = try await screen.answer()
                #expect(answer.status == (decision == "approve" ? 200 : 400), "\(answer.body)")
                #expect(answer.fields["preference-applied"] == "wait=30")
                #expect(answer.fields["cache-control"] == "no-store")
                if decision == "deny" { #expect(answer.body.contains("access_denied")) }
                try await screen.close()
            }
            await server.figure("countersign_http_requests_in_flight 0")
            await server.figure("countersign_requests_waiting 0")
            #expect(figures("wait_duration_seconds_count", of: server) == ["countersign_wait_duration_seconds_count 1"])
            #expect(
                figures("http_request_duration_seconds_count", of: server).allSatisfy { !$0.contains("\"/token\"") })
            let polls = figures("http_requests_total", of: server).filter { $0.contains("\"/token\"") }
            #expect(polls.count == 1 && polls.allSatisfy { $0.hasSuffix(" 1") })
            let issued = figures("tokens_issued_total{grant_type=\"device_code\"}", of: server)
            #expect(issued.map { $0.hasSuffix(decision == "approve" ? " 1" : " 0") } == [true])
            #expect(figures("limits_hit_total", of: server).isEmpty)
        }
    }

    @Test(.server) func `is answered with the same bytes and header fields both ways`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        try await server.listening { port in
            var answers: [Way: [RawConnection.Answer]] = [:]
            for way in Way.allCases {
                let screen = try await RawConnection(port: port)
                let codes = try await server.ask()
                for prefer in [nil, "wait=20", "wait=20"] {
                    try await screen.send(try poll(codes, by: way, prefer: prefer))
                    if prefer != nil {
                        await server.figure("countersign_requests_waiting 1")
                        server.clock.advance(by: .seconds(20))
                    }
                    answers[way, default: []].append(try await screen.answer())
                    server.clock.advance(by: .seconds(6))
                }
                // Too early.
                for _ in 0..<2 { try await screen.send(try poll(codes, by: way)) }
                for _ in 0..<2 { answers[way, default: []].append(try await screen.answer()) }
                server.clock.advance(by: .seconds(30))
                try await anna.decide("deny", codes)
                try await screen.send(try poll(codes, by: way))
                answers[way, default: []].append(try await screen.answer())
                try await screen.close()
            }
            let statuses = answers[.router]?.map(\.status)
            #expect(statuses == [400, 400, 400, 400, 400, 400])
            #expect(
                answers[.router]?.map { $0.fields["preference-applied"] } == [
                    nil, "wait=20", "wait=20", nil, nil, nil,
                ])
            #expect(answers[.router]?.last.map { $0.body.contains("access_denied") } == true)
            #expect(answers[.router]?[4].body.contains("slow_down") == true)
            let comparable = answers.mapValues { $0.map { Comparable($0) } }
            #expect(comparable[.fastPath] == comparable[.router])
        }
    }

    /// An answer without its date: the router dates by the machine's clock.
    struct Comparable: Equatable {
        let status: Int
        let fields: [String: String]
        let body: String

        init(_ answer: RawConnection.Answer) {
            (status, body) = (answer.status, answer.body)
            fields = answer.fields.filter { $0.key != "date" }
        }
    }

    @Test(arguments: Way.allCases)
    func `that reaches a limit is refused, and counted there once`(way: Way) async throws {
        let one: @Sendable (inout ServerSettings) -> Void = { $0.limits[.tokenPerAddress] = Limit(1, in: 600) }
        try await TestServer.open(configuring: one) { server in
            let codes = try await server.ask()
            try await server.listening { port in
                let screen = try await RawConnection(port: port)
                try await screen.send(try poll(codes, by: way))
                #expect(try await screen.answer().status == 400)
                server.clock.advance(by: .seconds(6))
                try await screen.send(try poll(codes, by: way))
                let refused = try await screen.answer()
                #expect(refused.status == 429)
                #expect(refused.fields["retry-after"] != nil)
                try await screen.close()
            }
            // It is noted when the counts of all nodes are added up, once in its span.
            for _ in 0..<2 { try await server.server.services.requestLimiter.share() }
            #expect(figures("limits_hit_total", of: server).map { $0.hasSuffix(" 1") } == [true])
        }
    }

    @Test(.server, arguments: Way.allCases)
    func `that is held is followed by what was sent after it`(way: Way) async throws {
        let server = TestServer.current
        let (one, other) = (try await server.ask(), try await server.ask())
        let anna = try await server.browser(of: .anna)
        try await server.listening { port in
            let screen = try await RawConnection(port: port)
            try await screen.send(try poll(one, by: way, prefer: "wait=30"))
            await server.figure("countersign_requests_waiting 1")
            try await screen.send(try poll(other, by: way) + (try poll(other, by: way)))
            try await anna.decide("approve", one)
            let first = try await screen.answer()
            #expect(first.status == 200)
            #expect(first.fields["preference-applied"] == "wait=30")
            #expect(try await screen.answer().body.contains("authorization_pending"))
            #expect(try await screen.answer().body.contains("slow_down"))
            try await screen.close()
        }
    }

    @Test(.server, arguments: Way.allCases)
    func `of a client that leaves redeems nothing, and is over`(way: Way) async throws {
        let server = TestServer.current
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        try await server.listening { port in
            let screen = try await RawConnection(port: port)
            try await screen.send(try poll(codes, by: way, prefer: "wait=30"))
            await server.figure("countersign_requests_waiting 1")
            try await screen.close()
            await server.figure("countersign_requests_waiting 0")
            await server.figure("countersign_http_requests_in_flight 0")
            try await anna.decide("approve", codes)
            #expect(try await server.poll(codes).status == .ok)
        }
        #expect(figures("wait_duration_seconds_count", of: server) == ["countersign_wait_duration_seconds_count 1"])
    }

    @Test(.server) func `that is held looks again when its request is taken, and waits on`() async throws {
        let server = TestServer.current
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        try await server.listening { port in
            let screen = try await RawConnection(port: port)
            try await screen.send(try poll(codes, by: .fastPath, prefer: "wait=30"))
            await server.figure("countersign_requests_waiting 1")
            try await anna.take(codes)
            _ = try await anna.answer("approve", codes)
            let answer = try await screen.answer()
            #expect(answer.status == 200)
            #expect(answer.fields["preference-applied"] == "wait=30")
            try await screen.close()
        }
    }
}
