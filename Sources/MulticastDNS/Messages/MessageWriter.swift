/// Writes the parts of a packet in order, with compressed names.
struct MessageWriter {
    /// The bytes that were written so far.
    private(set) var packet: [UInt8] = []
    /// The offsets of name suffixes that were written.
    private var places: [[UInt8]: Int] = [:]
    /// Whether host names in SRV records may be compressed: plain resolvers support that in older record types only.
    private let shortensHosts: Bool

    /// Writes the header of a message.
    ///
    /// - Parameter shorteningHosts: Whether the host name in an SRV record may be compressed.
    init(_ message: Message, shorteningHosts: Bool) {
        shortensHosts = shorteningHosts
        packet.reserveCapacity(512)
        number(message.identifier)
        number(message.flags)
        for _ in 0..<4 { number(0) }
    }

    /// Sets how many parts of each kind there are.
    mutating func setCounts(_ counts: [Int]) {
        for (index, count) in counts.enumerated() {
            packet[4 + 2 * index] = UInt8(truncatingIfNeeded: count >> 8)
            packet[5 + 2 * index] = UInt8(truncatingIfNeeded: count)
        }
    }

    /// Sets the TC bit: more known answers follow in another packet.
    ///
    /// Standard: RFC 6762 §7.2.
    mutating func setTruncated() { packet[2] |= 0x02 }

    mutating func question(_ question: Question) {
        name(question.name, shortened: true)
        number(question.type.rawValue)
        number(question.recordClass.rawValue | (question.wantsUnicast ? 0x8000 : 0))
    }

    /// Writes a record, with the length of its data.
    mutating func record(_ record: ResourceRecord) throws(MessageError) {
        name(record.name, shortened: true)
        number(record.type.rawValue)
        number(record.recordClass.rawValue | (record.isUnique ? 0x8000 : 0))
        number(UInt16(truncatingIfNeeded: record.lifetime >> 16))
        number(UInt16(truncatingIfNeeded: record.lifetime))
        let place = packet.count
        number(0)
        data(record.data)
        let length = packet.count - place - 2
        guard length <= UInt16.max else { throw .recordTooLong }
        packet[place] = UInt8(length >> 8)
        packet[place + 1] = UInt8(length & 0xFF)
    }

    private mutating func data(_ data: RecordData) {
        switch data {
        case .pointer(let target): name(target, shortened: true)
        case .service(let location):
            number(location.priority)
            number(location.weight)
            number(location.port)
            name(location.host, shortened: shortensHosts)
        case .text(let strings):
            for string in strings {
                packet.append(UInt8(truncatingIfNeeded: string.count))
                packet += string.prefix(255)
            }
        case .address(let bytes), .unknown(_, let bytes): packet += bytes
        case .denial(let next, let types):
            name(next, shortened: shortensHosts)
            self.types(types)
        }
    }

    /// Writes two bytes.
    private mutating func number(_ number: UInt16) {
        packet.append(UInt8(number >> 8))
        packet.append(UInt8(number & 0xFF))
    }

    /// Writes a name; if it may be compressed, a suffix that is in the packet already is replaced by a pointer.
    ///
    /// Standard: RFC 1035 §4.1.4.
    ///
    /// - Parameter shortened: Whether a suffix that is in the packet already is replaced by a pointer.
    private mutating func name(_ name: DomainName, shortened: Bool) {
        var rest = name.wire[...]
        while let size = rest.first, size != 0 {
            let end = Array(rest)
            if shortened, let place = places[end] {
                number(0xC000 | UInt16(place))
                return
            }
            if packet.count < 0x4000 { places[end] = places[end] ?? packet.count }
            packet += rest.prefix(1 + Int(size))
            rest = rest.dropFirst(1 + Int(size))
        }
        packet.append(0)
    }

    /// Writes the types that a name has, as a bitmap.
    ///
    /// Standard: RFC 4034 §4.1.2.
    private mutating func types(_ types: Set<RecordType>) {
        let windows = Dictionary(grouping: types) { $0.rawValue >> 8 }
        for (window, types) in windows.sorted(by: { $0.key < $1.key }) {
            let last = types.map { Int($0.rawValue & 0xFF) }.max() ?? 0
            var bits = [UInt8](repeating: 0, count: last / 8 + 1)
            for type in types { bits[Int(type.rawValue & 0xFF) / 8] |= 0x80 >> (type.rawValue & 7) }
            packet += [UInt8(window), UInt8(bits.count)] + bits
        }
    }
}

extension RecordData {
    /// The data for the comparison in a tie-break: without name compression (RFC 6762 §8.2).
    var plain: [UInt8] {
        var writer = MessageWriter(.query(), shorteningHosts: false)
        let start = writer.packet.count
        writer.plain(self)
        return Array(writer.packet[start...])
    }
}

extension MessageWriter {
    /// Writes data without name compression, for the comparison in a tie-break.
    ///
    /// Standard: RFC 6762 §8.2.
    fileprivate mutating func plain(_ data: RecordData) {
        switch data {
        case .pointer(let target): name(target, shortened: false)
        case .service, .text, .address, .denial, .unknown: self.data(data)
        }
    }
}
