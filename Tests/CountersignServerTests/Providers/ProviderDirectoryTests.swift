import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignServer

@Suite("What is kept of other providers", .timeLimit(.minutes(10)), .server)
struct ProviderDirectoryTests {
    let server = TestServer.current

    /// Adds providers without a network to a server.
    private func add(_ names: [String], to server: TestServer) async throws -> [IdentityIssuer] {
        var issuers: [IdentityIssuer] = []
        for name in names {
            let issuer = IdentityIssuer("https://\(name).example")
            let record = IdentityProvider(
                id: IdentityProvider.ID(name),
                displayName: name,
                issuer: issuer,
                kind: .openID(IdentityProvider.OpenID(client: ClientID("here"), credential: .none)),
                created: server.clock.date
            )
            try await server.change { try $0.identityProviders.insert(record) }
            issuers.append(issuer)
        }
        return issuers
    }

    @Test func `is refreshed every five minutes, for all providers at the same time`() async throws {
        let names = ["one", "two", "three"]
        let issuers = try await add(names, to: server)
        let network = MeetingTransport()
        let clock = ManualClock()
        let directory = ProviderDirectory(over: network, clock: clock.source)
        for issuer in issuers { _ = try await directory.metadata(of: issuer) }
        let refresh = ProviderRefresh(directory: directory, store: server.store, clock: clock.source)
        let running = Task { try await refresh.run() }
        await clock.sleepers()
        // None is answered before all have been asked.
        await network.answerTogether(names.count)
        for round in 2...3 {
            clock.advance(by: .seconds(300))
            await clock.sleeps(round)
            for name in names { #expect(await network.asked["\(name).example"] == round) }
        }
        running.cancel()
        try await running.value
    }

    @Test func `is forgotten when the provider was removed`() async throws {
        let issuers = try await add(["one", "two"], to: server)
        let network = MeetingTransport()
        let clock = ManualClock()
        let directory = ProviderDirectory(over: network, clock: clock.source)
        for issuer in issuers { _ = try await directory.metadata(of: issuer) }
        try await server.change { _ = try $0.identityProviders.remove(IdentityProvider.ID("one")) }
        let refresh = ProviderRefresh(directory: directory, store: server.store, clock: clock.source)
        let running = Task { try await refresh.run() }
        await clock.sleepers()
        clock.advance(by: .seconds(300))
        await clock.sleeps(2)
        #expect(await network.asked == ["one.example": 1, "two.example": 2])
        // It is asked anew when it is there again.
        _ = try await directory.metadata(of: issuers[0])
        #expect(await network.asked["one.example"] == 2)
        running.cancel()
        try await running.value
    }
}

/// Providers that have metadata and no keys, and that answer a question only when so many were asked.
private actor MeetingTransport: HTTPTransport {
    /// The number of requests for the metadata of each host.
    private(set) var asked: [String: Int] = [:]
    private var together = 1
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func answerTogether(_ count: Int) { together = count }

    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        let host = request.authority ?? ""
        asked[host, default: 0] += 1
        await withCheckedContinuation { continuation in
            waiting.append(continuation)
            guard waiting.count >= together else { return }
            for one in waiting { one.resume() }
            waiting = []
        }
        let text = #"{"issuer":"https://\#(host)","jwks_uri":"https://\#(host)/jwks"}"#
        return HTTPAnswer(
            HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), body: Array(text.utf8))
    }
}
