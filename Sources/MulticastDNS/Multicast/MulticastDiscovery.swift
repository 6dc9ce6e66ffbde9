#if os(Linux)
internal import NIOConcurrencyHelpers

/// Discovery with this library's multicast DNS. It needs no daemon, and coexists with one.
///
/// It listens only while there is a search or an advertisement.
///
/// Standard: RFC 6762, RFC 6763.
public struct MulticastDiscovery: Discovery {
    /// Sends and receives; all searches and advertisements of this value share it.
    private let conversation: MulticastEngine
    private let selection: InterfaceSelection

    /// Discovery on the selected interfaces; no socket is opened yet.
    ///
    /// - Parameters:
    ///   - interfaces: The interfaces to use; by default every one that leads to a network.
    ///   - clock: Counts the pauses between questions and the lifetimes of records; the system's by default.
    ///   - random: Draws delays, and names for services that were given none; the system's by default.
    public init(on interfaces: InterfaceSelection = .all, clock: TimeSource = .system, random: RandomSource = .system) {
        selection = interfaces
        conversation = MulticastEngine(on: interfaces, clock: clock, jitter: Jitter(random))
    }

    /// Looks for instances of `type` on the selected interfaces, until the sequence is dropped or its task ends.
    ///
    /// - Parameter type: The kind of service, such as `_ipp._tcp`.
    public func browse(_ type: ServiceType) -> DiscoveryEvents {
        let (stream, events) = AsyncStream<DiscoveryEvent>.makeStream(bufferingPolicy: .bufferingNewest(8192))
        let conversation = conversation
        // Ending the search waits until it has begun.
        let begun = Task { await conversation.beginSearch(for: type, telling: events) }
        events.onTermination = { _ in Task { await conversation.endSearch(begun.value) } }
        return DiscoveryEvents(stream)
    }

    /// Advertises a service on the selected interfaces.
    ///
    /// - Parameter service: The name, type, port and TXT record to be advertised.
    /// - Throws: ``DiscoveryError``: `noInterface` when there is none to use, `notPermitted` when the system does not
    ///   allow opening a socket, `notWellFormed` when the service's name is invalid.
    public func advertise(_ service: ServiceAdvertisement) async throws -> Advertisement {
        try requireInterfaces()
        let (stream, events) = AsyncStream<AdvertisementEvent>.makeStream(bufferingPolicy: .bufferingNewest(64))
        let number = try await conversation.advertise(service, telling: events)
        return Advertisement(events: stream) { [conversation] in await conversation.withdraw(number) }
    }

    /// Keeps an instance among the known ones, however many others are made known.
    ///
    /// - Parameter instance: A discovered instance that the person has picked or that has proved its key.
    public func confirm(_ instance: ServiceInstance) async { await conversation.confirm(instance) }

    /// Checks that there is a usable interface, and that every named one exists.
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
