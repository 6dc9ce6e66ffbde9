import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A flood from some networks")
struct SharedLimitTests {
    private static let proxy: @Sendable (inout ServerSettings) -> Void = {
        $0.trustedProxies = [AddressNetwork("192.0.2.1")!]
    }

    private func start(
        _ server: TestServer,
        from address: String,
        _ expected: HTTPResponse.Status = .ok
    ) async throws {
        let answer = try await server.post(
            server.path("device_authorization"), TestClients.tv.form, headers: [.xForwardedFor: address])
        #expect(answer.status == expected, "\(address)")
    }

    @Test func `takes away its own share of a limit that all have together, and not that of others`() async throws {
        try await TestServer.open(configuring: { settings in
            Self.proxy(&settings)
            settings.limits[.startPerAddress] = Limit(1_000, in: 600)
            settings.limits[.startPerClient] = Limit(1_200, in: 600)
        }) { server in
            let networks = (1...60).map { "203.0.113.\($0)" }
            for _ in 1...20 {
                for network in networks { try await start(server, from: network) }
            }
            for network in networks { try await start(server, from: network, .tooManyRequests) }
            // A hundredth of what one network may do.
            for _ in 1...10 { try await start(server, from: "198.51.100.7") }
            try await start(server, from: "198.51.100.7", .tooManyRequests)
            try await start(server, from: "198.51.100.8")
            #expect(try await server.audited(.limitReached).count == 1)
            #expect(server.metrics.text().contains("countersign_limits_flooded_total{limit=\"start-per-client\"} 1"))
        }
    }

    @Test func `ends for new networks at one and a half times the limit, and for all at twice`() async throws {
        try await TestServer.open(configuring: { settings in
            Self.proxy(&settings)
            settings.limits[.startOverall] = Limit(100, in: 600)
            settings.limits[.startPerAddress] = Limit(10_000, in: 600)
        }) { server in
            // In these people were given tokens: with IPv6, wherever in their network.
            let known = ["198.51.100.7", "198.51.100.8", "2001:db8:7:1::1"]
            for address in known {
                let refresh = try #require(try await server.signedIn().refreshToken).revealed
                let form = try TestClients.tv.form.with(["grant_type": "refresh_token", "refresh_token": refresh])
                let answer = try await server.post(
                    server.path("token"), form, headers: [.xForwardedFor: address])
                #expect(answer.status == .ok)
            }
            for number in 1...147 { try await start(server, from: "203.0.113.\(number)") }
            try await start(server, from: "203.0.113.148", .tooManyRequests)
            for address in ["198.51.100.7", "198.51.100.8", "2001:db8:7:2::2"] {
                try await start(server, from: address)
            }
            // A known network has no more than its share: a fiftieth of the limit.
            try await start(server, from: "198.51.100.7")
            try await start(server, from: "198.51.100.7", .tooManyRequests)
        }
    }

    @Test func `keeps nobody else waiting`() async throws {
        try await TestServer.open(configuring: { settings in
            Self.proxy(&settings)
            settings.limits[.startPerClient] = Limit(600, in: 600)
        }) { server in
            @Sendable func median(of addresses: [String]) async throws -> Duration {
                var times: [Duration] = []
                for address in addresses {
                    let begun = ContinuousClock.now
                    try await start(server, from: address)
                    times.append(begun.duration(to: .now))
                }
                return times.sorted()[times.count / 2]
            }
            let before = try await median(of: (1...40).map { "198.51.100.\($0)" })
            let during = try await withThrowingTaskGroup(of: Void.self) { tasks in
                for network in 1...60 {
                    tasks.addTask {
                        while !Task.isCancelled {
                            _ = try await server.post(
                                server.path("device_authorization"),
                                TestClients.tv.form,
                                headers: [.xForwardedFor: "203.0.113.\(network)"]
                            )
                        }
                    }
                }
                while try await server.audited(.limitReached).isEmpty { try await Task.sleep(for: .milliseconds(5)) }
                let during = try await median(of: (41...80).map { "198.51.100.\($0)" })
                tasks.cancelAll()
                while let result = await tasks.nextResult() {
                    if case .failure(let error) = result, !(error is CancellationError) { throw error }
                }
                return during
            }
            // Sixty requests of the flood are at work at any moment, so each waits for so many others at the most.
            #expect(during < before * 120 + .seconds(1), "\(before) \(during)")
        }
    }

    @Test func `is told once to the operator's webhook, by a call that can be verified`() async throws {
        let secret = WebhookSecret(revealing: "a secret of the operator, long enough")
        try await TestServer.open(configuring: { settings in
            Self.proxy(&settings)
            settings.limits[.startPerClient] = Limit(3, in: 600)
            settings.limits[.tokenPerClient] = Limit(2, in: 600)
            settings.limits[.userCodeOverall] = Limit(2, in: 60)
            settings.delivery.deviceWebhook = DeviceWebhook(at: "https://hooks.example/new", secret: secret)
        }) { server in
            for number in 1...3 { try await start(server, from: "203.0.113.\(number)") }
            let anna = try await server.browser(of: .anna)
            for number in 0..<2 { try await anna.guess(number) }
            for _ in 0..<2 { _ = try await server.post("/revoke", TestClients.tv.form.with(["token": "unknown"])) }
            for _ in 0..<2 { try await server.server.services.requestLimiter.share() }

            let transport = ScriptedTransport(["/new": [.status(.noContent)]])
            let service = DeliveryService(server.server.services, over: transport, logger: server.server.logger)
            for _ in 0..<2 { try await service.deliver() }
            let now = server.clock.date
            let told = try transport.sent(to: "/new").map { call in
                let body = try JSONDecoder().decode([String: String].self, from: Data(call.body))
                return try LimitAlarmToken(try #require(body["token"]), by: secret, at: now).alarm
            }
            let alarms = [
                LimitAlarm(of: "start-per-client", client: TestClients.tv.id, reached: now, ends: now + 600),
                LimitAlarm(of: "user-code-overall", client: nil, reached: now, ends: now + 60),
                LimitAlarm(of: "token-per-client", client: TestClients.tv.id, reached: now, ends: now + 600),
            ]
            #expect(told.count == alarms.count && alarms.allSatisfy(told.contains))
            #expect(try await server.audited(.limitReached).count == 3)
            for alarm in alarms {
                let figure = "countersign_limits_flooded_total{limit=\"\(alarm.limit)\"} 1"
                #expect(server.metrics.text().contains(figure))
            }
            server.clock.advance(by: .seconds(600))
            for number in 1...3 { try await start(server, from: "203.0.113.\(number)") }
            try await service.deliver()
            #expect(transport.sent(to: "/new").count == 4)
        }
    }

    @Test func `of one home line is counted as one, whichever of its networks it uses`() async throws {
        try await TestServer.open(configuring: { settings in
            Self.proxy(&settings)
            settings.limits[.startPerAddress] = Limit(5, in: 600)
        }) { server in
            for number in 0..<20 {
                let line = "2\(number < 16 ? "0" : "")\(String(number, radix: 16))"
                try await start(server, from: "2001:db8:1:\(line)::1")
            }
            try await start(server, from: "2001:db8:1:2ff::1", .tooManyRequests)
            // The neighbours, and then the whole town.
            for line in [0, 1, 3] {
                for number in 10..<30 {
                    try await start(server, from: "2001:db8:1:\(line)\(number)::1")
                }
            }
            try await start(server, from: "2001:db8:1:ffff::1", .tooManyRequests)
            try await start(server, from: "2001:db8:2::1")
        }
    }

    /// What can be guessed altogether keeps the odds, so nobody has a share of it.
    @Test func `of guesses shuts out all, since the odds have to hold`() {
        #expect(!RateLimitKey.overall(.userCodeOverall).isShared)
        #expect(RateLimitKey.overall(.userCodeOverall).raisesAlarm)
        #expect(RateLimitKey.overall(.startOverall).isShared)
    }

    @Test(arguments: [LimitName.phoneCodeOverall, .phoneCodeOfOwners])
    func `of text messages shuts out all, since each costs money, and raises the alarm`(limit: LimitName) {
        #expect(!RateLimitKey.overall(limit).isShared)
        #expect(RateLimitKey.overall(limit).raisesAlarm)
    }
}

@Suite("Networks in which people were given tokens")
struct KnownNetworksTests {
    @Test func `are so many at the most, the latest of all`() {
        let known = KnownNetworks()
        for number in 0..<120_000 { known.note("\(number)") }
        #expect(!known.contains("19999") && known.contains("20000") && known.contains("119999"))
        #expect(!known.contains("120000"))
    }
}
