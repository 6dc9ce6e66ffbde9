#if os(Linux)
internal import Countersign

extension MulticastService {
    /// The name under which the addresses of this machine stand.
    ///
    /// It is drawn at random: the machine's own name would tell whose it is, and another responder beside us has it already.
    /// Each time that there is something to do again, it is another one.
    var hostDomain: DomainName {
        DomainName.local(host) ?? .serviceTypes
    }

    /// The name that a service begins with: its own, or one drawn at random, and no other's that we advertise.
    ///
    /// - Parameters:
    ///   - advertisement: What is to be made known.
    ///   - events: Where the caller is told what happens.
    func nameOfItsOwn(
        for advertisement: ServiceAdvertisement,
        telling events: AsyncStream<AdvertisementEvent>.Continuation
    ) -> String {
        let wanted = advertisement.name ?? jitter.name()
        let name = free(wanted, of: advertisement.type)
        if name != wanted { events.yield(.renamed(from: wanted, to: name)) }
        return name
    }

    /// The wanted name, or the first one after it that no other service of this program has.
    ///
    /// - Parameters:
    ///   - wanted: What is preferred.
    ///   - type: The type that is meant.
    private func free(_ wanted: String, of type: ServiceType) -> String {
        var name = wanted
        let taken = Set(
            services.values.filter { $0.advertisement.type.base == type.base }.map { $0.name.lowercased() })
        while taken.contains(name.lowercased()) { name = AlternativeName.service(after: name) }
        return name
    }

    /// Claims the names of all services on a link, or of one.
    ///
    /// - Parameter isPrompted: whether something is the reason that others notice at the same time.
    func publish(on index: UInt32, withHost: Bool, only number: Int? = nil, isPrompted: Bool) {
        guard !services.isEmpty, let interface = links[index]?.interface else { return }
        let now = clock.instant()
        let start = links[index]?.responder.start(at: now, isPrompted: isPrompted)
        if withHost {
            let host = Publication.host(hostDomain, at: interface.addresses.map(\.bytes))
            links[index]?.responder.publish(host, as: .host, startingAt: start, at: now)
        }
        for (service, known) in services.sorted(by: { $0.key < $1.key }) where number == nil || number == service {
            guard let publication = try? Publication.service(known.advertisement, named: known.name, at: hostDomain)
            else { continue }
            services[service]?.established.remove(index)
            links[index]?.responder.publish(publication, as: .service(service), startingAt: start, at: now)
        }
    }

    /// The link has other addresses, and everybody on it is told.
    func tellOfAddresses(on index: UInt32) async {
        guard !services.isEmpty, let interface = links[index]?.interface else { return }
        let host = Publication.host(hostDomain, at: interface.addresses.map(\.bytes))
        await send(links[index]?.responder.update(.host, to: host, at: clock.instant()) ?? [], on: index)
    }

    /// Tells what became of names; one that is taken is changed on all links.
    ///
    /// - Parameters:
    ///   - events: Where the caller is told what happens.
    ///   - index: The number of the interface.
    func note(_ events: [LinkResponder.Event], on index: UInt32) {
        for event in events {
            switch event {
            case .established(.host):
                break
            case .established(.service(let number)):
                noteEstablished(number, on: index)
            case .nameTaken(.host):
                host = AlternativeName.host(after: host)
                for index in links.keys { publish(on: index, withHost: true, isPrompted: true) }
            case .nameTaken(.service(let number)):
                rename(number)
            }
        }
    }

    /// Notes that a name is sure on a link; the caller is told once it is sure on all links.
    ///
    /// - Parameters:
    ///   - number: The number that was given for it.
    ///   - index: The number of the interface.
    private func noteEstablished(_ number: Int, on index: UInt32) {
        guard var service = services[number] else { return }
        service.established.insert(index)
        if !service.isEstablished, service.established.isSuperset(of: links.keys) {
            service.isEstablished = true
            service.events.yield(.established(name: service.name))
        }
        services[number] = service
    }

    /// Another host has the name of a service: the next one is tried, on all links.
    private func rename(_ number: Int) {
        guard var service = services[number] else { return }
        let name = free(AlternativeName.service(after: service.name), of: service.advertisement.type)
        service.events.yield(.renamed(from: service.name, to: name))
        service.name = name
        service.isEstablished = false
        service.established = []
        services[number] = service
        for index in links.keys { publish(on: index, withHost: false, only: number, isPrompted: true) }
    }
}
#endif
