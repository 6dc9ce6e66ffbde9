import Countersign
@testable import CountersignNearby
import CountersignTesting
import MulticastDNS
import NIOConcurrencyHelpers
import Testing

/// A phone that listens on loopback, and screens that ask it.
struct LoopbackFixture: Sendable {
    let clock: ManualClock
    let phone: NearbySettings
    let tv: NearbySettings
    let person: ScriptedPerson
    let listener: NearbyListener
    let port: UInt16

    var endpoint: NearbyEndpoint { NearbyEndpoint(host: "127.0.0.1", port: port) }

    /// Tells a story while the phone listens, its window open.
    static func with(
        _ said: ScriptedPerson.Said = ScriptedPerson.Said(),
        app: String = "net.example.player",
        windowIsOpen: Bool = true,
        limits: ListenerLimits = .standard,
        discovery: (any Discovery)? = nil,
        _ story: (LoopbackFixture) async throws -> Void
    ) async throws {
        let clock = ManualClock(Fixture.noon)
        let settings = { (name: String, app: String) in
            NearbySettings(
                app: try Fixture.app(app), name: try Fixture.name(name), pairings: MemoryPairingStore(),
                clock: clock.source, random: .system)
        }
        let person = ScriptedPerson(said)
        let phone = try settings("Anna's phone", "net.example.player")
        let listener = NearbyListener(
            phone, approval: person, discovery: discovery,
            configuration: NearbyListenerConfiguration(hosts: ["127.0.0.1"]),
            limits: limits)
        if windowIsOpen { _ = await listener.openWindow() }
        let (ports, port) = AsyncStream<UInt16>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { port.finish() }
                try await listener.run { port.yield($0) }
            }
            for await port in ports {
                let fixture = LoopbackFixture(
                    clock: clock, phone: phone, tv: try settings("Living room", app), person: person,
                    listener: listener, port: port)
                do {
                    try await story(fixture)
                } catch {
                    group.cancelAll()
                    throw error
                }
                break
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    /// A screen signs in at the phone's address.
    func signIn(_ request: NearbyRequest? = nil, pairs: Bool = false) async throws -> NearbyResult {
        let requester = NearbyRequester(tv, discovery: nil)
        person.use(requester)
        let request = try request ?? Fixture.bytesRequest()
        return await requester.signIn(NearbySignInOptions(request, pairs: pairs), at: endpoint, on: person)
    }
}
