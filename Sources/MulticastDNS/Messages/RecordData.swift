package enum RecordData: Hashable, Sendable {
    /// PTR: a name, such as an instance of a type.
    case pointer(DomainName)
    /// SRV: the location of a service.
    case service(SRVRecord)
    /// TXT: strings of up to 255 bytes, at least one.
    case text([[UInt8]])
    /// A or AAAA: an IPv4 or IPv6 address.
    case address([UInt8])
    /// NSEC: the types that the name has. `next` is the next name in a zone; in multicast DNS it is the same name.
    case denial(next: DomainName, types: Set<RecordType>)
    /// A type that this library does not parse.
    case unknown(RecordType, [UInt8])

    /// The location of a service.
    package struct SRVRecord: Hashable, Sendable {
        /// Lower ones are tried first; always 0.
        package var priority: UInt16 = 0
        /// The share among records of equal priority; always 0.
        package var weight: UInt16 = 0
        package var port: UInt16
        package var host: DomainName

        /// A location with priority and weight 0.
        package init(port: UInt16, host: DomainName) {
            self.port = port
            self.host = host
        }
    }

    package var type: RecordType {
        switch self {
        case .pointer: .ptr
        case .service: .srv
        case .text: .txt
        case .address(let bytes): bytes.count == 4 ? .a : .aaaa
        case .denial: .nsec
        case .unknown(let type, _): type
        }
    }
}

/// A resource record: a name, its data, and for how many seconds that may be cached.
package struct ResourceRecord: Hashable, Sendable {
    package var name: DomainName
    /// The class, without the cache-flush bit.
    package var recordClass: RecordClass = .internet
    /// The cache-flush bit: no other host has records of this name and type, so older ones are dropped.
    ///
    /// Standard: RFC 6762 §10.2.
    package var isUnique: Bool
    /// The lifetime in seconds; 0 is a goodbye.
    package var lifetime: UInt32
    package var data: RecordData

    /// Creates a record of class IN.
    package init(_ name: DomainName, _ data: RecordData, lifetime: UInt32, isUnique: Bool) {
        self.name = name
        self.data = data
        self.lifetime = lifetime
        self.isUnique = isUnique
    }

    package var type: RecordType { data.type }

    /// Whether both have the same class, name and data, whatever their lifetimes.
    package func saysTheSame(as other: ResourceRecord) -> Bool {
        recordClass == other.recordClass && name == other.name && data == other.data
    }
}

/// A question for the records of a name and type.
package struct Question: Hashable, Sendable {
    package var name: DomainName
    package var type: RecordType
    package var recordClass: RecordClass = .internet
    /// Whether a unicast answer is accepted ("QU").
    package var wantsUnicast = false

    /// Creates a question of class IN.
    package init(_ name: DomainName, _ type: RecordType, wantsUnicast: Bool = false) {
        self.name = name
        self.type = type
        self.wantsUnicast = wantsUnicast
    }

    /// Whether `record` answers it.
    package func isAnswered(by record: ResourceRecord) -> Bool {
        (type == .any || type == record.type) && (recordClass == .any || recordClass == record.recordClass)
            && name == record.name
    }
}
