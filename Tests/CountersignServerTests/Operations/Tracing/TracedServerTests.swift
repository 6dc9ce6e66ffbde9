import Countersign
import CountersignHTTP
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Metrics
import Testing
import Tracing

@testable import CountersignServer

@Suite("The spans of a server")
struct TracedServerTests {
    private static let caller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-"
    private let queue = SpanQueue(TraceMetrics(NOOPMetricsHandler.instance))

    private func open(
        ratio: Double = 1, trusting proxies: [String] = ["192.0.2.1"],
        _ test: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        let sampler = try #require(TraceSampler(ratio: ratio))
        let tracer = RecordingTracer(into: queue, sampling: sampler, drawingFrom: SeededRandom(seed: 1).source)
        try await TestServer.open(configuring: { settings in
            settings.tracer = tracer
            settings.trustedProxies = proxies.compactMap { AddressNetwork($0) }
        }) { server in
            _ = queue.take(SpanQueue.capacity)
            try await test(server)
        }
    }

    @Test func `are one for each request, with its database below`() async throws {
        try await open { server in
            let form = TestClients.tv.form
            _ = try await server.post(
                "/device_authorization", form, headers: [.traceParent: "\(Self.caller)01"])
            let spans = queue.take(64)
            let request = try #require(spans.first { $0.kind == .server })
            #expect(request.name == "POST /device_authorization" && request.parent == "00f067aa0ba902b7")
            #expect(
                request.attributes == [
                    "http.request.method": "POST", "http.route": "/device_authorization",
                    "http.response.status_code": 200, "countersign.held": false,
                ])
            let below = spans.filter { $0.kind != .server }
            #expect(
                below.contains { $0.name == "store change" } && below.count == spans.count - 1, "\(spans.map(\.name))")
            #expect(below.allSatisfy { ["store change", "store read"].contains($0.name) && $0.kind == .client })
            #expect(below.allSatisfy { $0.parent == request.context.spanID && !$0.hasFailed })
            #expect(Set(spans.map(\.context.traceID)) == ["4bf92f3577b34da6a3ce929d0e0e4736"])
        }
    }

    @Test func `are none where the caller records nothing, and for health and unknown addresses`() async throws {
        try await open { server in
            _ = try await server.post(
                "/device_authorization", TestClients.tv.form, headers: [.traceParent: "\(Self.caller)00"])
            for path in ["/health/live", "/health/ready", "/no/such/page"] { _ = try await server.get(path) }
            #expect(queue.take(64) == [])
        }
    }

    @Test(arguments: [
        ("192.0.2.1", "01", 0.0, true), ("192.0.2.1", "00", 1.0, false),
        ("198.51.100.0/24", "01", 0.0, false), ("198.51.100.0/24", "00", 1.0, true),
    ])
    func `follow the decision of a trusted proxy, and not that of a stranger`(
        proxy: String, flags: String, ratio: Double, isRecorded: Bool
    ) async throws {
        try await open(ratio: ratio, trusting: [proxy]) { server in
            _ = try await server.post(
                "/device_authorization", TestClients.tv.form, headers: [.traceParent: Self.caller + flags])
            let traces = Set(queue.take(64).map(\.context.traceID))
            #expect(traces == (isRecorded ? ["4bf92f3577b34da6a3ce929d0e0e4736"] : []))
        }
    }

    @Test func `hold no code, query, name or token`() async throws {
        try await open { server in
            let codes = try await server.ask()
            try await server.browser(of: .anna).decide("approve", codes)
            let token = try await server.poll(codes).json(TokenResponse.self).accessToken.revealed
            _ = try await server.get("/activate?user_code=\(codes.userCode)&name=anna")
            _ = try await server.get("/userinfo?access_token=\(token)")
            let spans = queue.take(SpanQueue.capacity)
            #expect(spans.contains { $0.name == "POST /token" } && spans.contains { $0.name == "GET /activate" })
            let text = String(decoding: try JSONEncoder.wire.encode(OTLPTraces(spans, of: "a1")), as: UTF8.self)
            let words = ["\(codes.userCode)", codes.deviceCode.revealed, token, "anna", "Anna", "user_code", "?"]
            for word in words { #expect(!text.contains(word), "\(word)") }
        }
    }

    @Test func `follow a delivery to the server that it calls`() async throws {
        try await open { server in
            let now = server.clock.date
            let delivery = Delivery(
                id: Delivery.ID("webhook"),
                .webhook(CustomerSiteID(rawValue: "a-site"), AuthenticationRequest.ID("request")),
                for: CustomerSiteID(rawValue: "a-site"), made: now, expires: now + 600)
            try await server.change { try $0.deliveries.insert(delivery) }
            let network = ScriptedTransport(["/decided": [.status(.ok)]])
            let traced = network.traced(by: server.server.services.metrics.tracing)
            try await server.server.deliveries(over: traced, telling: SiteWebhook()).deliver()

            let spans = queue.take(64)
            let attempt = try #require(spans.first { $0.name == "deliver webhook" })
            let call = try #require(spans.first { $0.name == "POST" })
            #expect(attempt.parent == nil && call.parent == attempt.context.spanID)
            #expect(spans.contains { $0.name == "store change" && $0.parent == attempt.context.spanID })
            #expect(call.attributes == ["http.request.method": "POST", "http.response.status_code": 200])
            let sent = network.sent(to: "/decided").map { $0.request.headerFields[.traceParent] }
            #expect(sent == [call.context.parent])
        }
    }

    private struct SiteWebhook: WebhookSource {
        func message(
            to environment: CustomerSiteID, about request: AuthenticationRequest.ID
        ) async throws -> WebhookMessage? {
            WebhookMessage(address: "https://bank.example/decided", token: "token of \(request)")
        }
    }
}

extension HTTPField.Name {
    fileprivate static let traceParent = HTTPField.Name("traceparent")!
}
