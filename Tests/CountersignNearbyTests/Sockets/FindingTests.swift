import Countersign
import CountersignNearby
import CountersignTesting
import MulticastDNS
import Testing

@Suite("A screen that looks for phones", .timeLimit(.minutes(10)))
struct FindingTests {
    @Test func `picks the only one after a second`() async throws {
        let network = ScriptedDiscovery()
        try await LinkStage.with(discovery: network) { stage in
            async let result = stage.look(on: network)
            await stage.room.when { !$0.lists.isEmpty }
            await stage.clock.sleepers(2)
            stage.clock.advance(by: .seconds(1))
            guard case .granted = await result else {
                Issue.record("no grant")
                return
            }
            #expect(stage.room.lists.last?.map(\.name) == ["drawn by chance"])
            #expect(network.types == [.countersign(app: "net.example.player")])
        }
        #expect(network.withdrawn == ["drawn by chance"], "and the phone has withdrawn what it made known")
    }

    @Test func `picks none of two before the person does`() async throws {
        let network = ScriptedDiscovery()
        network.add("Somebody else's phone", port: 9)
        try await LinkStage.with(discovery: network) { stage in
            let channel = NearbyChannel(stage.tv, discovery: network)
            stage.room.use(channel)
            let wish = NearbyWish(try Cast.bytesRequest())
            async let result = channel.signIn(wish, on: stage.room)
            await stage.room.when { $0.lists.last?.count == 2 }
            await stage.clock.sleepers(2)
            stage.clock.advance(by: .seconds(1))
            #expect(stage.room.prompts.isEmpty)
            let phone = try #require(stage.room.lists.last?.first { $0.name == "drawn by chance" })
            channel.choose(phone.id)
            guard case .granted = await result else {
                Issue.record("no grant")
                return
            }
        }
    }

    @Test func `goes on when a phone cannot be reached, and waits for one that comes later`() async throws {
        let network = ScriptedDiscovery()
        // Nobody listens there.
        network.add("Gone", port: 1)
        let room = Room(Room.Said(picks: true))
        let clock = ManualClock(Cast.noon)
        let settings = NearbySettings(
            app: try Cast.app(), name: try Cast.name("Living room"), pairings: MemoryPairingStore(),
            clock: clock.source, random: .system)
        let channel = NearbyChannel(settings, discovery: network)
        room.use(channel)
        let wish = NearbyWish(try Cast.bytesRequest(), lifetime: .seconds(300))
        async let result = channel.signIn(wish, on: room)
        await room.when { $0.news.contains(.ended(.unreachable)) }
        room.say { $0.picks = false }
        network.add("A phone", port: 1)
        await room.when { $0.lists.last?.count == 2 }
        network.remove("Gone")
        await room.when { $0.lists.last?.map(\.name) == ["A phone"] }
        clock.advance(by: .seconds(300))
        #expect(await result == .timedOut)
    }

    @Test func `stops at once when it is cancelled`() async throws {
        let network = ScriptedDiscovery()
        let room = Room()
        let clock = ManualClock(Cast.noon)
        let settings = NearbySettings(
            app: try Cast.app(), name: try Cast.name("Living room"), pairings: MemoryPairingStore(),
            clock: clock.source, random: .system)
        let wish = NearbyWish(try Cast.bytesRequest())
        let looking = Task { await NearbyChannel(settings, discovery: network).signIn(wish, on: room) }
        looking.cancel()
        #expect(await looking.value == .stopped)
        #expect(clock.sleeping == 0)
    }

    @Test func `asks a remembered phone at once, and shows it by its name`() async throws {
        let network = ScriptedDiscovery()
        try await LinkStage.with(discovery: network) { stage in
            stage.room.say { $0.decision = .approve(.bytes([1]), remembers: true) }
            guard case .granted(let first) = try await stage.signIn(remembers: true) else { return }
            await stage.room.when { !$0.outcomes.isEmpty }
            #expect(first.isRemembered)
            network.add("A stranger", port: 1)
            let result = await stage.look(on: network)
            guard case .granted(let second) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(second.trust.isPaired)
            let listed = stage.room.lists.flatMap { $0 }.compactMap(\.rememberedAs?.asSaid)
            #expect(listed.contains("Anna's phone"))
        }
    }

    @Test func `takes one answer when two phones race`() async throws {
        let network = ScriptedDiscovery()
        try await LinkStage.with(discovery: network) { stage in
            // Two phones of one person, both remembered, both asked at once.
            let other = Room()
            let second = NearbySettings(
                app: try Cast.app(), name: try Cast.name("Second phone"), pairings: MemoryPairingStore(),
                clock: stage.clock.source, random: .system)
            let pairings = try Cast.pairings(drawingFrom: .system)
            let others = try Cast.pairings(drawingFrom: .system)
            try stage.phone.pairings.change { $0.keep(pairings.approver, at: Cast.noon) }
            try second.pairings.change { $0.keep(others.approver, at: Cast.noon) }
            try stage.tv.pairings.change {
                $0.keep(pairings.requester, at: Cast.noon)
                $0.keep(others.requester, at: Cast.noon)
            }
            let listener = NearbyListener(
                second, approval: other, discovery: network,
                at: NearbyListeningPlace(hosts: ["127.0.0.1"], instanceName: "Second"))
            let (readiness, ready) = AsyncStream<UInt16>.makeStream()
            let listening = Task { try await listener.run { ready.yield($0) } }
            for await _ in readiness { break }

            stage.room.say {
                $0.decision = .approve(.bytes([1]), remembers: false)
                $0.mayDecide = false
            }
            other.say {
                $0.decision = .approve(.bytes([2]), remembers: false)
                $0.mayDecide = false
            }
            async let result = stage.look(on: network)
            await stage.room.when { $0.requests.count == 1 }
            await other.when { $0.requests.count == 1 }
            other.letDecide()
            guard case .granted(let granted) = await result else {
                Issue.record("no grant")
                return
            }
            #expect(granted.grant == .bytes([2]))
            await stage.room.when { $0.outcomes.count == 1 }
            #expect(stage.room.outcomes == [.gone(said: .answeredElsewhere)])
            listening.cancel()
            try await listening.value
        }
    }

    @Test func `is not fooled by the phone that is found first`() async throws {
        let network = ScriptedDiscovery()
        let listening = try await RogueApprover.listen()
        network.add("Anna's phone", port: listening.port)
        let room = Room(Room.Said(picks: true))
        let clock = ManualClock(Cast.noon)
        let settings = NearbySettings(
            app: try Cast.app(), name: try Cast.name("Living room"), pairings: MemoryPairingStore(),
            clock: clock.source, random: .system)
        let channel = NearbyChannel(settings, discovery: network)
        room.use(channel)
        let wish = NearbyWish(try Cast.serverRequest(.system))
        let looking = Task { await channel.signIn(wish, on: room) }
        await room.when { $0.news.contains(.ended(.notAuthentic)) }
        #expect(room.shown == nil && room.links.isEmpty, "and its request has not left")
        looking.cancel()
        _ = await looking.value
        await listening.close()
    }
}

extension LinkStage {
    /// A screen looks for phones on a network.
    fileprivate func look(on network: ScriptedDiscovery) async -> NearbyResult {
        let channel = NearbyChannel(tv, discovery: network)
        room.use(channel)
        guard let request = try? Cast.bytesRequest() else { return .stopped }
        return await channel.signIn(NearbyWish(request), on: room)
    }
}
