#if os(Linux)
internal import Countersign

/// Changes of interfaces.
extension MulticastEngine {
    /// Opens new interfaces, closes removed ones, and announces changed addresses.
    ///
    /// - Parameter isPrompted: Whether the cause is one that many hosts notice at once, so that a random delay is
    ///   needed.
    func matchInterfaces(isPrompted: Bool) async {
        guard !isMatching, work != nil else { return }
        isMatching = true
        defer { isMatching = false }
        let current = NetworkInterface.current()
        let own = Set(current.flatMap(\.addresses).map(\.bytes))
        let usable = selection.usable(of: current)
        for (index, link) in links {
            if let now = usable.first(where: { $0.index == index && $0.name == link.interface.name }) {
                if !link.fits(now) { await reopen(now) }
            } else {
                links[index] = nil
                await link.close()
            }
        }
        for interface in usable {
            if links[interface.index] == nil {
                await open(interface, isPrompted: isPrompted)
            } else if links[interface.index]?.interface != interface {
                links[interface.index]?.note(interface)
                await tellOfAddresses(on: interface.index)
            }
        }
        for index in links.keys { links[index]?.responder.ownAddresses = own }
        await settle()
    }

    /// Begins to use an interface: starts all searches, and claims all names there.
    ///
    /// - Parameters:
    ///   - interface: The interface to use.
    ///   - isPrompted: Whether the cause is one that many hosts notice at once, so that a random delay is needed.
    private func open(_ interface: NetworkInterface, isPrompted: Bool) async {
        guard var link = await link(on: interface) else { return }
        for (search, _) in searches.values {
            link.querier.look(for: search.type, isPrompted: isPrompted, at: clock.instant())
        }
        links[interface.index] = link
        publish(on: interface.index, withHost: true, isPrompted: isPrompted)
    }

    /// Replaces the sockets of an interface whose addresses changed; its responder and querier stay.
    private func reopen(_ interface: NetworkInterface) async {
        let fresh = await link(on: interface)
        guard let old = links.removeValue(forKey: interface.index) else {
            await fresh?.close()
            return
        }
        await old.close()
        guard var fresh else { return }
        (fresh.responder, fresh.querier) = (old.responder, old.querier)
        links[interface.index] = fresh
        await tellOfAddresses(on: interface.index)
    }

    /// Opens the sockets of an interface; `nil` when that fails, or all work has ended in the meantime.
    private func link(on interface: NetworkInterface) async -> MulticastLink? {
        guard let arrivals = work?.arrivals else { return nil }
        let intake = PacketIntake(clock: clock) { packet in
            guard case .enqueued(let room) = arrivals.yield(packet) else { return Self.mostArrivals }
            return Self.mostArrivals - room
        }
        let link = try? await MulticastLink(
            on: interface, isAloneAtPort: isAloneAtPort, jitter: jitter, delivering: intake)
        guard let link, work == nil else { return link }
        await link.close()
        return nil
    }
}
#endif
