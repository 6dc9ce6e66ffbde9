#if os(Linux)
public import Countersign
internal import NIOConcurrencyHelpers

/// Discovery by multicast DNS of our own: no daemon is needed, and one may run beside.
///
/// It listens while somebody searches or advertises, and not longer.
///
/// Standard: RFC 6762, RFC 6763.
public struct MulticastDiscovery: Discovery {
    private let conversation: MulticastService
    private let selection: InterfaceSelection

    /// Discovery on the interfaces that are meant.
    public init(
        on interfaces: InterfaceSelection = .all,
        clock: TimeSource = .system,
        random: RandomSource = .system
    ) {
        selection = interfaces
        conversation = MulticastService(on: interfaces, clock: clock, jitter: Jitter(random))
    }

    public func browse(_ type: ServiceType) -> DiscoveryEvents {
        let (stream, events) = AsyncStream<DiscoveryEvent>.makeStream(bufferingPolicy: .bufferingNewest(8192))
        let conversation = conversation
        // The end waits for the beginning, whatever comes first.
        let begun = Task { await conversation.beginSearch(for: type, telling: events) }
        events.onTermination = { _ in
            Task { await conversation.endSearch(begun.value) }
        }
        return DiscoveryEvents(stream)
    }

    public func advertise(_ service: ServiceAdvertisement) async throws -> Advertisement {
        try requireInterfaces()
        let (stream, events) = AsyncStream<AdvertisementEvent>.makeStream(bufferingPolicy: .bufferingNewest(64))
        let number = try await conversation.advertise(service, telling: events)
        return Advertisement(events: stream) { [conversation] in await conversation.withdraw(number) }
    }

    /// Looks whether there is an interface for the work, and each that was named.
    ///
    /// - Throws: ``DiscoveryError`` with code `noInterface`.
    public func requireInterfaces() throws(DiscoveryError) {
        let current = NetworkInterface.current()
        if case .named(let names) = selection,
            let unknown = names.sorted().first(where: { name in !current.contains { $0.name == name } })
        {
            let known = current.map(\.name).joined(separator: ", ")
            throw DiscoveryError(.noInterface, "There is no interface '\(unknown)' here; there are: \(known).")
        }
        guard !selection.usable(of: current).isEmpty else {
            throw DiscoveryError(.noInterface, "There is no interface that is up and has an address.")
        }
    }
}
#endif
