import Countersign
import CountersignTesting
import MulticastDNS
import NIOConcurrencyHelpers
import Testing

@testable import CountersignNearby

@Suite("The name by which a phone is found", .timeLimit(.minutes(10)))
struct NearbyPresenceTests {
    private let network = ScriptedDiscovery()
    private let clock = ManualClock()

    private func presence(name: String? = nil) -> ApproverAdvertiser {
        let service = ServiceAdvertisement(name: name, type: .countersign, port: 4711)
        return ApproverAdvertiser(of: service, by: network, clock: clock.source)
    }

    @Test func `changes from time to time, so that nobody is followed by it`() async throws {
        let presence = presence()
        try await presence.begin()
        let renaming = Task { await presence.rename(every: .seconds(900)) { false } }
        #expect(network.names == ["drawn by chance"])
        await clock.sleepers(1)
        clock.advance(by: .seconds(899))
        #expect(network.names == ["drawn by chance"])
        clock.advance(by: .seconds(1))
        await clock.sleeps(2)
        #expect(network.names == ["drawn by chance 2"] && network.withdrawn == ["drawn by chance"])

        renaming.cancel()
        await renaming.value
        await presence.end()
        #expect(network.names.isEmpty)
    }

    @Test func `stays while somebody is being answered`() async throws {
        let presence = presence()
        try await presence.begin()
        let isBusy = NIOLockedValueBox(true)
        let renaming = Task { await presence.rename(every: .seconds(900)) { isBusy.withLockedValue { $0 } } }
        await clock.sleepers(1)
        clock.advance(by: .seconds(900))
        await clock.sleeps(2)
        #expect(network.names == ["drawn by chance"])
        isBusy.withLockedValue { $0 = false }
        clock.advance(by: .seconds(5))
        await clock.sleeps(3)
        #expect(network.names == ["drawn by chance 2"])
        renaming.cancel()
        await renaming.value
    }

    @Test func `stays when a person chose it`() async throws {
        let presence = presence(name: "Anna's phone")
        try await presence.begin()
        await presence.rename(every: .seconds(900)) { false }
        #expect(network.names == ["Anna's phone"])
        await presence.end()
        #expect(network.withdrawn == ["Anna's phone"])
    }

    @Test func `is told to the app when another device has it, and when one contests each of them`() async throws {
        try await LoopbackFixture.with(discovery: network) { fixture in
            network.tell(.renamed(from: "drawn by chance", to: "drawn by chance (2)"))
            network.tell(.contested(name: "drawn by chance (2)"))
            await fixture.person.when { $0.events.contains("name contested") }
            #expect(fixture.person.events.contains("renamed from drawn by chance to drawn by chance (2)"))
        }
    }
}
