/// One search, with what was reported so far, so that only changes are reported.
struct Search: Sendable {
    let type: ServiceType
    /// The reported instances, with their reported details.
    private var known: [ServiceInstance: ResolvedService?] = [:]

    /// A search that has found nothing yet.
    init(for type: ServiceType) { self.type = type }

    /// The changes since the last report, given what each link knows now.
    mutating func compare(with instances: [(link: NetworkInterface, KnownInstance)]) -> [DiscoveryEvent] {
        var events: [DiscoveryEvent] = []
        let seen = Dictionary(grouping: instances) { $0.1.instance }
        for instance in known.keys where seen[instance] == nil {
            known[instance] = nil
            events.append(.removed(instance))
        }
        for (instance, instances) in seen.sorted(by: { $0.key.name.utf8.lexicographicallyPrecedes($1.key.name.utf8) }) {
            if known[instance] == nil {
                known.updateValue(nil, forKey: instance)
                events.append(.found(instance))
            }
            guard let service = Self.resolved(instance, by: instances), known[instance] != service else { continue }
            known[instance] = service
            events.append(.resolved(service))
        }
        return events
    }

    /// Combines what the links know: the latest location and text, and all addresses of that host.
    private static func resolved(
        _ instance: ServiceInstance,
        by instances: [(link: NetworkInterface, KnownInstance)]
    ) -> ResolvedService? {
        let told = instances.compactMap { instance in instance.1.details.map { (instance.link, $0) } }
        guard let latest = told.max(by: { $0.1.heard < $1.1.heard })?.1 else { return nil }
        var addresses: Set<HostAddress> = []
        for (link, details) in told where details.location.host == latest.location.host {
            for bytes in details.addresses {
                if let address = HostAddress(bytes: bytes, interface: link.name, index: link.index) {
                    addresses.insert(address)
                }
            }
        }
        return ResolvedService(
            instance: instance,
            host: latest.location.host.description,
            port: latest.location.port,
            addresses: addresses.sorted(),
            text: TXTRecord(strings: latest.text)
        )
    }
}
