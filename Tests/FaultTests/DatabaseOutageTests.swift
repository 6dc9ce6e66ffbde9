#if PostgreSQL
import Countersign
import CountersignServer
import CountersignWire
import Foundation
import KeptDatabases
import NIOConcurrencyHelpers
import PostgresUnderTest
import Testing

@Suite(
    "Two nodes whose PostgreSQL server crashes under load",
    .enabled(if: PostgresCases.areRun, Comment(rawValue: PostgresCases.need))
)
struct DatabaseOutageTests {
    /// The answers of the nodes.
    private struct Answered: Sendable {
        /// The tokens of each node.
        var tokens: [[AccessToken]] = [[], []]
        var refusals = 0
        var others: [String] = []
    }

    @Test func `refuse meanwhile, go on by themselves, and keep their word`() async throws {
        try await PrivateCluster.run { cluster in
            try await DatabaseFixture.with(opening: { _ in try DatabaseKind.openPostgres(at: cluster.url) }) {
                fixture in
                let flags = "--issuer http://localhost:1 \(LimitRule.allOff)"
                let nodes = [
                    try await ServerProcess.start(on: fixture, flags: flags),
                    try await ServerProcess.start(on: fixture, flags: flags),
                ]
                let (code, exchange) = fixture.open()
                try await fixture.store.change { try $0.exchanges.insert(exchange) }
                // A screen waits all the while, and asks again when it is told to.
                let screen = Task { try await waitForTokens(code, at: nodes[0], of: fixture) }
                let answered = NIOLockedValueBox(Answered())
                let load = Task { await work(on: nodes, fixture, answered) }

                for _ in 0..<3 {
                    for node in 0..<2 { try await more(answered, { $0.tokens[node].count }, by: 20) }
                    try await cluster.stop()
                    try await more(answered, \.refusals, by: 8)
                    try await cluster.resume()
                }
                for node in 0..<2 { try await more(answered, { $0.tokens[node].count }, by: 20) }
                load.cancel()
                await load.value

                let all = answered.withLockedValue { $0 }
                #expect(all.others == [])
                var lost = 0
                for (number, token) in all.tokens.joined().enumerated() {
                    let look = fixture.introspection(of: token)
                    let seen = try await nodes[number % 2].post("/introspect", look).read(IntrospectionResponse.self)
                    if !seen.active { lost += 1 }
                }
                #expect(lost == 0)
                try await fixture.approve(exchange)
                #expect(try await screen.value.refreshToken != nil)
                _ = try await fixture.store.read { try Audit($0).verify() }
                for node in nodes { #expect(try await node.stop() == 0) }
            }
        }
    }

    /// Waits, however long the load needs, until so many more were counted.
    private func more(
        _ answered: NIOLockedValueBox<Answered>,
        _ count: (Answered) -> Int,
        by number: Int
    ) async throws {
        let enough = answered.withLockedValue { count($0) } + number
        while answered.withLockedValue({ count($0) }) < enough { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Asks both nodes for tokens until it is cancelled.
    private func work(on nodes: [ServerProcess], _ fixture: DatabaseFixture, _ answered: NIOLockedValueBox<Answered>)
        async
    {
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    while !Task.isCancelled {
                        // Of the last one nobody hears the answer: it is cancelled with the task.
                        guard let answer = try? await nodes[worker % 2].post("/token", fixture.clientCredentials) else {
                            continue
                        }
                        answered.withLockedValue { count(answer, of: worker % 2, in: &$0) }
                    }
                }
            }
        }
    }

    private func count(_ answer: ServerProcess.Answer, of node: Int, in answered: inout Answered) {
        if let tokens = try? answer.read(TokenResponse.self) {
            answered.tokens[node].append(tokens.accessToken)
        } else if answer.status == 503, answer.error == .temporarilyUnavailable {
            answered.refusals += 1
        } else {
            answered.others.append("\(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        }
    }

    private func waitForTokens(
        _ code: DeviceCode,
        at server: ServerProcess,
        of fixture: DatabaseFixture
    ) async throws -> TokenResponse {
        while true {
            let answer = try await server.post("/token", fixture.redemption(of: code), prefer: "wait=10")
            if answer.status == 200 { return try answer.read() }
            guard [.authorizationPending, .temporarilyUnavailable].contains(answer.error) else {
                throw Unexpected(answer: answer)
            }
            // As RFC 8628 §3.5 asks.
            try await Task.sleep(for: .seconds(5))
        }
    }

    private struct Unexpected: Error {
        let answer: ServerProcess.Answer
    }
}
#endif
