/// Reads the parts of a packet in order. No input makes it read beyond the end, or loop.
struct MessageReader {
    /// All bytes of the packet: names may point back into it.
    private let packet: [UInt8]
    /// The next byte to be read.
    private var position = 0
    private var names: [DomainName] = []
    /// The parts that the names consist of.
    private var parts: [Part] = []
    /// The places that were read, where labels, pointers and ends of names are.
    private var places: [Place] = []
    /// The index of each packet byte's place, counted from 1; 0 when it was not read.
    private var numbers: [Int32]
    /// The number of places that were looked at, so that a test sees how much work a packet makes.
    private(set) var steps = 0

    /// A place that was read.
    private struct Place {
        /// The index of the name that contains it.
        let name: Int
        /// The offset in the name's wire format of the rest that begins there.
        let offset: Int
        let part: Int
    }

    /// A part of a name: consecutive labels in the packet, up to a pointer or the end of the name.
    private struct Part {
        /// The place that the pointer leads to; `nil` at the end of the name.
        let target: Int?
        /// The place behind the part.
        let next: Int
    }

    /// A reader at the beginning of a packet.
    init(_ packet: [UInt8]) {
        self.packet = packet
        numbers = [Int32](repeating: 0, count: packet.count)
    }

    /// Reads one byte.
    ///
    /// - Throws: ``MessageError`` at the end of the packet.
    mutating func byte() throws(MessageError) -> UInt8 {
        guard position < packet.count else { throw .tooShort }
        defer { position += 1 }
        return packet[position]
    }

    /// Reads two bytes as a number.
    mutating func number() throws(MessageError) -> UInt16 { UInt16(try byte()) << 8 | UInt16(try byte()) }

    /// Reads four bytes as a number.
    mutating func longNumber() throws(MessageError) -> UInt32 { UInt32(try number()) << 16 | UInt32(try number()) }

    /// Reads `count` bytes.
    mutating func bytes(_ count: Int) throws(MessageError) -> [UInt8] {
        guard count <= packet.count - position else { throw .tooShort }
        defer { position += count }
        return Array(packet[position..<(position + count)])
    }

    /// Reads a question.
    ///
    /// Standard: RFC 1035 §4.1.2, RFC 6762 §5.4 (the highest bit of the class asks for a unicast answer).
    mutating func question() throws(MessageError) -> Question {
        var question = Question(try name(), RecordType(rawValue: try number()))
        let field = try number()
        question.recordClass = RecordClass(rawValue: field)
        question.wantsUnicast = field & 0x8000 != 0
        return question
    }

    /// Reads a resource record.
    ///
    /// Standard: RFC 1035 §4.1.3, RFC 6762 §10.2 (the highest bit of the class is the cache-flush bit).
    mutating func record() throws(MessageError) -> ResourceRecord {
        let name = try name()
        let type = RecordType(rawValue: try number())
        let field = try number()
        let lifetime = try longNumber()
        let length = Int(try number())
        guard length <= packet.count - position else { throw .tooShort }
        let end = position + length
        let data = try data(type, until: end)
        guard position == end else { throw .dataLength }
        // A lifetime with its highest bit set counts as 0 (RFC 2181 §8).
        var record = ResourceRecord(
            name, data, lifetime: lifetime > Int32.max ? 0 : lifetime, isUnique: field & 0x8000 != 0)
        record.recordClass = RecordClass(rawValue: field)
        return record
    }

    /// Reads a name, which may continue at an earlier place of the packet.
    ///
    /// Each pointer must point to before the beginning of the part that it ends, so there are no loops. The rest of a
    /// name is known at a place that was read before: so each place of a packet is read once, however many names lead
    /// to it, and the steps for all names together are no more than its places and its names.
    private mutating func name() throws(MessageError) -> DomainName {
        var wire: [UInt8] = []
        var start = position
        let first = parts.count
        var same: DomainName?
        reading: while true {
            steps += 1
            if let rest = place(at: position) {
                // A place of this very name would be a loop.
                guard rest.name < names.count else { throw .pointerNotBackwards }
                // The part may have been read from a later place on, which its pointer then had to precede.
                if let target = parts[rest.part].target, target >= start { throw .pointerNotBackwards }
                parts.append(parts[rest.part])
                let known = names[rest.name]
                if wire.isEmpty, rest.offset == 0 {
                    same = known
                    break reading
                }
                guard wire.count + known.wire.count - rest.offset <= DomainName.longest else { throw .nameTooLong }
                wire += known.wire[rest.offset...]
                break reading
            }
            keepPlace(at: wire.count)
            let size = try byte()
            switch size & 0xC0 {
            case 0x00:
                guard size != 0 else {
                    wire.append(0)
                    parts.append(Part(target: nil, next: position))
                    break reading
                }
                guard wire.count + 2 + Int(size) <= DomainName.longest else { throw .nameTooLong }
                guard Int(size) <= packet.count - position else { throw .tooShort }
                wire.append(size)
                wire += packet[position..<(position + Int(size))]
                position += Int(size)
            case 0xC0:
                let target = Int(size & 0x3F) << 8 | Int(try byte())
                guard target < start else { throw .pointerNotBackwards }
                parts.append(Part(target: target, next: position))
                (position, start) = (target, target)
            default: throw .labelKind
            }
        }
        position = parts[first].next
        let name = same ?? DomainName(wire: wire)
        names.append(name)
        return name
    }

    /// The place with this number in the packet, if it was read before.
    private func place(at position: Int) -> Place? {
        guard position < numbers.count, numbers[position] > 0 else { return nil }
        return places[Int(numbers[position]) - 1]
    }

    /// Records that the name and the part that are being read go over the present place.
    ///
    /// - Parameter offset: The number of bytes of the name that were read before, in the wire format.
    private mutating func keepPlace(at offset: Int) {
        guard position < numbers.count else { return }
        places.append(Place(name: names.count, offset: offset, part: parts.count))
        numbers[position] = Int32(places.count)
    }

    /// Reads the data of a record, which ends at `end`; data of other types is kept as bytes.
    private mutating func data(_ type: RecordType, until end: Int) throws(MessageError) -> RecordData {
        let length = end - position
        switch type {
        case .ptr: return .pointer(try name(until: end))
        case .srv:
            guard length >= 7 else { throw .dataLength }
            let (priority, weight, port) = (try number(), try number(), try number())
            var location = RecordData.SRVRecord(port: port, host: try name(until: end))
            (location.priority, location.weight) = (priority, weight)
            return .service(location)
        case .txt: return .text(try strings(until: end))
        case .a:
            guard length == 4 else { throw .dataLength }
            return .address(try bytes(4))
        case .aaaa:
            guard length == 16 else { throw .dataLength }
            return .address(try bytes(16))
        case .nsec:
            let next = try name(until: end)
            return .denial(next: next, types: try types(until: end))
        default: return .unknown(type, try bytes(length))
        }
    }

    /// Reads a name within a record's data, beyond which it must not extend.
    private mutating func name(until end: Int) throws(MessageError) -> DomainName {
        let name = try name()
        guard position <= end else { throw .dataLength }
        return name
    }

    /// Reads strings, each after its length; no strings are read as one empty string (RFC 6763 §6.1).
    private mutating func strings(until end: Int) throws(MessageError) -> [[UInt8]] {
        var strings: [[UInt8]] = []
        while position < end {
            let size = Int(try byte())
            guard size <= end - position else { throw .dataLength }
            strings.append(try bytes(size))
        }
        return strings.isEmpty ? [[]] : strings
    }

    /// Reads a type bitmap: windows of 256 types, in ascending order, each with the bits of its types (RFC 4034
    /// §4.1.2).
    private mutating func types(until end: Int) throws(MessageError) -> Set<RecordType> {
        var types: Set<RecordType> = []
        var last = -1
        while position < end {
            guard end - position >= 2 else { throw .typeList }
            let window = Int(try byte())
            let size = Int(try byte())
            guard window > last, (1...32).contains(size), size <= end - position else { throw .typeList }
            last = window
            for (index, bits) in try bytes(size).enumerated() {
                for bit in 0..<8 where bits & (0x80 >> bit) != 0 {
                    types.insert(RecordType(rawValue: UInt16(window << 8 | index << 3 | bit)))
                }
            }
        }
        return types
    }
}
