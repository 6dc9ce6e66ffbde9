import Countersign
import CountersignSQLite
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

    @Test(
        .server { settings in
            proxy(&settings)
            settings.limits[.startPerAddress] = Limit(20, in: 600)
            settings.limits[.startPerClient] = Limit(1, in: 600)
        })
    func `ends what it does itself, and nothing of other networks`() async throws {
        let server = TestServer.current
        let networks = (1...60).map { "203.0.113.\($0)" }
        for _ in 1...20 {
            for network in networks { try await start(server, from: network) }
        }
        for network in networks { try await start(server, from: network, .tooManyRequests) }
        // They named the same client.
        for _ in 1...20 { try await start(server, from: "198.51.100.7") }
        try await start(server, from: "198.51.100.7", .tooManyRequests)
        try await start(server, from: "198.51.100.8")
        let noted = try await server.audited(.limitReached)
        #expect(noted.count == 61 && noted.allSatisfy { $0.detail == "start-per-address 20/600" })
        #expect(Set(noted.compactMap(\.address)).count == 61)
    }

    @Test(
        .server { settings in
            proxy(&settings)
            settings.limits[.startOverall] = Limit(100, in: 600)
        })
    func `raises the alarm at the limit of all together, and shuts nobody out`() async throws {
        let server = TestServer.current
        for number in 1...150 { try await start(server, from: "203.0.113.\(number)") }
        for _ in 1...50 { try await start(server, from: "198.51.100.7") }
        #expect(try await server.audited(.limitReached).map(\.detail) == ["start-overall 100/600"])
        #expect(server.metrics.text().contains("countersign_limits_flooded_total{limit=\"start-overall\"} 1"))
    }

    @Test(
        .server { settings in
            proxy(&settings)
            settings.limits[.startPerAddress] = Limit(3, in: 600)
            settings.limits[.startPerClient] = Limit(10, in: 600)
        })
    func `ends nothing of a client that proves who it is, wherever that is`() async throws {
        let server = TestServer.current
        func ask(from address: String) async throws -> HTTPResponse.Status {
            try await server.post(
                server.path("device_authorization"), TestClients.console.form, headers: [.xForwardedFor: address]
            ).status
        }
        for _ in 1...3 { try await start(server, from: "203.0.113.1") }
        try await start(server, from: "203.0.113.1", .tooManyRequests)
        for number in 1...10 {
            #expect(try await ask(from: number.isMultiple(of: 2) ? "203.0.113.1" : "198.51.100.7") == .ok)
        }
        for address in ["203.0.113.1", "198.51.100.7"] {
            #expect(try await ask(from: address) == .tooManyRequests)
        }
        try await start(server, from: "198.51.100.7")
    }

    /// Whatever a browser brings, its client did not send; the visitor causes the cost.
    @Test(
        .server(withApps: true) { settings in
            settings.limits[.startPerAddress] = Limit(2, in: 600)
            settings.limits[.startPerClient] = Limit(1, in: 600)
        })
    func `of visitors ends what is asked in the name of an app there, and nothing of that app`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        let request = TestApps.intranet.request
        for _ in 1...2 { #expect(try await anna.authorize(request).authorization?.code != nil) }
        #expect(try await anna.authorize(request).authorization?.error == .temporarilyUnavailable)
        let counted = RateLimitKey.client(.startPerClient, TestApps.intranet.id).countKey
        #expect(try await server.store.read { try $0.counts.find(counted) } == nil)
    }

    @Test func `is told once to the operator's webhook, by a call that can be verified`() async throws {
        let secret = WebhookSecret(revealing: "a secret of the operator, long enough")
        try await TestServer.open(configuring: { settings in
            Self.proxy(&settings)
            settings.limits[.startOverall] = Limit(3, in: 600)
            settings.limits[.startPerAddress] = Limit(1, in: 600)
            settings.limits[.userCodeOverall] = Limit(2, in: 60)
            settings.delivery.deviceWebhook = DeviceWebhook(at: "https://hooks.example/new", secret: secret)
        }) { server in
            for number in 1...3 { try await start(server, from: "203.0.113.\(number)") }
            let anna = try await server.browser(of: .anna)
            for number in 0..<2 { try await anna.guess(number) }

            let transport = ScriptedTransport(["/new": [.status(.noContent)]])
            let service = server.server.deliveries(over: transport)
            for _ in 0..<2 { try await service.deliver() }
            let now = server.clock.date
            let told = try transport.sent(to: "/new").map { call in
                let body = try JSONDecoder().decode([String: String].self, from: Data(call.body))
                return try LimitAlarmToken(try #require(body["token"]), by: secret, at: now).alarm
            }
            let alarms = [
                LimitAlarm(of: "start-overall", client: nil, reached: now, ends: now + 600),
                LimitAlarm(of: "user-code-overall", client: nil, reached: now, ends: now + 60),
            ]
            #expect(told.count == alarms.count && alarms.allSatisfy(told.contains))
            // The limit of each of the three networks was reached as well, but nobody is told of that.
            #expect(try await server.audited(.limitReached).count == 5)
            for alarm in alarms {
                let figure = "countersign_limits_flooded_total{limit=\"\(alarm.limit)\"} 1"
                #expect(server.metrics.text().contains(figure))
            }
            server.clock.advance(by: .seconds(600))
            for number in 1...3 { try await start(server, from: "203.0.113.\(number)") }
            try await service.deliver()
            #expect(transport.sent(to: "/new").count == 3)
        }
    }

    @Test(
        .server { settings in
            proxy(&settings)
            settings.limits[.startPerAddress] = Limit(5, in: 600)
        })
    func `of one home line is counted as one, whichever of its networks it uses`() async throws {
        let server = TestServer.current
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

    @Test(arguments: [LimitRule.userCodeOverall, .startOverall, .registrationOverall])
    func `of what costs little shuts nobody out at the limit of all together, and raises the alarm`(rule: LimitRule) {
        #expect(rule.declaration.manner == .alarms && rule.raisesAlarm)
    }

    @Test(arguments: [LimitRule.textPerPrefix, .textOverall, .textOfOwners, .mailOverall])
    func `of messages shuts out all, since each costs money or the good name, and raises the alarm`(rule: LimitRule) {
        #expect(rule.declaration.manner == .refuses && rule.raisesAlarm)
    }

    @Test func `raises the alarm at no limit of one alone`() {
        let raising: [LimitRule] = LimitRule.allCases.filter(\.raisesAlarm)
        #expect(raising.count == 7)
    }
}
