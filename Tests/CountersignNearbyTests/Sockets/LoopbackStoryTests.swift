import Countersign
@testable import CountersignNearby
import CountersignTesting
import Testing

@Suite("A screen and a phone on one network", .timeLimit(.minutes(10)))
struct LoopbackStoryTests {
    @Test func `meet over a code, and bytes are granted`() async throws {
        try await LoopbackFixture.with { fixture in
            let token = Array("a single-use token".utf8)
            fixture.person.say { $0.decision = .approve(.bytes(token), pairs: false) }
            let result = try await fixture.signIn()
            let granted = try #require(result.granted)
            #expect(granted.grant == .bytes(token) && granted.trust == .code && !granted.isPaired)
            #expect(granted.approver.asSaid == "Anna's phone")
            let request = try #require(fixture.person.requests.first)
            #expect(request.name == .asserted(try Fixture.name("Living room")))
            #expect(request.address == .observed(NearbyAddress("127.0.0.1")))
            #expect(request.request == .asserted(try Fixture.bytesRequest()))
            #expect(request.link == granted.link && fixture.person.links == [granted.link])
            await fixture.person.when { $0.outcomes.count == 1 }
            #expect(fixture.person.outcomes == [.approved(.code, paired: false)])
            #expect(fixture.person.shown == nil)
        }
    }

    @Test func `approve the screen's own request`() async throws {
        try await LoopbackFixture.with { fixture in
            fixture.person.say { $0.decision = .approve(.atServer, pairs: false) }
            let request = try Fixture.serverRequest(.system)
            let result = try await fixture.signIn(request)
            let granted = try #require(result.granted)
            #expect(granted.grant == .atServer)
            #expect(fixture.person.requests.first?.request == .asserted(request))
        }
    }

    @Test func `can say no`() async throws {
        try await LoopbackFixture.with { fixture in
            fixture.person.say { $0.decision = .decline }
            let result = try await fixture.signIn()
            #expect(result == .declined(by: PeerName("Anna's phone")))
        }
    }

    @Test func `can say not now, which is no refusal`() async throws {
        try await LoopbackFixture.with { fixture in
            fixture.person.say { $0.confirmation = .notNow }
            let first = try await fixture.signIn()
            #expect(first == .failed(.gone(said: .notNow)))
            // That address is not listened to for a while.
            fixture.person.say { $0.confirmation = .seen }
            let second = try await fixture.signIn()
            #expect(second == .failed(.gone(said: .notNow)))
            #expect(fixture.person.prompts.count == 1)
            fixture.clock.advance(by: .seconds(601))
            _ = await fixture.listener.openWindow()
            _ = try #require(await fixture.signIn().granted)
        }
    }

    @Test func `know each other the next time, without a code`() async throws {
        try await LoopbackFixture.with { fixture in
            fixture.person.say { $0.decision = .approve(.bytes([1]), pairs: true) }
            let first = try #require(await fixture.signIn(pairs: true).granted)
            #expect(first.isPaired)
            await fixture.person.when { $0.outcomes == [.approved(.code, paired: true)] }
            await fixture.listener.closeWindow()

            let second = try #require(await fixture.signIn().granted)
            #expect(second.trust == .paired(at: Fixture.noon))
            #expect(fixture.person.prompts.count == 1, "nobody was asked for a code again")
        }
    }

    @Test func `use the next code after a wrong one`() async throws {
        try await LoopbackFixture.with { fixture in
            let wrong: @Sendable (LinkCode) -> String? = { $0.revealed == "000000" ? "000001" : "000000" }
            fixture.person.say {
                $0.typed = wrong
                $0.retries = true
            }
            async let result = fixture.signIn()
            await fixture.person.when { $0.events.contains("missed") }
            fixture.person.say { $0.typed = nil }
            _ = try #require(await result.granted)
            #expect(fixture.person.prompts.map(\.attempt) == [1, 2])
        }
    }

    /// Feature 7: any bytes, zeros too, up to sixteen mebibytes.
    @Test(arguments: [0, 1, 1023, 1024, 1025, 10 << 20, 16 << 20], [false, true])
    func `carry any bytes`(count: Int, areZero: Bool) async throws {
        try await LoopbackFixture.with { fixture in
            let bytes = areZero ? [UInt8](repeating: 0, count: count) : SeededRandom(seed: 16).bytes(count)
            fixture.person.say { $0.decision = .approve(.bytes(bytes), pairs: false) }
            let granted = try #require(await fixture.signIn().granted)
            #expect(granted.grant == .bytes(bytes))
        }
    }
}
