import Countersign
import CountersignTesting
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

    @Test func `ends for all at twice the limit`() async throws {
        try await TestServer.open(configuring: { settings in
            Self.proxy(&settings)
            settings.limits[.startOverall] = Limit(100, in: 600)
        }) { server in
            for number in 1...200 { try await start(server, from: "203.0.113.\(number)") }
            try await start(server, from: "203.0.113.201", .tooManyRequests)
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
        #expect(RateLimitKey.overall(.startOverall).isShared)
    }
}
