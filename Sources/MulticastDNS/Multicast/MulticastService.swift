#if os(Linux)
internal import Countersign
internal import NIOCore

/// What goes on by multicast DNS on all links: it moves messages and time between them and the machines.
actor MulticastService {
    /// A service that is advertised, under the name that it has now.
    struct Service {
        /// What is advertised, as the caller gave it.
        let advertisement: ServiceAdvertisement
        /// The name that it has now; another host may have forced another one than the caller wanted.
        var name: String
        /// The links on which the name is still to be made sure of.
        var isEstablished = false
        /// The links on which the name is sure.
        var established: Set<UInt32> = []
        /// Tells the caller what becomes of it.
        let events: AsyncStream<AdvertisementEvent>.Continuation
    }

    /// The interfaces that are meant.
    let selection: InterfaceSelection
    /// The time.
    let clock: TimeSource
    /// Draws delays and names.
    let jitter: Jitter
    /// The interfaces in use, by their numbers.
    var links: [UInt32: MulticastLink] = [:]
    /// What is advertised, by the number that ends it.
    var services: [Int: Service] = [:]
    /// The first label of the name under which the addresses of this machine stand.
    var host: String
    /// What is looked for, by the number that ends it.
    var searches: [Int: (search: Search, events: AsyncStream<DiscoveryEvent>.Continuation)] = [:]
    /// The number that was given last.
    private var lastNumber = 0
    /// What was sent lately.
    private var sent = RecentPackets()
    /// The tasks that run while there is something to do; `nil` when there is nothing.
    var work: Work?
    /// The task that waits for the next deadline of all links.
    private var timer: (at: ContinuousClock.Instant, task: Task<Void, Never>)?
    /// Whether the interfaces are being compared, so that a second comparison does not begin.
    var isMatching = false
    /// What of each link the searches have seen.
    private var told: [UInt32: Seen] = [:]

    /// What a search was told of a link.
    private struct Seen: Equatable {
        /// Counts the changes of the querier's cache.
        let revision: Int
        /// The interface with its addresses.
        let interface: NetworkInterface
    }
    /// Whether no other program on this machine listens at the port.
    var isAloneAtPort = false

    /// The tasks that run while there is something to do.
    struct Work {
        /// Takes what the sockets receive.
        let arrivals: AsyncStream<ReceivedPacket>.Continuation
        /// Reads what they received.
        let reading: Task<Void, Never>
        /// Looks every two seconds whether interfaces have come or gone.
        let watching: Task<Void, Never>
        /// The interfaces are opened first.
        let opening: Task<Void, Never>
    }

    /// A service that does nothing yet.
    ///
    /// - Parameters:
    ///   - selection: The interfaces that are meant.
    ///   - clock: The time.
    ///   - jitter: Draws the delays.
    init(on selection: InterfaceSelection, clock: TimeSource, jitter: Jitter) {
        self.selection = selection
        self.clock = clock
        self.jitter = jitter
        host = Self.hostName(by: jitter)
    }

    /// The machine's own name would tell whose it is.
    private static func hostName(by jitter: Jitter) -> String { "host-\(jitter.name())" }

    /// Begins a search; returns the number that ends it.
    ///
    /// - Parameters:
    ///   - type: The type that is meant.
    ///   - events: Where the caller is told what happens.
    func beginSearch(for type: ServiceType, telling events: AsyncStream<DiscoveryEvent>.Continuation) async -> Int {
        let number = nextNumber()
        searches[number] = (Search(for: type), events)
        for index in links.keys { links[index]?.querier.look(for: type, at: clock.instant()) }
        await begin()
        await settle()
        return number
    }

    /// Ends a search.
    func endSearch(_ number: Int) async {
        guard let ended = searches.removeValue(forKey: number) else { return }
        for index in links.keys {
            links[index]?.querier.stopLooking(for: ended.search.type, at: clock.instant())
        }
        await endIfIdle()
    }

    /// Begins to advertise; returns the number that ends it.
    ///
    /// - Parameters:
    ///   - advertisement: What is to be made known.
    ///   - events: Where the caller is told what happens.
    /// - Throws: ``DiscoveryError``.
    func advertise(
        _ advertisement: ServiceAdvertisement,
        telling events: AsyncStream<AdvertisementEvent>.Continuation
    ) async throws -> Int {
        let name = nameOfItsOwn(for: advertisement, telling: events)
        _ = try Publication.service(advertisement, named: name, at: hostDomain)
        let number = nextNumber()
        services[number] = Service(advertisement: advertisement, name: name, events: events)
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

    /// Ends that with a goodbye.
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

    /// A number that was not given before.
    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Opens the sockets, unless they are open, and begins to read.
    private func begin() async {
        if let work { return await work.opening.value }
        let (stream, arrivals) = AsyncStream<ReceivedPacket>.makeStream(bufferingPolicy: .bufferingNewest(1024))
        let clock = clock
        let opening = Task {
            isAloneAtPort = await MulticastSocket.isPortFree()
            await matchInterfaces(isPrompted: false)
        }
        work = Work(
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

    /// Closes the sockets when there is nothing to look for and nothing to advertise.
    private func endIfIdle() async {
        guard searches.isEmpty, services.isEmpty, let ended = work else { return }
        work = nil
        ended.watching.cancel()
        ended.arrivals.finish()
        timer?.task.cancel()
        timer = nil
        // This host is not to be recognised by it later.
        host = Self.hostName(by: jitter)
        let open = links.values
        links = [:]
        for link in open { await link.close() }
    }

    // MARK: Messages and time

    /// Takes one packet in: it goes to the responder and to the querier of its link.
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
        await settle()
    }

    /// The link from which a packet came: what is for everybody comes to the socket of each link, what is for us alone to any.
    private func link(of arrival: ReceivedPacket) -> UInt32? {
        if arrival.isMulticast {
            return (arrival.interface ?? arrival.socket) == arrival.socket ? arrival.socket : nil
        }
        if let interface = arrival.interface, links[interface] != nil { return interface }
        return links.first { $0.value.isOnLink(arrival.source) }?.key
    }

    /// Does what is due, tells what is new, and sets the alarm for what comes next.
    func settle() async {
        let now = clock.instant()
        var outgoing: [(UInt32, [OutgoingMessage])] = []
        for index in links.keys.sorted() {
            guard let done = links[index]?.responder.advance(at: now) else { continue }
            outgoing.append((index, done.dispatches))
            note(done.events, on: index)
            outgoing.append((index, links[index]?.querier.advance(at: now) ?? []))
        }
        tellSearches()
        setTimer()
        for (index, dispatches) in outgoing { await send(dispatches, on: index) }
    }

    /// Tells each search what is new since it was told last.
    private func tellSearches() {
        let seen = links.mapValues { Seen(revision: $0.querier.revision, interface: $0.interface) }
        guard seen != told else { return }
        told = seen
        for number in searches.keys {
            guard let type = searches[number]?.search.type else { continue }
            let sightings = links.values.flatMap { link in
                link.querier.sightings(of: type).map { (link: link.interface, $0) }
            }
            for event in searches[number]?.search.compare(with: sightings) ?? [] {
                searches[number]?.events.yield(event)
            }
        }
    }

    /// Waits for the earliest deadline of all links.
    private func setTimer() {
        let next = links.values.flatMap { [$0.responder.deadline, $0.querier.deadline] }.compactMap { $0 }.min()
        guard next != timer?.at else { return }
        timer?.task.cancel()
        timer = next.map { next in
            let clock = clock
            return (
                next,
                Task { [weak self] in
                    guard (try? await clock.sleep(until: next)) != nil else { return }
                    await self?.fire(next)
                }
            )
        }
    }

    /// A deadline is there.
    private func fire(_ instant: ContinuousClock.Instant) async {
        if timer?.at == instant { timer = nil }
        await settle()
    }

    /// Sends messages on a link, by each of its sockets that fits.
    ///
    /// - Parameters:
    ///   - dispatches: The messages, each with its recipient.
    ///   - index: The number of the interface.
    func send(_ dispatches: [OutgoingMessage], on index: UInt32) async {
        guard !dispatches.isEmpty, let link = links[index] else { return }
        for (socket, packet, recipient) in link.outgoing(dispatches) {
            sent.note(packet)
            await socket.send(packet, to: recipient)
        }
    }
}

/// The packets that were sent lately, by which those that come back are known.
private struct RecentPackets {
    /// The packets, in no order.
    private var packets: [[UInt8]] = []
    /// The one that is replaced next.
    private var next = 0

    /// Notes a packet; the oldest one is forgotten for it.
    mutating func note(_ packet: [UInt8]) {
        if packets.count < 128 {
            packets.append(packet)
        } else {
            packets[next] = packet
            next = (next + 1) % packets.count
        }
    }

    /// Whether a packet was sent lately.
    func contains(_ packet: [UInt8]) -> Bool {
        packets.contains(packet)
    }
}
#endif
