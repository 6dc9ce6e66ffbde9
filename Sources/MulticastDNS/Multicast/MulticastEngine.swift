#if os(Linux)
internal import NIOCore

/// Runs multicast DNS on all links: it owns the sockets and timers, and passes messages and deadlines to the responder
/// and querier of each link.
actor MulticastEngine {
    let selection: InterfaceSelection
    let clock: TimeSource
    /// Draws delays and names.
    let jitter: Jitter
    /// The interfaces in use, by their numbers.
    var links: [UInt32: MulticastLink] = [:]
    var services: [Int: AdvertisedService] = [:]
    /// The first label of this machine's host name.
    var host: String
    /// The losses of host names to other hosts.
    var hostConflicts = NameConflictHistory()
    var searches: [Int: (search: Search, events: AsyncStream<DiscoveryEvent>.Continuation)] = [:]
    /// The last number of a search, a service or the work.
    private var lastNumber = 0
    /// Packets that were sent recently.
    private var sent = RecentPackets()
    /// The tasks that run while there is a search or a service; `nil` otherwise.
    var work: Work?
    /// The task that waits for the next deadline of all links.
    private var timer: (at: ContinuousClock.Instant, task: Task<Void, Never>)?
    /// The task that matches the links with the interfaces, while it runs; there is one at a time.
    var matching: Task<Void, Never>?
    /// The last state of each link that was reported to the searches.
    private var told: [UInt32: LinkState] = [:]

    /// The state of a link that was reported to the searches.
    private struct LinkState: Equatable {
        /// Counts the changes of the querier's cache.
        let revision: Int
        let interface: NetworkInterface
    }
    /// Whether no other program on this machine listens at the port.
    var ownsPort = false
    /// The number of packets handled since the links were processed.
    private var unsettled = 0
    /// The task that settles the links after the packets that have arrived together.
    private var settling: Task<Void, Never>?
    /// The instant until which the links are not settled again: settling takes a tenth of the time at most, so that a
    /// flood of records leaves the processor to others.
    private var restsUntil: ContinuousClock.Instant?
    /// The maximum number of packets that wait.
    static let mostArrivals = 1024
    /// The number of packets after which the links are processed, even if more wait.
    private static let mostUnsettled = 64
    /// The longest pause between two times that the links are processed.
    private static let longestRest = Duration.seconds(1)

    /// The tasks that run while there is a search or a service.
    struct Work {
        /// The number of this run, which differs from that of any other.
        let number: Int
        /// Takes packets from the sockets.
        let arrivals: AsyncStream<ReceivedPacket>.Continuation
        /// Handles the packets.
        let reading: Task<Void, Never>
        /// Checks every two seconds whether interfaces were added or removed.
        let watching: Task<Void, Never>
        /// Opens the interfaces.
        let opening: Task<Void, Never>
    }

    /// Creates an engine without searches and services.
    init(on selection: InterfaceSelection, clock: TimeSource, jitter: Jitter) {
        self.selection = selection
        self.clock = clock
        self.jitter = jitter
        host = Self.hostName(by: jitter)
    }

    /// A random host name, since the machine's own name could reveal its owner.
    static func hostName(by jitter: Jitter) -> String { "host-\(jitter.name())" }

    /// Begins a search; returns the number that ends it.
    func beginSearch(for type: ServiceType, telling events: AsyncStream<DiscoveryEvent>.Continuation) async -> Int {
        let number = nextNumber()
        searches[number] = (Search(for: type), events)
        for index in links.keys { links[index]?.querier.look(for: type, at: clock.instant()) }
        await begin()
        await settle()
        return number
    }

    func endSearch(_ number: Int) async {
        guard let ended = searches.removeValue(forKey: number) else { return }
        for index in links.keys { links[index]?.querier.stopLooking(for: ended.search.type, at: clock.instant()) }
        await endIfIdle()
    }

    /// An instance is real: it keeps its place among the known ones.
    func confirm(_ instance: ServiceInstance) {
        for index in links.keys { links[index]?.querier.confirm(instance) }
    }

    /// Begins to advertise; returns the number that ends it.
    ///
    /// - Throws: ``DiscoveryError``.
    func advertise(
        _ advertisement: ServiceAdvertisement,
        telling events: AsyncStream<AdvertisementEvent>.Continuation
    ) async throws -> Int {
        let name = nameOfItsOwn(for: advertisement, telling: events)
        _ = try Publication.service(advertisement, named: name, at: hostDomain)
        let number = nextNumber()
        services[number] = AdvertisedService(advertisement: advertisement, name: name, events: events)
        let isFirst = services.count == 1
        for index in links.keys { publish(on: index, withHost: isFirst, only: number, isPrompted: false) }
        await begin()
        guard !links.isEmpty else {
            services[number] = nil
            await endIfIdle()
            throw DiscoveryError(
                .notPermitted, "The system lets no socket be opened at port \(MulticastPort.number) of any interface.")
        }
        await settle()
        return number
    }

    /// Ends an advertisement with a goodbye.
    func withdraw(_ number: Int) async {
        guard let service = services.removeValue(forKey: number) else { return }
        service.events.finish()
        for index in links.keys {
            var last = links[index]?.responder.withdraw(.service(number)) ?? []
            if services.isEmpty { last += links[index]?.responder.withdraw(.host) ?? [] }
            await send(last, on: index)
        }
        await endIfIdle()
    }

    // MARK: Beginning and ending

    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Opens the sockets, unless they are open, and begins to read; returns when the links match the interfaces.
    private func begin() async {
        if let work {
            await work.opening.value
            await matching?.value
            return
        }
        let number = nextNumber()
        let (stream, arrivals) = AsyncStream<ReceivedPacket>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.mostArrivals))
        let clock = clock
        let opening = Task {
            let isFree = await MulticastSocket.isPortFree()
            guard work?.number == number else { return }
            ownsPort = isFree
            await matchInterfaces(isPrompted: false)
        }
        work = Work(
            number: number,
            arrivals: arrivals,
            reading: Task { [weak self] in
                for await arrival in stream { await self?.take(arrival) }
            },
            watching: Task { [weak self] in
                while (try? await clock.sleep(until: clock.instant() + .seconds(2))) != nil {
                    await self?.matchInterfaces(isPrompted: true)
                }
            },
            opening: opening
        )
        await opening.value
    }

    /// Closes the sockets when there is nothing to browse for and nothing to advertise.
    private func endIfIdle() async {
        guard searches.isEmpty, services.isEmpty, let ended = work else { return }
        work = nil
        ended.watching.cancel()
        ended.arrivals.finish()
        timer?.task.cancel()
        timer = nil
        // A new name, so that this host is not recognized later.
        (host, hostConflicts) = (Self.hostName(by: jitter), NameConflictHistory())
        let open = links.values
        links = [:]
        for link in open { await link.close() }
    }

    // MARK: Messages and time

    /// Passes one packet to the responder and the querier of its link.
    private func take(_ arrival: ReceivedPacket) async {
        guard let index = link(of: arrival), links[index]?.believes(arrival) == true,
            let message = try? Message(parsing: arrival.packet)
        else { return }
        let now = clock.instant()
        let isOwn = arrival.source.packed.map { links[index]?.responder.ownAddresses.contains($0) ?? false } ?? false
        let reception = ReceivedMessage(
            message,
            from: arrival.source,
            isMulticast: arrival.isMulticast,
            isEcho: isOwn && sent.contains(arrival.packet)
        )
        let events = links[index]?.responder.receive(reception, at: now) ?? []
        links[index]?.querier.receive(reception, at: now)
        note(events, on: index)
        unsettled += 1
        if let restsUntil, now < restsUntil { return wake(by: restsUntil) }
        guard unsettled < Self.mostUnsettled else { return await settle() }
        guard settling == nil else { return }
        // Packets that arrive together are processed together: this runs after the already queued ones.
        settling = Task { [weak self] in await self?.settle() }
    }

    /// The link that a packet came from. A multicast packet arrives at the socket of its link, a unicast packet at any
    /// of them.
    private func link(of arrival: ReceivedPacket) -> UInt32? {
        if arrival.isMulticast { return (arrival.interface ?? arrival.socket) == arrival.socket ? arrival.socket : nil }
        if let interface = arrival.interface, links[interface] != nil { return interface }
        return links.first { $0.value.isOnLink(arrival.source) }?.key
    }

    /// Performs due work, reports changes, and sets the timer for the next deadline.
    func settle() async {
        (unsettled, settling) = (0, nil)
        let now = clock.instant()
        var outgoing: [(UInt32, [OutgoingMessage])] = []
        for index in links.keys.sorted() {
            guard let done = links[index]?.responder.advance(at: now) else { continue }
            outgoing.append((index, done.dispatches))
            note(done.events, on: index)
            outgoing.append((index, links[index]?.querier.advance(at: now) ?? []))
        }
        tellSearches()
        let ended = clock.instant()
        restsUntil = ended + min((ended - now) * 9, Self.longestRest)
        setTimer()
        for (index, dispatches) in outgoing { await send(dispatches, on: index) }
    }

    /// Reports changes to each search.
    private func tellSearches() {
        let seen = links.mapValues { LinkState(revision: $0.querier.revision, interface: $0.interface) }
        guard seen != told else { return }
        told = seen
        for number in searches.keys {
            guard let type = searches[number]?.search.type else { continue }
            let instances = links.values.flatMap { link in
                link.querier.knownInstances(of: type).map { (link: link.interface, $0) }
            }
            for event in searches[number]?.search.compare(with: instances) ?? [] {
                searches[number]?.events.yield(event)
            }
        }
    }

    /// Waits for the earliest deadline of all links.
    private func setTimer() {
        let next = links.values.flatMap { [$0.responder.deadline, $0.querier.deadline] }.compactMap { $0 }.min()
        guard let next else {
            timer?.task.cancel()
            return timer = nil
        }
        setTimer(to: restsUntil.map { max($0, next) } ?? next)
    }

    /// Settles the links at an instant at the latest.
    private func wake(by instant: ContinuousClock.Instant) {
        if let timer, timer.at <= instant { return }
        setTimer(to: instant)
    }

    /// Waits for an instant, and for no other.
    private func setTimer(to instant: ContinuousClock.Instant) {
        guard instant != timer?.at else { return }
        timer?.task.cancel()
        let clock = clock
        let task = Task { [weak self] in
            guard (try? await clock.sleep(until: instant)) != nil else { return }
            await self?.fire(instant)
        }
        timer = (at: instant, task: task)
    }

    /// Handles a deadline.
    private func fire(_ instant: ContinuousClock.Instant) async {
        if timer?.at == instant { timer = nil }
        await settle()
    }

    /// Sends messages on a link, through each suitable socket.
    func send(_ dispatches: [OutgoingMessage], on index: UInt32) async {
        guard !dispatches.isEmpty, let link = links[index] else { return }
        for (socket, packet, recipient) in link.outgoing(dispatches) {
            sent.note(packet)
            await socket.send(packet, to: recipient)
        }
    }
}

/// Recently sent packets, to recognize looped-back ones.
private struct RecentPackets {
    /// The packets, in no order.
    private var packets: [[UInt8]] = []
    /// The index that is replaced next.
    private var next = 0

    /// Records a packet, in place of the oldest one.
    mutating func note(_ packet: [UInt8]) {
        if packets.count < 128 {
            packets.append(packet)
        } else {
            packets[next] = packet
            next = (next + 1) % packets.count
        }
    }

    /// Whether a packet was sent recently.
    func contains(_ packet: [UInt8]) -> Bool { packets.contains(packet) }
}
#endif
