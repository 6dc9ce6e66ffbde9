/// What a record says.
package enum RecordData: Hashable, Sendable {
    /// PTR: a name that belongs to this one.
    case pointer(DomainName)
    /// SRV: where a service is.
    case service(ServiceLocation)
    /// Strings of up to 255 bytes, at least one.
    case text([[UInt8]])
    /// An address of version 4 or 6.
    case address([UInt8])
    /// The types that the name has; the other name is the next one in a zone, and here the same.
    case denial(next: DomainName, types: Set<RecordType>)
    /// Of a type that this library does not read.
    case unknown(RecordType, [UInt8])

    /// Where a service is.
    package struct ServiceLocation: Hashable, Sendable {
        /// The lower one is tried first; always 0 here.
        package var priority: UInt16 = 0
        /// The share among equals; always 0 here.
        package var weight: UInt16 = 0
        /// The port of the service.
        package var port: UInt16
        /// The host of the service.
        package var host: DomainName

        /// A place with priority and weight 0.
        ///
        /// - Parameters:
        ///   - port: The port, from 0 to 65535.
        ///   - host: The name of the host.
        package init(port: UInt16, host: DomainName) {
            self.port = port
            self.host = host
        }
    }

    /// The type of the record.
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

/// One record: what a name says, and for how many seconds that can be remembered.
package struct ResourceRecord: Hashable, Sendable {
    /// The name that the record is of.
    package var name: DomainName
    /// The class, without the bit that multicast DNS puts there.
    package var recordClass: RecordClass = .internet
    /// No other host has records of this name and type, so older ones are to be forgotten ("cache flush").
    package var isUnique: Bool
    /// In seconds; 0 is a goodbye.
    package var lifetime: UInt32
    /// What the record says.
    package var data: RecordData

    /// A record of the class of the internet.
    ///
    /// - Parameters:
    ///   - name: The name that it is of.
    ///   - data: What it says; the type follows from that.
    ///   - lifetime: For how many seconds others may keep it.
    ///   - isUnique: Whether no other host has records of that name and type.
    package init(_ name: DomainName, _ data: RecordData, lifetime: UInt32, isUnique: Bool) {
        self.name = name
        self.data = data
        self.lifetime = lifetime
        self.isUnique = isUnique
    }

    /// The type of its data.
    package var type: RecordType { data.type }

    /// Whether both say the same, for however long.
    ///
    /// - Parameter other: What it is compared with.
    package func saysTheSame(as other: ResourceRecord) -> Bool {
        recordClass == other.recordClass && name == other.name && data == other.data
    }
}

/// What is asked: the records of a name and type.
package struct Question: Hashable, Sendable {
    package var name: DomainName
    package var type: RecordType
    package var recordClass: RecordClass = .internet
    /// The answer may come to the asker alone ("QU").
    package var wantsUnicast = false

    /// A question of the class of the internet.
    ///
    /// - Parameters:
    ///   - name: The name that is asked for.
    ///   - type: The type that is asked for.
    ///   - wantsUnicast: Whether the answer may come to the asker alone.
    package init(_ name: DomainName, _ type: RecordType, wantsUnicast: Bool = false) {
        self.name = name
        self.type = type
        self.wantsUnicast = wantsUnicast
    }

    /// Whether `record` answers it.
    ///
    /// - Parameter record: The record that is meant.
    package func isAnswered(by record: ResourceRecord) -> Bool {
        (type == .any || type == record.type) && (recordClass == .any || recordClass == record.recordClass)
            && name == record.name
    }
}
