/// The known facts about an instance on one link.
package struct KnownInstance: Sendable, Equatable {
    /// Its location and TXT record; `nil` until all records are known.
    package struct Details: Sendable, Equatable {
        /// The host and the port, from the SRV record.
        package let location: RecordData.SRVRecord
        /// The strings of the TXT record, each without its length.
        package let text: [[UInt8]]
        /// The addresses of the host, 4 or 16 bytes each.
        package let addresses: [[UInt8]]
        /// The instant of their receipt: of two links, the later one is used.
        package let heard: ContinuousClock.Instant
    }

    /// The instance in a PTR record of the type.
    package let instance: ServiceInstance
    /// Its location and TXT record; `nil` until all records are known.
    package let details: Details?
}

extension LinkQuerier {
    package func knownInstances(of type: ServiceType) -> [KnownInstance] {
        cache.records(type.domain, .ptr).compactMap { known in
            guard let domain = known.record.target, let instance = type.instance(at: domain) else { return nil }
            return KnownInstance(instance: instance, details: details(of: domain))
        }
    }

    /// The SRV and TXT records and addresses of an instance; `nil` while one of them is missing.
    private func details(of instance: DomainName) -> KnownInstance.Details? {
        guard let place = newest(instance, .srv), let location = place.record.location,
            case .text(let text)? = newest(instance, .txt)?.record.data
        else { return nil }
        let found = [RecordType.a, .aaaa].flatMap { addresses(of: location.host, $0, as: place.sender) }
        guard !found.isEmpty else { return nil }
        return KnownInstance.Details(location: location, text: text, addresses: found, heard: place.received)
    }

    /// The addresses of a host: those that a sender has announced, or those of all senders while it has announced none
    /// of that version.
    private func addresses(of host: DomainName, _ type: RecordType, as sender: [UInt8]) -> [[UInt8]] {
        let known = cache.records(host, type)
        let own = known.filter { $0.sender == sender }
        return (own.isEmpty ? known : own).compactMap { known in
            guard case .address(let bytes) = known.record.data else { return nil }
            return bytes
        }
    }

    /// The latest record of that name and type that was not withdrawn; of several senders, that of the first one, so
    /// that a screen keeps what it has resolved as long as its owner answers.
    private func newest(_ name: DomainName, _ type: RecordType) -> CachedRecord? {
        let known = cache.records(name, type)
        let staying = known.filter { !$0.isLeaving }
        guard let first = staying.min(by: { $0.since < $1.since }) else {
            return known.max { $0.received < $1.received }
        }
        return staying.filter { $0.sender == first.sender }.max { $0.received < $1.received }
    }
}
