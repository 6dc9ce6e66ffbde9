/// What is made known under one claim: a host with its addresses, or a service.
package struct Publication: Sendable, Equatable {
    /// Which one it is on this machine.
    package enum Identity: Hashable, Sendable {
        /// The host with its addresses.
        case host
        /// A service, by its number.
        case service(Int)
    }

    /// Records that no other host may have under their names.
    package var unique: [ResourceRecord]
    /// Records beside which others have theirs.
    package var shared: [ResourceRecord]

    /// All records.
    var records: [ResourceRecord] { unique + shared }

    /// The names that must be ours.
    var names: Set<DomainName> { Set(unique.map(\.name)) }
}

extension Publication {
    /// How long records that name a host or an address are kept, and all others (RFC 6762 §10).
    private static let (hostLifetime, otherLifetime): (UInt32, UInt32) = (120, 4500)

    /// A host and where it is on one link.
    ///
    /// - Parameters:
    ///   - name: The name that is meant.
    ///   - addresses: The addresses of the host.
    package static func host(_ name: DomainName, at addresses: [[UInt8]]) -> Publication {
        Publication(
            unique: addresses.map { ResourceRecord(name, .address($0), lifetime: hostLifetime, isUnique: true) },
            shared: []
        )
    }

    /// A service at a host: its place, its text, and the lists in which it stands.
    ///
    /// - Parameters:
    ///   - service: The service that is meant.
    ///   - name: The name that is meant.
    ///   - host: The name of the host.
    package static func service(
        _ service: ServiceAdvertisement,
        named name: String,
        at host: DomainName
    ) throws(DiscoveryError) -> Publication {
        let instance = try ServiceInstance(name: name, type: service.type).domain()
        let base = service.type.base.domain
        let location = RecordData.ServiceLocation(port: service.port, host: host)
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
