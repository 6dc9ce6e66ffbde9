import Countersign
@testable import CountersignNearby
import CountersignTesting
import MulticastDNS
import Testing

@Suite("A screen that looks for phones", .timeLimit(.minutes(10)))
struct FindingTests {
    @Test func `picks the only one after a second`() async throws {
        let network = ScriptedDiscovery()
        try await LoopbackFixture.with(discovery: network) { fixture in
            async let result = fixture.look(on: network)
            await fixture.person.when { !$0.lists.isEmpty }
            await fixture.clock.sleepers(2)
            fixture.clock.advance(by: .seconds(1))
            _ = try #require(await result.granted)
            #expect(fixture.person.lists.last?.map(\.name) == ["drawn by chance"])
            #expect(network.types == [.countersign(app: "net.example.player")])
        }
        #expect(network.withdrawn == ["drawn by chance"], "and the phone has withdrawn what it made known")
    }

    @Test func `picks none of two before the person does`() async throws {
        let network = ScriptedDiscovery()
        try await LoopbackFixture.with(discovery: network) { fixture in
            let requester = NearbyRequester(fixture.tv, discovery: network)
            fixture.person.use(requester)
            let options = NearbySignInOptions(try Fixture.bytesRequest())
            async let result = requester.signIn(options, on: fixture.person)
            await fixture.person.when { $0.lists.last?.count == 1 }
            // The first one would be picked in a second.
            await fixture.clock.sleepers(2)
            network.add("Somebody else's phone", port: 9)
            await fixture.person.when { $0.lists.last?.count == 2 }
            fixture.clock.advance(by: .seconds(1))
            #expect(fixture.person.prompts.isEmpty)
            let phone = try #require(fixture.person.lists.last?.first { $0.name == "drawn by chance" })
            requester.choose(phone.id)
            _ = try #require(await result.granted)
        }
    }

    @Test func `goes on when a phone cannot be reached, and waits for one that comes later`() async throws {
        let network = ScriptedDiscovery()
        // Nobody listens there.
        network.add("Gone", port: 1)
        let person = ScriptedPerson(ScriptedPerson.Said(picks: true))
        let clock = ManualClock(Fixture.noon)
        let settings = NearbySettings(
            app: try Fixture.app(), name: try Fixture.name("Living room"), pairings: MemoryPairingStore(),
            clock: clock.source, random: .system)
        let requester = NearbyRequester(settings, discovery: network)
        person.use(requester)
        let options = NearbySignInOptions(try Fixture.bytesRequest(), lifetime: .seconds(300))
        async let result = requester.signIn(options, on: person)
        await person.when { $0.progress.contains(.ended(.unreachable)) }
        person.say { $0.picks = false }
        network.add("A phone", port: 1)
        await person.when { $0.lists.last?.count == 2 }
        network.remove("Gone")
        await person.when { $0.lists.last?.map(\.name) == ["A phone"] }
        clock.advance(by: .seconds(300))
        #expect(await result == .timedOut)
    }

    @Test func `stops at once when it is cancelled`() async throws {
        let network = ScriptedDiscovery()
        let person = ScriptedPerson()
        let clock = ManualClock(Fixture.noon)
        let settings = NearbySettings(
            app: try Fixture.app(), name: try Fixture.name("Living room"), pairings: MemoryPairingStore(),
            clock: clock.source, random: .system)
        let options = NearbySignInOptions(try Fixture.bytesRequest())
        let looking = Task { await NearbyRequester(settings, discovery: network).signIn(options, on: person) }
        looking.cancel()
        #expect(await looking.value == .stopped)
        #expect(clock.sleeping == 0)
    }

    /// Each address would be waited for for an hour.
    @Test func `waits for no connection that is being made when it has a result`() async throws {
        let (network, full) = (ScriptedDiscovery(), try await FullListener.listen())
        let clock = ManualClock(Fixture.noon)
        var times = NearbyTimes.standard
        times.connect = .seconds(3600)
        let settings = NearbySettings(
            app: try Fixture.app(), name: try Fixture.name("Living room"), pairings: MemoryPairingStore(),
            clock: clock.source, random: .system, times: times)
        let elsewhere = try Fixture.pairings(drawingFrom: .system)
        try settings.pairings.change { $0.keep(elsewhere.requester, at: Fixture.noon) }
        network.add("A phone", port: full.port)
        let options = NearbySignInOptions(try Fixture.bytesRequest())
        let looking = Task {
            await NearbyRequester(settings, discovery: network).signIn(options, on: ScriptedPerson())
        }
        // The first try is under way, three more wait, and so does the end of all of them.
        await clock.sleepers(4)
        looking.cancel()
        #expect(await looking.value == .stopped)
        #expect(clock.sleeping == 0)
        await full.close()
    }

    @Test func `asks a paired phone at once, and shows it by its name`() async throws {
        let network = ScriptedDiscovery()
        try await LoopbackFixture.with(discovery: network) { fixture in
            fixture.person.say { $0.decision = .approve(.bytes([1]), pairs: true) }
            let first = try #require(await fixture.signIn(pairs: true).granted)
            await fixture.person.when { !$0.outcomes.isEmpty }
            #expect(first.isPaired)
            network.add("A stranger", port: 1)
            let result = await fixture.look(on: network)
            let second = try #require(result.granted)
            #expect(second.trust.isPaired)
            let listed = fixture.person.lists.flatMap { $0 }.compactMap(\.pairedAs?.asSaid)
            #expect(listed.contains("Anna's phone"))
        }
    }

    @Test func `asks a paired phone beside five hundred that answer nothing`() async throws {
        let network = ScriptedDiscovery()
        let silent = try await SilentApprovers.listen(at: "127.0.0.2")
        try await LoopbackFixture.with(discovery: network) { fixture in
            fixture.person.say { $0.decision = .approve(.bytes([1]), pairs: true) }
            _ = try #require(try await fixture.signIn(pairs: true).granted)
            await fixture.person.when { !$0.outcomes.isEmpty }
            for number in 0..<500 { network.add("Made up \(number)", port: silent.port, at: 2) }
            // The time of this test stands still: none of the others is given up.
            let second = try #require(await fixture.look(on: network).granted)
            #expect(second.trust.isPaired)
        }
        await silent.close()
    }

    /// Makes five hundred phones known, each at an address of its own, that accept connections and say nothing.
    private func addFiveHundredHosts(to network: ScriptedDiscovery, port: UInt16) {
        for number in 0..<500 {
            network.add("Made up \(number)", port: port, at: UInt8(number % 250 + 1), of: UInt8(number / 250 + 1))
        }
    }

    @Test func `asks a paired phone beside five hundred hosts that answer nothing`() async throws {
        let network = ScriptedDiscovery()
        let silent = try await SilentApprovers.listen(at: "0.0.0.0")
        try await LoopbackFixture.with(discovery: network) { fixture in
            fixture.person.say { $0.decision = .approve(.bytes([1]), pairs: true) }
            _ = try #require(try await fixture.signIn(pairs: true).granted)
            await fixture.person.when { !$0.outcomes.isEmpty }
            let book = try fixture.tv.pairings.read()
            #expect(book.all.map(\.hosts) == [["127.0.0.1"]])
            addFiveHundredHosts(to: network, port: silent.port)
            // The time of this test stands still: none of the others is given up.
            let second = try #require(await fixture.look(on: network).granted)
            #expect(second.trust.isPaired)
            #expect(network.confirmed.contains("drawn by chance"))
        }
        await silent.close()
    }

    @Test func `lets the person pick a new phone beside five hundred hosts that answer nothing`() async throws {
        let network = ScriptedDiscovery()
        let silent = try await SilentApprovers.listen(at: "0.0.0.0")
        addFiveHundredHosts(to: network, port: silent.port)
        try await LoopbackFixture.with(discovery: network) { fixture in
            // It is paired with another phone, which is not there.
            let elsewhere = try Fixture.pairings(drawingFrom: .system)
            try fixture.tv.pairings.change { $0.keep(elsewhere.requester, at: Fixture.noon) }
            let requester = NearbyRequester(fixture.tv, discovery: network)
            fixture.person.use(requester)
            let options = NearbySignInOptions(try Fixture.bytesRequest())
            async let result = requester.signIn(options, on: fixture.person)
            await fixture.person.when { person in
                guard person.prompts.isEmpty else { return true }
                let phone = person.lists.last?.first { $0.name == "drawn by chance" }
                if let phone { requester.choose(phone.id) }
                return false
            }
            _ = try #require(await result.granted)
        }
        await silent.close()
    }

    @Test func `takes one answer when two phones race`() async throws {
        let network = ScriptedDiscovery()
        try await LoopbackFixture.with(discovery: network) { fixture in
            // Two phones of one person, both paired, both asked at once.
            let other = ScriptedPerson()
            let second = NearbySettings(
                app: try Fixture.app(), name: try Fixture.name("Second phone"), pairings: MemoryPairingStore(),
                clock: fixture.clock.source, random: .system)
            let pairings = try Fixture.pairings(drawingFrom: .system)
            let others = try Fixture.pairings(drawingFrom: .system)
            try fixture.phone.pairings.change { $0.keep(pairings.approver, at: Fixture.noon) }
            try second.pairings.change { $0.keep(others.approver, at: Fixture.noon) }
            try fixture.tv.pairings.change {
                $0.keep(pairings.requester, at: Fixture.noon)
                $0.keep(others.requester, at: Fixture.noon)
            }
            let listener = NearbyListener(
                second, approval: other, discovery: network,
                configuration: NearbyListenerConfiguration(hosts: ["127.0.0.1"], instanceName: "Second"))
            let (readiness, ready) = AsyncStream<UInt16>.makeStream()
            let listening = Task { try await listener.run { ready.yield($0) } }
            for await _ in readiness { break }

            fixture.person.say {
                $0.decision = .approve(.bytes([1]), pairs: false)
                $0.mayDecide = false
            }
            other.say {
                $0.decision = .approve(.bytes([2]), pairs: false)
                $0.mayDecide = false
            }
            async let result = fixture.look(on: network)
            await fixture.person.when { $0.requests.count == 1 }
            await other.when { $0.requests.count == 1 }
            other.letDecide()
            let granted = try #require(await result.granted)
            #expect(granted.grant == .bytes([2]))
            await fixture.person.when { $0.outcomes.count == 1 }
            #expect(fixture.person.outcomes == [.gone(said: .answeredElsewhere)])
            listening.cancel()
            try await listening.value
        }
    }

    @Test func `is not fooled by the phone that is found first`() async throws {
        let network = ScriptedDiscovery()
        let listening = try await RogueApprover.listen()
        network.add("Anna's phone", port: listening.port)
        let person = ScriptedPerson(ScriptedPerson.Said(picks: true))
        let clock = ManualClock(Fixture.noon)
        let settings = NearbySettings(
            app: try Fixture.app(), name: try Fixture.name("Living room"), pairings: MemoryPairingStore(),
            clock: clock.source, random: .system)
        let requester = NearbyRequester(settings, discovery: network)
        person.use(requester)
        let options = NearbySignInOptions(try Fixture.serverRequest(.system))
        let looking = Task { await requester.signIn(options, on: person) }
        await person.when { $0.progress.contains(.ended(.notAuthentic)) }
        #expect(person.shown == nil && person.links.isEmpty, "and its request has not left")
        looking.cancel()
        _ = await looking.value
        await listening.close()
    }
}

extension LoopbackFixture {
    /// A screen looks for phones on a network.
    fileprivate func look(on network: ScriptedDiscovery) async -> NearbyResult {
        let requester = NearbyRequester(tv, discovery: network)
        person.use(requester)
        guard let request = try? Fixture.bytesRequest() else { return .stopped }
        return await requester.signIn(NearbySignInOptions(request), on: person)
    }
}
