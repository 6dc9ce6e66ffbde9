import Countersign
import CountersignNearby
import CountersignRequester
import CountersignTesting
import MulticastDNS
import Testing

/// A phone that listens for screens: it types each code that a test tells it, and hands each request to the test.
struct ListeningPhone: NearbyListenerDelegate {
    /// A network with one phone, at a port of this machine.
    private struct OnePhone: Discovery {
        let port: UInt16

        func browse(_ type: ServiceType) -> DiscoveryEvents {
            let (events, event) = AsyncStream<DiscoveryEvent>.makeStream()
            if let address = HostAddress(bytes: [127, 0, 0, 1], interface: nil, index: 0) {
                let instance = ServiceInstance(name: "a phone", type: .countersign)
                event.yield(.found(instance))
                let service = ResolvedService(
                    instance: instance, host: "phone.local", port: port, addresses: [address], text: .empty)
                event.yield(.resolved(service))
            }
            return DiscoveryEvents(events)
        }

        func advertise(_ service: ServiceAdvertisement) async throws -> Advertisement { throw CancellationError() }
    }

    /// The requests that came, the codes that the person types, and the last words to the screen.
    let requests: AsyncStream<ReceivedRequest>
    let codes: AsyncStream<LinkCode>.Continuation
    let decisions: AsyncStream<NearbyDecision>.Continuation
    private let received: AsyncStream<ReceivedRequest>.Continuation
    private let typed: AsyncStream<LinkCode>
    private let decided: AsyncStream<NearbyDecision>

    private init() {
        (requests, received) = AsyncStream.makeStream()
        (typed, codes) = AsyncStream.makeStream()
        (decided, decisions) = AsyncStream.makeStream()
    }

    /// Runs a phone for as long as `body` takes, which gets the search of a screen that finds it.
    static func with(_ body: (ListeningPhone, NearbySearch) async throws -> Void) async throws {
        let phone = ListeningPhone()
        let listener = NearbyListener(
            try settings("Anna's phone"), approval: phone, discovery: nil,
            configuration: NearbyListenerConfiguration(hosts: ["127.0.0.1"]))
        _ = await listener.openWindow()
        let (ports, port) = AsyncStream<UInt16>.makeStream()
        let listening = Task {
            defer { port.finish() }
            try await listener.run { port.yield($0) }
        }
        defer { phone.leave(listening) }
        var found = ports.makeAsyncIterator()
        let number = try #require(await found.next())
        try await body(phone, NearbySearch(try settings("Living room"), by: OnePhone(port: number)))
        phone.leave(listening)
        _ = await listening.result
    }

    /// Stops to listen; a question that is open is left.
    private func leave(_ listening: Task<Void, any Error>) {
        codes.finish()
        decisions.finish()
        listening.cancel()
    }

    private static func settings(_ name: String) throws -> NearbySettings {
        NearbySettings(
            app: try #require(NearbyAppID("net.example.player")), name: try #require(PeerName(name)),
            pairings: MemoryPairingStore(), clock: .system, random: .system)
    }

    func confirmScreen(_ prompt: NearbyPrompt) async -> ScreenConfirmation { .seen }

    func digits(for prompt: NearbyPrompt) async -> LinkCode? {
        for await code in typed { return code }
        return nil
    }

    func decide(_ request: ReceivedRequest) async -> NearbyDecision {
        received.yield(request)
        for await decision in decided { return decision }
        return .notNow
    }
}
