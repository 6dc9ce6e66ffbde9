import CommandFixture
import Foundation
import Testing

/// A TV on one host and a phone on the other, and a server outside, which both reach at one address.
struct NearbyNetwork: Sendable {
    let network: Network
    let fixture: NearbyFixture
    let phone: NearbyDevice
    let tv: NearbyDevice

    /// Sets the network up, and takes it away when `body` ends.
    static func with(_ body: (NearbyNetwork) async throws -> Void) async throws {
        let (fixture, phone) = try #require(SharedNearbyServer.current)
        try await Network.with { network in
            let port = fixture.server.base.split(separator: ":").last ?? ""
            let ways = try [Network.Host.a, .b].map { host in
                try network.python("forward.py", "\(port) /proc/\(getpid())/ns/net", on: host)
            }
            for way in ways { try await way.line(with: "ready") }
            try await body(
                NearbyNetwork(
                    network: network,
                    fixture: fixture,
                    phone: phone.moved(to: .host(runningBy: network.userRunner(on: .a))),
                    tv: try fixture.tv(at: .host(runningBy: network.userRunner(on: .b)))
                )
            )
            for way in ways { try await way.stop(SIGKILL) }
        }
    }

    /// Starts a program that prints the phones that the TV's host hears of.
    func browser() throws -> Program {
        try network.countersign("dns-sd browse _countersign._tcp --json", on: .b)
    }
}

/// One server, and one phone that is signed in to it, for all stories of a suite: that takes longer than a story.
struct SharedNearbyServer: SuiteTrait, TestScoping {
    @TaskLocal static var current: (fixture: NearbyFixture, phone: NearbyDevice)?

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing stories: @Sendable () async throws -> Void
    ) async throws {
        let fixture = try await NearbyFixture.start()
        do {
            let phone = try await fixture.phone()
            try await Self.$current.withValue((fixture, phone)) { try await stories() }
        } catch {
            _ = try? await fixture.server.stop()
            throw error
        }
        _ = try await fixture.server.stop()
    }
}
