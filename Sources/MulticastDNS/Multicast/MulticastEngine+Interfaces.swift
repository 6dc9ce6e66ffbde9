#if os(Linux)

/// Changes of interfaces.
extension MulticastEngine {
    /// Opens new interfaces, closes removed ones, and announces changed addresses.
    ///
    /// - Parameter isPrompted: Whether the cause is one that many hosts notice at once, so that a random delay is
    ///   needed.
    func matchInterfaces(isPrompted: Bool) async {
        while let matching { await matching.value }
        guard let number = work?.number else { return }
        let task = Task {
            await match(for: number, isPrompted: isPrompted)
            matching = nil
        }
        matching = task
        await task.value
    }

    /// Matches the links with the interfaces, until the work with that number has ended.
    private func match(for number: Int, isPrompted: Bool) async {
        guard isOngoing(number) else { return }
        let current = NetworkInterface.current()
        let own = Set(current.flatMap(\.addresses).map(\.bytes))
        let usable = selection.usable(of: current)
        for (index, link) in links {
            if let now = usable.first(where: { $0.index == index && $0.name == link.interface.name }) {
                if !link.fits(now) { await reopen(now, for: number) }
            } else {
                links[index] = nil
                await link.close()
            }
            guard isOngoing(number) else { return }
        }
        for interface in usable {
            if links[interface.index] == nil {
                await open(interface, for: number, isPrompted: isPrompted)
            } else if links[interface.index]?.interface != interface {
                links[interface.index]?.note(interface)
                await tellOfAddresses(on: interface.index)
            }
            guard isOngoing(number) else { return }
        }
        for index in links.keys { links[index]?.responder.ownAddresses = own }
        // A name may have been missing on a removed link only.
        for service in services.keys { tellIfEstablished(service) }
        await settle()
    }

    /// Whether the work with that number has not ended; asked after each suspension, since work may end meanwhile, and
    /// other work begin.
    private func isOngoing(_ number: Int) -> Bool { work?.number == number }

    /// Begins to use an interface: starts all searches, and claims all names there.
    ///
    /// - Parameter isPrompted: Whether the cause is one that many hosts notice at once, so that a random delay is
    ///   needed.
    private func open(_ interface: NetworkInterface, for number: Int, isPrompted: Bool) async {
        guard var link = await link(on: interface, for: number) else { return }
        for (search, _) in searches.values {
            link.querier.look(for: search.type, isPrompted: isPrompted, at: clock.instant())
        }
        links[interface.index] = link
        publish(on: interface.index, withHost: true, isPrompted: isPrompted)
    }

    /// Replaces the sockets of an interface whose addresses changed; its responder and querier stay. The fresh ones are
    /// in their place before the old ones are closed, so that the link is never missing meanwhile.
    private func reopen(_ interface: NetworkInterface, for number: Int) async {
        let fresh = await link(on: interface, for: number)
        guard let old = links[interface.index] else {
            await fresh?.close()
            return
        }
        guard var fresh else {
            links[interface.index] = nil
            await old.close()
            return
        }
        (fresh.responder, fresh.querier) = (old.responder, old.querier)
        links[interface.index] = fresh
        await old.close()
        guard isOngoing(number) else { return }
        await tellOfAddresses(on: interface.index)
    }

    /// Opens the sockets of an interface; `nil` when that fails, or the work has ended in the meantime.
    private func link(on interface: NetworkInterface, for number: Int) async -> MulticastLink? {
        guard let work, work.number == number else { return nil }
        let arrivals = work.arrivals
        let intake = PacketIntake(clock: clock) { packet in
            guard case .enqueued(let room) = arrivals.yield(packet) else { return Self.mostArrivals }
            return Self.mostArrivals - room
        }
        let link = try? await MulticastLink(
            on: interface, ownsPort: ownsPort, jitter: jitter, delivering: intake)
        guard let link, !isOngoing(number) else { return link }
        await link.close()
        return nil
    }
}
#endif
