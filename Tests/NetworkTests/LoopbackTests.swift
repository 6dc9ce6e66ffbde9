import MulticastDNS
import Testing

@Suite("On the loopback interface", .serialized)
struct LoopbackTests {
    /// A type that no other test uses at the same time.
    private let type: ServiceType

    init() throws {
        type = try ServiceType("_cs\(Int.random(in: 0...99_999_999))x._tcp")
    }

    private func discovery() -> MulticastDiscovery {
        MulticastDiscovery(on: .named(["lo"]))
    }

    private func first(
        of events: DiscoveryEvents,
        where matches: (DiscoveryEvent) -> Bool
    ) async -> DiscoveryEvent? {
        for await event in events where matches(event) { return event }
        return nil
    }

    @Test(.timeLimit(.minutes(10))) func `a service is found, resolved, and removed when it is withdrawn`() async throws
    {
        let service = ServiceAdvertisement(name: "On lo", type: type, port: 9, text: try TXTRecord(["a": "b"]))
        let advertisement = try await discovery().advertise(service)
        let instance = ServiceInstance(name: "On lo", type: type)
        var told: [DiscoveryEvent] = []
        for await event in discovery().browse(type) {
            told.append(event)
            if case .resolved(let resolved) = event {
                #expect(resolved.addresses.map(\.bare).contains("127.0.0.1"))
                #expect(resolved.port == 9)
                #expect(resolved.text["a"]?.text == "b")
                await advertisement.withdraw()
            }
            if event == .removed(instance) { break }
        }
        #expect(told.first == .found(instance))
    }

    @Test(.timeLimit(.minutes(10)), arguments: [true, false])
    func `the second of one name gets a number, of the same program or another`(isOfSameProgram: Bool) async throws {
        let service = ServiceAdvertisement(name: "Twin", type: type, port: 9)
        let discovery = discovery()
        let beside = isOfSameProgram ? discovery : self.discovery()
        let one = try await discovery.advertise(service)
        for await event in one.events where event == .established(name: "Twin") { break }
        let other = try await beside.advertise(ServiceAdvertisement(name: "Twin", type: type, port: 10))
        var told: [AdvertisementEvent] = []
        for await event in other.events {
            told.append(event)
            if told.count == 2 { break }
        }
        #expect(told == [.renamed(from: "Twin", to: "Twin (2)"), .established(name: "Twin (2)")])
        await one.withdraw()
        await other.withdraw()
    }

    @Test(.timeLimit(.minutes(10))) func `two that begin at once end with two names`() async throws {
        let first = try await discovery().advertise(ServiceAdvertisement(name: "Race", type: type, port: 1))
        let second = try await discovery().advertise(ServiceAdvertisement(name: "Race", type: type, port: 2))
        var names: Set<String> = []
        for advertisement in [first, second] {
            for await case .established(let name) in advertisement.events {
                names.insert(name)
                break
            }
        }
        #expect(names == ["Race", "Race (2)"])
        await first.withdraw()
        await second.withdraw()
    }

    @Test(.timeLimit(.minutes(10))) func `a subtype finds its own only, and a name is drawn where none was chosen`()
        async throws
    {
        let narrow = try ServiceType("_a._sub.\(type)")
        let discovery = discovery()
        let plain = try await discovery.advertise(ServiceAdvertisement(name: "Plain", type: type, port: 1))
        let special = try await discovery.advertise(ServiceAdvertisement(type: narrow, port: 2))
        let found = await first(of: self.discovery().browse(narrow)) { if case .resolved = $0 { true } else { false } }
        guard case .resolved(let service)? = found else {
            Issue.record("nothing was resolved")
            return
        }
        #expect(service.port == 2)
        #expect(service.instance.name.count == 10)
        #expect(service.instance.type == type)
        await plain.withdraw()
        await special.withdraw()
    }

    @Test func `an interface that does not exist is named in an error`() async throws {
        let discovery = MulticastDiscovery(on: .named(["nowhere0"]))
        await #expect(throws: DiscoveryError(.noInterface, "")) {
            _ = try await discovery.advertise(ServiceAdvertisement(type: type, port: 1))
        }
    }
}
