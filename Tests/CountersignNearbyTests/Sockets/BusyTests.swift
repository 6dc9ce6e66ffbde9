import Countersign
@testable import CountersignNearby
import CountersignTesting
import MulticastDNS
import Testing

@Suite("A screen that is told that a phone is busy", .timeLimit(.minutes(10)))
struct BusyTests {
    /// A network, or a paired screen, has one place in the line, so that a second one finds the phone busy.
    private var limits: ListenerLimits {
        var limits = ListenerLimits.standard
        limits.questions = 1
        return limits
    }

    /// A screen signs in, and has the place in the line until the person decides.
    private func occupy(_ fixture: LoopbackFixture) async -> Task<NearbyResult, any Error> {
        fixture.person.say { $0.mayDecide = false }
        let first = Task { try await fixture.signIn() }
        await fixture.person.when { $0.events.contains("decide") }
        return first
    }

    /// The person decides about that screen.
    private func release(_ first: Task<NearbyResult, any Error>, _ fixture: LoopbackFixture) async throws {
        fixture.person.letDecide()
        _ = try #require(try await first.value.granted)
        await fixture.person.when { !$0.outcomes.isEmpty }
    }

    @Test func `asks again by itself, says so once, and shows one code`() async throws {
        try await LoopbackFixture.with(limits: limits) { fixture in
            let first = await occupy(fixture)
            let viewer = ScriptedPerson()
            let requester = NearbyRequester(fixture.tv, discovery: nil)
            let options = NearbySignInOptions(try Fixture.bytesRequest())
            async let result = requester.signIn(options, at: fixture.endpoint, on: viewer)
            await viewer.when { $0.progress.contains(.busy) }
            #expect(viewer.progress == [.asking, .busy] && fixture.person.prompts.count == 1)
            try await release(first, fixture)
            // The question of the next window.
            fixture.clock.advance(by: limits.window)
            await viewer.when { $0.shown != nil }
            let code = try #require(viewer.shown)
            fixture.person.see(code)
            _ = try #require(await result.granted)
            #expect(viewer.progress == [.asking, .busy, .askedForDecision] && viewer.codes.count == 1)
        }
    }

    @Test func `asks no more when the attempt is over`() async throws {
        try await LoopbackFixture.with(limits: limits) { fixture in
            let first = await occupy(fixture)
            let viewer = ScriptedPerson()
            let requester = NearbyRequester(fixture.tv, discovery: nil)
            let options = NearbySignInOptions(try Fixture.bytesRequest(), lifetime: .seconds(2))
            async let result = requester.signIn(options, at: fixture.endpoint, on: viewer)
            await viewer.when { $0.progress.contains(.busy) }
            fixture.clock.advance(by: .seconds(2))
            #expect(await result == .timedOut)
            #expect(viewer.progress == [.asking, .busy])
            try await release(first, fixture)
        }
    }

    @Test func `lets go of it when the person picks another phone`() async throws {
        let network = ScriptedDiscovery()
        try await LoopbackFixture.with(limits: limits) { fixture in
            let first = await occupy(fixture)
            network.add("Busy", port: fixture.port)
            // Nobody listens there.
            network.add("Gone", port: 1)
            let viewer = ScriptedPerson()
            let requester = NearbyRequester(fixture.tv, discovery: network)
            let options = NearbySignInOptions(try Fixture.bytesRequest(), lifetime: .seconds(9))
            async let result = requester.signIn(options, on: viewer)
            await viewer.when { $0.lists.last?.count == 2 }
            for (name, expected) in [("Busy", NearbyProgress.busy), ("Gone", .ended(.unreachable))] {
                let phone = try #require(viewer.lists.last?.first { $0.name == name })
                requester.choose(phone.id)
                await viewer.when { $0.progress.last == expected }
            }
            fixture.clock.advance(by: .seconds(5))
            fixture.clock.advance(by: .seconds(4))
            #expect(await result == .timedOut)
            #expect(network.confirmed == ["Busy", "Gone"], "each was asked once")
            try await release(first, fixture)
        }
    }

    @Test(arguments: [true, false])
    func `asks the phone that was picked where it came back`(saysGoodbye: Bool) async throws {
        let network = ScriptedDiscovery()
        try await LoopbackFixture.with(limits: limits) { fixture in
            let first = await occupy(fixture)
            network.add("Phone", port: fixture.port)
            let viewer = ScriptedPerson()
            let requester = NearbyRequester(fixture.tv, discovery: network)
            async let result = requester.signIn(NearbySignInOptions(try Fixture.bytesRequest()), on: viewer)
            await viewer.when { $0.lists.last?.count == 1 }
            requester.choose(try #require(viewer.lists.last?.first).id)
            await viewer.when { $0.progress.contains(.busy) }

            if saysGoodbye {
                network.remove("Phone")
                await viewer.when { $0.lists.last?.isEmpty == true }
                // It is away when it would have been asked.
                let lists = viewer.lists.count
                fixture.clock.advance(by: .seconds(5))
                await viewer.when { $0.lists.count > lists }
            }
            let lists = viewer.lists.count
            let second = ScriptedPerson()
            let settings = try fixture.settings(calling: "Phone")
            let listening = try await Task.listening(settings, second, network, named: "Phone")
            await viewer.when { $0.lists.count > lists && $0.lists.last?.count == 1 }
            fixture.clock.advance(by: .seconds(10))
            await viewer.when { $0.shown != nil }
            second.see(try #require(viewer.shown))
            _ = try #require(await result.granted)
            #expect(viewer.progress == [.asking, .busy, .askedForDecision], "\(viewer.progress)")
            listening.cancel()
            try await listening.value
            try await release(first, fixture)
        }
    }

    @Test func `asks it when the person picks it in the moment in which it is contacted again`() async throws {
        let network = ScriptedDiscovery()
        let silent = try await SilentApprovers.listen(at: "127.0.0.1")
        try await LoopbackFixture.with { fixture in
            try fixture.pair(with: fixture.phone)
            fixture.person.say { $0.decision = .approve(.bytes([1]), pairs: false) }
            network.add("A phone", port: silent.port)
            let viewer = ScriptedPerson()
            let requester = NearbyRequester(fixture.tv, discovery: network)
            async let result = requester.signIn(NearbySignInOptions(try Fixture.bytesRequest()), on: viewer)
            // It is contacted by itself, since it may be paired, and does not answer.
            await viewer.when { $0.lists.last?.isEmpty == true && network.types.count == 1 }
            let lists = viewer.lists.count
            network.add("A phone", port: silent.port, at: 2)
            await viewer.when { $0.lists.count > lists }
            requester.choose(NearbyApprover.ID(name: "A phone"))
            await viewer.when { $0.lists.last?.count == 1 }
            network.add("A phone", port: fixture.port)
            await viewer.when { $0.lists.count > lists + 2 }
            await silent.close()
            _ = try #require(await result.granted)
            #expect(viewer.progress.first == .asking && viewer.failures.isEmpty, "\(viewer.progress)")
        }
    }

    @Test func `keeps the pause with a paired phone that is the only one`() async throws {
        let network = ScriptedDiscovery()
        try await LoopbackFixture.with(limits: limits) { fixture in
            try fixture.pair(with: fixture.phone)
            fixture.person.say { $0.decision = .approve(.bytes([1]), pairs: false) }
            let first = await occupy(fixture)
            network.add("A phone", port: fixture.port)
            let viewer = ScriptedPerson()
            let requester = NearbyRequester(fixture.tv, discovery: network)
            let options = NearbySignInOptions(try Fixture.bytesRequest(), lifetime: .milliseconds(2_500))
            async let result = requester.signIn(options, on: viewer)
            await viewer.when { $0.progress.contains(.busy) }
            // The only one is picked after a second, and one that is busy is asked again after three at the earliest.
            for _ in 1...5 {
                fixture.clock.advance(by: .milliseconds(500))
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(await result == .timedOut)
            #expect(viewer.progress == [.asking, .busy] && network.confirmed == ["A phone"], "it was asked once")
            try await release(first, fixture)
        }
    }

    @Test func `shows no second code by itself when the phone is busy after the first`() async throws {
        let network = ScriptedDiscovery()
        let listening = try await RogueApprover.listen(sayingBusy: true)
        network.add("Anna's phone", port: listening.port)
        let (viewer, clock) = (ScriptedPerson(), ManualClock(Fixture.noon))
        let settings = NearbySettings(
            app: try Fixture.app(), name: try Fixture.name("Living room"), pairings: MemoryPairingStore(),
            clock: clock.source, random: .system)
        let requester = NearbyRequester(settings, discovery: network)
        let options = NearbySignInOptions(try Fixture.bytesRequest())
        let looking = Task { await requester.signIn(options, on: viewer) }
        await viewer.when { !$0.lists.isEmpty }
        let phone = try #require(viewer.lists.last?.first)
        requester.choose(phone.id)
        await viewer.when { $0.codes.count == 1 && !$0.failures.isEmpty }
        #expect(viewer.progress == [.asking, .ended(.gone(said: .busy))] && viewer.shown == nil)
        looking.cancel()
        _ = await looking.value
        await listening.close()
    }
}
