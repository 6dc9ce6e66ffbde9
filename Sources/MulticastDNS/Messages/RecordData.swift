/// What a record says.
package enum RecordData: Hashable, Sendable {
    case pointer(DomainName)
    case service(ServiceLocation)
    /// Strings of up to 255 bytes, at least one.
    case text([[UInt8]])
    /// An address of version 4 or 6.
    case address([UInt8])
    /// The types that the name has; the other name is the next one in a zone, and here the same.
    case denial(next: DomainName, types: Set<RecordType>)
    /// Of a kind that nobody here reads.
    case unknown(RecordType, [UInt8])

    /// Where a service is.
    package struct ServiceLocation: Hashable, Sendable {
        package var priority: UInt16 = 0
        package var weight: UInt16 = 0
        package var port: UInt16
        package var host: DomainName

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

/// One record: what a name says, and for how many seconds that can be remembered.
package struct ResourceRecord: Hashable, Sendable {
    package var name: DomainName
    package var recordClass: RecordClass = .internet
    /// Nobody else has records of this name and type, so older ones are to be forgotten ("cache flush").
    package var isUnique: Bool
    /// In seconds; 0 is a goodbye.
    package var lifetime: UInt32
    package var data: RecordData

    package init(_ name: DomainName, _ data: RecordData, lifetime: UInt32, isUnique: Bool) {
        self.name = name
        self.data = data
        self.lifetime = lifetime
        self.isUnique = isUnique
    }

    package var type: RecordType { data.type }

    /// Whether both say the same, for however long.
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
