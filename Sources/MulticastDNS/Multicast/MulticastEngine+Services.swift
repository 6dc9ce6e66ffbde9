#if os(Linux)

extension MulticastEngine {
    /// The host name of this machine's address records.
    ///
    /// It is random: the machine's own name could reveal its owner, and another responder on this machine may have it
    /// already. It changes each time that the sockets are closed.
    var hostDomain: DomainName { DomainName.local(host) ?? .serviceTypes }

    /// The first name of a service: the one that it was given, or a random one; different from other services of this
    /// program.
    func nameOfItsOwn(
        for advertisement: ServiceAdvertisement,
        telling events: AsyncStream<AdvertisementEvent>.Continuation
    ) -> String {
        let wanted = advertisement.name ?? jitter.name()
        let name = free(wanted, of: advertisement.type)
        if name != wanted { events.yield(.renamed(from: wanted, to: name)) }
        return name
    }

    /// The wanted name, or the first alternative that no other service of this program has.
    private func free(_ wanted: String, of type: ServiceType) -> String {
        var name = wanted
        let taken = Set(
            services.values.filter { $0.advertisement.type.base == type.base }.map { $0.name.lowercased() })
        while taken.contains(name.lowercased()) { name = AlternativeName.service(after: name) }
        return name
    }

    /// Claims the names of all services, or of one, on a link.
    func publish(on index: UInt32, withHost: Bool, only number: Int? = nil, isPrompted: Bool) {
        guard !services.isEmpty, let interface = links[index]?.interface else { return }
        let now = clock.instant()
        let start = links[index]?.responder.start(at: now, isPrompted: isPrompted)
        if withHost {
            let host = Publication.host(hostDomain, at: interface.addresses.map(\.bytes))
            links[index]?.responder.publish(
                host, as: .host, startingAt: start, defendedUntil: hostConflicts.defendedUntil, at: now)
        }
        for (service, known) in services.sorted(by: { $0.key < $1.key }) where number == nil || number == service {
            guard let publication = try? Publication.service(known.advertisement, named: known.name, at: hostDomain)
            else { continue }
            services[service]?.established.remove(index)
            links[index]?.responder.publish(
                publication, as: .service(service), startingAt: start, defendedUntil: known.conflicts.defendedUntil,
                at: now)
        }
    }

    /// Announces the changed addresses of a link.
    func tellOfAddresses(on index: UInt32) async {
        guard !services.isEmpty, let interface = links[index]?.interface else { return }
        let host = Publication.host(hostDomain, at: interface.addresses.map(\.bytes))
        await send(links[index]?.responder.update(.host, to: host, at: clock.instant()) ?? [], on: index)
    }

    /// Handles events of names; a name that is taken is changed on all links.
    func note(_ events: [LinkResponder.Event], on index: UInt32) {
        for event in events {
            switch event {
            case .established(.host): break
            case .established(.service(let number)): noteEstablished(number, on: index)
            case .nameTaken(.host):
                let isContested = hostConflicts.add(at: clock.instant())
                host = isContested ? Self.hostName(by: jitter) : AlternativeName.host(after: host)
                for index in links.keys { publish(on: index, withHost: true, isPrompted: true) }
            case .nameTaken(.service(let number)): rename(number)
            }
        }
    }

    /// Records that a name is established on a link; the caller is notified once it is established on all links.
    private func noteEstablished(_ number: Int, on index: UInt32) {
        services[number]?.established.insert(index)
        tellIfEstablished(number)
    }

    /// Notifies the caller, once, that the name of a service is established on all existing links.
    func tellIfEstablished(_ number: Int) {
        guard services[number]?.noteEstablished(on: Set(links.keys)) == true, let service = services[number] else {
            return
        }
        service.events.yield(.established(name: service.name))
    }

    /// Another host has the name of a service: the next alternative is tried, on all links. After several in a row it
    /// is unpredictable.
    private func rename(_ number: Int) {
        guard var service = services[number] else { return }
        let isContested = service.conflicts.add(at: clock.instant())
        let next =
            isContested
            ? AlternativeName.service(after: service.advertisement.name ?? service.name, marked: jitter.mark())
            : AlternativeName.service(after: service.name)
        let name = free(next, of: service.advertisement.type)
        service.events.yield(.renamed(from: service.name, to: name))
        if isContested { service.events.yield(.contested(name: name)) }
        service.rename(to: name)
        services[number] = service
        for index in links.keys { publish(on: index, withHost: false, only: number, isPrompted: true) }
    }
}
#endif
