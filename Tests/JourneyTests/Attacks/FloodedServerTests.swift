import Countersign
import CountersignServer
import CountersignWire
import Foundation
import Testing

/// Many networks, behind a proxy that the server trusts.
@Suite("A flood from sixty networks", .timeLimit(.minutes(10)))
struct FloodedServerTests {
    private static let networks = (1...60).map { "203.0.113.\($0)" }

    @Test func `changes nothing of what a clean address is answered`() async throws {
        try await JourneyServer.with(configuring: { settings in
            settings.trustedProxies = [AddressNetwork("127.0.0.1")!]
            settings.limits[.startPerAddress] = Limit(20, in: 600)
        }) { server in
            let port = server.port
            let before = try await look((1...30).map { "198.51.100.\($0)" }, at: port)
            let (during, refused) = try await withThrowingTaskGroup(of: Int.self) { tasks in
                let (floods, flooding) = AsyncStream.makeStream(of: Void.self)
                for network in Self.networks {
                    tasks.addTask {
                        var refused = 0
                        // One that is cancelled ends with an error.
                        while !Task.isCancelled, let answer = try? await Self.start(from: network, at: port) {
                            guard answer.status == 429 else { continue }
                            refused += 1
                            flooding.yield()
                        }
                        return refused
                    }
                }
                for await _ in floods.prefix(60) {}
                let during = try await look((31...60).map { "198.51.100.\($0)" }, at: port)
                tasks.cancelAll()
                return (during, try await tasks.reduce(0, +))
            }
            #expect(refused >= 60)
            #expect(before.members == during.members)
            // The delay depends on the machine, so it is only printed.
            print("device start, median: \(before.median); during a flood from 60 networks: \(during.median)")
        }
    }

    private struct Seen {
        /// The members of the answers, which are all granted.
        var members: Set<String> = []
        var median: Duration = .zero
    }

    private func look(_ addresses: [String], at port: Int) async throws -> Seen {
        var seen = Seen()
        var times: [Duration] = []
        for address in addresses {
            let begun = ContinuousClock.now
            let answer = try await Self.start(from: address, at: port)
            times.append(begun.duration(to: .now))
            #expect(answer.status == 200, "\(address)")
            let body = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
            seen.members.formUnion(try #require(body).keys)
        }
        seen.median = times.sorted()[times.count / 2]
        return seen
    }

    private static func start(from address: String, at port: Int) async throws -> RawAnswer {
        let body = "client_id=\(JourneyParties.tv)"
        let request = """
            POST /device_authorization HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            X-Forwarded-For: \(address)\r
            Content-Type: application/x-www-form-urlencoded\r
            Content-Length: \(body.utf8.count)\r
            Connection: close\r
            \r
            \(body)
            """
        let heard = try await RawConnection.exchange(Array(request.utf8), with: port)
        guard let answer = heard.final else { throw Interrupted() }
        return answer
    }

    /// The connection was closed before its answer, as those of a flood that ends.
    private struct Interrupted: Error {}
}
