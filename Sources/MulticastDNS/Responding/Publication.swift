/// The records under one claim: a host with its addresses, or a service.
package struct Publication: Sendable, Equatable {
    /// Identifies a publication of this machine.
    package enum Identity: Hashable, Sendable {
        /// The host with its addresses.
        case host
        /// A service, by its number.
        case service(Int)
    }

    /// Unique records: no other host may have records of their name and type.
    package var unique: [ResourceRecord]
    /// Shared records: other hosts may have records of the same name and type.
    package var shared: [ResourceRecord]

    var records: [ResourceRecord] { unique + shared }

    /// The names that must be ours.
    var names: Set<DomainName> { Set(unique.map(\.name)) }
}

extension Publication {
    /// The lifetimes of records with a host name or address, and of all others, in seconds (RFC 6762 §10).
    private static let (hostLifetime, otherLifetime): (UInt32, UInt32) = (120, 4500)

    package static func host(_ name: DomainName, at addresses: [[UInt8]]) -> Publication {
        Publication(
            unique: addresses.map { ResourceRecord(name, .address($0), lifetime: hostLifetime, isUnique: true) },
            shared: []
        )
    }

    /// A service at a host: its SRV and TXT records, and the PTR records that list it.
    package static func service(
        _ service: ServiceAdvertisement,
        named name: String,
        at host: DomainName
    ) throws(DiscoveryError) -> Publication {
        let instance = try ServiceInstance(name: name, type: service.type).domain()
        let base = service.type.base.domain
        let location = RecordData.SRVRecord(port: service.port, host: host)
        var shared = [
            ResourceRecord(base, .pointer(instance), lifetime: otherLifetime, isUnique: false),
            ResourceRecord(.serviceTypes, .pointer(base), lifetime: otherLifetime, isUnique: false),
        ]
        if service.type.subtype != nil {
            let narrower = service.type.domain
            shared.insert(ResourceRecord(narrower, .pointer(instance), lifetime: otherLifetime, isUnique: false), at: 1)
        }
        return Publication(
            unique: [
                ResourceRecord(instance, .service(location), lifetime: hostLifetime, isUnique: true),
                ResourceRecord(instance, .text(service.text.strings), lifetime: otherLifetime, isUnique: true),
            ],
            shared: shared
        )
    }
}
