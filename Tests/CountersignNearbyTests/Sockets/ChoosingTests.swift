import Countersign
@testable import CountersignNearby
import CountersignTesting
import MulticastDNS
import NIOConcurrencyHelpers
import NIOCore
import Testing

@Suite("A screen that is paired with two phones", .timeLimit(.minutes(10)))
struct ChoosingTests {
    /// Both phones want digits, as they do where the server sees other addresses.
    @Test func `lets the person use either when both want digits`() async throws {
        let network = ScriptedDiscovery()
        try await LoopbackFixture.with(discovery: network) { fixture in
            let (first, second, viewer) = (fixture.person, ScriptedPerson(), ScriptedPerson())
            let other = try fixture.settings(calling: "Second phone")
            try fixture.pair(with: fixture.phone)
            try fixture.pair(with: other)
            let listening = try await Task.listening(other, second, network, named: "Second")
            for person in [first, second] {
                person.say {
                    $0.wantsDigits = true
                    $0.decision = .approve(.bytes([1]), pairs: false)
                }
            }
            let requester = NearbyRequester(fixture.tv, discovery: network)
            let options = NearbySignInOptions(try Fixture.bytesRequest())
            let looking = Task { await requester.signIn(options, on: viewer) }
            await viewer.when { $0.codes.count == 1 && !$0.failures.isEmpty }
            // One has the screen. The other is not lost without a word: the person may pick it.
            let crowdedOut = try #require(viewer.failures.first)
            #expect(crowdedOut.reason == .anotherCodeIsShown)
            #expect(crowdedOut.approver.id != viewer.codes[0].approver.id)

            requester.choose(crowdedOut.approver.id)
            await viewer.when { $0.codes.count == 2 }
            let shown = viewer.codes[1]
            #expect(shown.approver.id == crowdedOut.approver.id)
            (shown.approver.name == "Second" ? second : first).see(shown.code)
            let granted = try #require(await looking.value.granted)
            #expect(granted.trust == .code)
            listening.cancel()
            try await listening.value
        }
    }

    /// A code that was not shown is none of the three.
    @Test func `loses no code when others want digits at the same time`() async throws {
        let network = ScriptedDiscovery()
        try await LoopbackFixture.with(discovery: network) { fixture in
            let viewer = ScriptedPerson()
            var people = [fixture.person]
            var phones: [Task<Void, any Error>] = []
            try fixture.pair(with: fixture.phone)
            for name in ["Second", "Third", "Fourth", "Fifth"] {
                let (settings, person) = (try fixture.settings(calling: "\(name) phone"), ScriptedPerson())
                try fixture.pair(with: settings)
                people.append(person)
                phones.append(try await Task.listening(settings, person, network, named: name))
            }
            for person in people {
                person.say {
                    $0.wantsDigits = true
                    $0.decision = .approve(.bytes([1]), pairs: false)
                }
            }
            let requester = NearbyRequester(fixture.tv, discovery: network)
            let options = NearbySignInOptions(try Fixture.bytesRequest())
            let looking = Task { await requester.signIn(options, on: viewer) }
            await viewer.when { $0.codes.count == 1 && $0.failures.count == 4 }
            #expect(viewer.failures.allSatisfy { $0.reason == .anotherCodeIsShown })
            // The one code that is shown still works.
            for person in people { person.see(viewer.codes[0].code) }
            let granted = try #require(await looking.value.granted)
            #expect(granted.trust == .code)
            for phone in phones {
                phone.cancel()
                try await phone.value
            }
        }
    }
}

@Suite("A phone that died", .timeLimit(.minutes(10)))
struct ReturningTests {
    @Test func `is asked again when it has come back, without the person`() async throws {
        let network = ScriptedDiscovery()
        try await LoopbackFixture.with { fixture in
            let (viewer, clock) = (ScriptedPerson(), fixture.clock)
            fixture.person.say { $0.mayDecide = false }
            // It does not say goodbye to the network: its name stays.
            network.add("A phone", port: fixture.port)
            let requester = NearbyRequester(fixture.tv, discovery: network)
            let options = NearbySignInOptions(try Fixture.bytesRequest())
            let looking = Task { await requester.signIn(options, on: viewer) }
            await viewer.when { !$0.lists.isEmpty }
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
            await viewer.when { $0.codes.count == 1 }
            await fixture.listener.closeWindow()
            await viewer.when { !$0.failures.isEmpty }

            // The same name, another port: it was started anew.
            let next = ScriptedPerson()
            let ports = NIOLockedValueBox<UInt16>(0)
            let other = try fixture.settings(calling: "A phone")
            let listening = try await Task.listening(other, next, nil, named: "A phone") { port in
                ports.withLockedValue { $0 = port }
            }
            // Both ends of the first conversation are over.
            while clock.sleeping > 0 { try await Task.sleep(for: .milliseconds(1)) }
            network.add("A phone", port: ports.withLockedValue { $0 })
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
            await viewer.when { $0.codes.count == 2 }
            next.see(viewer.codes[1].code)
            _ = try #require(await looking.value.granted)
            listening.cancel()
            try await listening.value
        }
    }

    @Test func `is tried again by itself when it could not be reached`() async throws {
        let network = ScriptedDiscovery()
        let (viewer, clock) = (ScriptedPerson(), ManualClock(Fixture.noon))
        let settings = NearbySettings(
            app: try Fixture.app(), name: try Fixture.name("Living room"), pairings: MemoryPairingStore(),
            clock: clock.source, random: .system)
        // Nobody listens there; a port that was closed a moment ago may be another's the next moment.
        network.add("A phone", port: 1)
        let requester = NearbyRequester(settings, discovery: network)
        let looking = Task { await requester.signIn(NearbySignInOptions(try Fixture.bytesRequest()), on: viewer) }
        await viewer.when { !$0.lists.isEmpty }
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await viewer.when { $0.failures.count == 1 }
        #expect(viewer.progress == [.asking, .ended(.unreachable)])
        while viewer.progress.count < 3 {
            clock.advance(by: .seconds(1))
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(viewer.progress[2] == .asking)
        looking.cancel()
        _ = try await looking.value
    }
}

extension LoopbackFixture {
    /// The settings of a device, with a store of its own.
    func settings(calling name: String) throws -> NearbySettings {
        NearbySettings(
            app: try Fixture.app(), name: try Fixture.name(name), pairings: MemoryPairingStore(),
            clock: clock.source, random: .system)
    }

    /// Pairs the screen with a phone.
    func pair(with phone: NearbySettings) throws {
        let pairings = try Fixture.pairings(drawingFrom: .system)
        try phone.pairings.change { $0.keep(pairings.approver, at: Fixture.noon) }
        try tv.pairings.change { $0.keep(pairings.requester, at: Fixture.noon) }
    }
}

extension Task<Void, any Error> {
    /// A phone that listens on loopback, its window open, until the task is cancelled.
    static func listening(
        _ settings: NearbySettings,
        _ person: ScriptedPerson,
        _ network: ScriptedDiscovery?,
        named name: String,
        at port: @escaping @Sendable (UInt16) -> Void = { _ in }
    ) async throws -> Task {
        let listener = NearbyListener(
            settings, approval: person, discovery: network,
            configuration: NearbyListenerConfiguration(hosts: ["127.0.0.1"], instanceName: name))
        _ = await listener.openWindow()
        let (readiness, ready) = AsyncStream<UInt16>.makeStream()
        let task = Task { try await listener.run { ready.yield($0) } }
        for await number in readiness {
            port(number)
            break
        }
        return task
    }
}
