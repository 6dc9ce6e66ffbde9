import CountersignTesting
import Testing

@testable import MulticastDNS

@Suite("A hostile packet")
struct HostilePacketTests {
    /// A header that announces one question, then `name`, then type and class.
    private func question(_ name: [UInt8]) -> [UInt8] {
        [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0] + name + [0, 1, 0, 1]
    }

    /// A header that announces one answer of a type for the root, with data.
    private func answer(_ type: UInt8, _ data: [UInt8], length: Int? = nil) -> [UInt8] {
        let length = length ?? data.count
        return [0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, type, 0, 1, 0, 0, 0, 9]
            + [UInt8(length >> 8), UInt8(length & 0xFF)] + data
    }

    @Test func `with a name that leads to itself is refused`() {
        #expect(throws: MessageError.pointerNotBackwards) { try Message(parsing: question([0xC0, 12])) }
    }

    @Test func `with a loop of two names is refused`() {
        let loop: [UInt8] = [1, 97, 0xC0, 16, 1, 98, 0xC0, 12]
        #expect(throws: MessageError.pointerNotBackwards) { try Message(parsing: question(loop)) }
        #expect(throws: MessageError.pointerNotBackwards) { try Message(parsing: question([1, 97, 0xC0, 12])) }
    }

    @Test func `with a pointer forwards or beyond the end is refused`() {
        #expect(throws: MessageError.pointerNotBackwards) { try Message(parsing: question([0xC0, 200])) }
        #expect(throws: MessageError.pointerNotBackwards) { try Message(parsing: question([0xFF, 0xFF])) }
    }

    @Test(arguments: [0x40, 0x80, 0x41, 0xBF] as [UInt8])
    func `with a label of an unknown kind is refused`(size: UInt8) {
        let packet = question([size] + [UInt8](repeating: 97, count: 70) + [0])
        #expect(throws: MessageError.labelKind) { try Message(parsing: packet) }
    }

    @Test func `with a name of 64 KiB is refused`() {
        let label = [63] + [UInt8](repeating: 97, count: 63)
        let name = Array([[UInt8]](repeating: label, count: 1024).joined()) + [0]
        #expect(throws: MessageError.nameTooLong) { try Message(parsing: question(name)) }
    }

    @Test func `that builds a long name out of pointers is refused`() {
        // Each name adds a label of 63 bytes before the one before.
        var packet: [UInt8] = [0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0]
        var last: Int?
        for _ in 0..<5 {
            let start = packet.count
            packet += [63] + [UInt8](repeating: 97, count: 63)
            packet += last.map { [0xC0, UInt8($0)] } ?? [0]
            packet += [0, 1, 0, 1]
            last = start
        }
        #expect(throws: MessageError.self) { try Message(parsing: packet) }
    }

    /// As many questions as fit, or records of an unknown type without data: the first has the name `a`, each other one
    /// leads to the one before.
    private func chainOfPointers(_ size: Int, asRecords: Bool) -> [UInt8] {
        let rest: [UInt8] = asRecords ? [0x10, 0, 0, 1, 0, 0, 0, 9, 0, 0] : [0, 1, 0, 1]
        var packet: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + [1, 97, 0] + rest
        var (last, count) = (12, 1)
        while packet.count + 2 + rest.count <= size {
            let start = packet.count
            packet += [0xC0 | UInt8(last >> 8), UInt8(last & 0xFF)] + rest
            (last, count) = (start, count + 1)
        }
        let place = asRecords ? 6 : 4
        (packet[place], packet[place + 1]) = (UInt8(count >> 8), UInt8(count & 0xFF))
        return packet
    }

    @Test func `of pointers that lead to pointers is read, each place once`() throws {
        let packet = chainOfPointers(9000, asRecords: true)
        let name = try DomainName("a")
        // Read from the front each time, all these would be a hundred million steps.
        for _ in 0..<10 {
            let message = try Message(parsing: packet)
            #expect(message.answers.count == 748)
            #expect(message.answers.allSatisfy { $0.name == name })
        }
        #expect(try steps(packet) < packet.count)
    }

    /// The count of places that are looked at for the names in a packet with nothing but answers.
    private func steps(_ packet: [UInt8]) throws -> Int {
        var reader = MessageReader(packet)
        _ = try reader.bytes(12)
        for _ in 0..<(Int(packet[6]) << 8 | Int(packet[7])) { _ = try reader.record() }
        return reader.steps
    }

    @Test func `with more questions than a packet of the usual size has room for is refused`() throws {
        let usual = chainOfPointers(Message.usualPacket, asRecords: false)
        #expect(try Message(parsing: usual).questions.count == 239)
        #expect(throws: MessageError.tooManyQuestions) {
            try Message(parsing: chainOfPointers(9000, asRecords: false))
        }
    }

    @Test func `of pointers into one long name is read, each label once`() throws {
        // 126 labels of one byte, then records whose names begin at each of them in turn.
        var packet: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let rest: [UInt8] = [0x10, 0, 0, 1, 0, 0, 0, 9, 0, 0]
        packet += Array([[UInt8]](repeating: [1, 97], count: 126).joined()) + [0] + rest
        var count = 1
        while packet.count + 12 <= 9000 {
            packet += [0xC0, UInt8(12 + 2 * (count % 120))] + rest
            count += 1
        }
        (packet[6], packet[7]) = (UInt8(count >> 8), UInt8(count & 0xFF))
        let names = try Message(parsing: packet).answers.map(\.name)
        for (index, name) in names.enumerated().dropFirst() {
            #expect(name.labels.count == 126 - index % 120)
        }
        #expect(try steps(packet) < packet.count)
    }

    /// Long names of the bytes 1 and 2 in turn, each followed by records whose names begin at its odd bytes: each such
    /// name has a label of two bytes at a place of its own, and goes on with the labels of one byte of the long name.
    private func branches(_ size: Int) -> (packet: [UInt8], labels: [Int]) {
        var packet: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        var labels: [Int] = []
        let rest: [UInt8] = [0x10, 0, 0, 1, 0, 0, 0, 9, 0, 0]
        while packet.count + 263 <= size {
            let start = packet.count
            packet += Array([[UInt8]](repeating: [1, 2], count: 126).joined()) + [0] + rest
            labels.append(126)
            for branch in 0..<125 where packet.count + 12 <= size {
                let place = start + 2 * branch + 1
                packet += [0xC0 | UInt8(place >> 8), UInt8(place & 0xFF)] + rest
                labels.append(125 - branch)
            }
        }
        (packet[6], packet[7]) = (UInt8(labels.count >> 8), UInt8(labels.count & 0xFF))
        return (packet, labels)
    }

    @Test(arguments: [1464, 8998])
    func `of names that branch off one long name is read, each label once`(size: Int) throws {
        let (packet, labels) = branches(size)
        #expect(try Message(parsing: packet).answers.map(\.name.labels.count) == labels)
        // Read to the end each time, these would be up to forty thousand steps.
        #expect(try steps(packet) < packet.count)
    }

    /// Names of records that lead to places in the data of the first record, which begins at byte 23.
    private func names(leadingTo places: [UInt8], in data: [UInt8]) throws -> [DomainName] {
        var packet: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, UInt8(places.count + 1), 0, 0, 0, 0]
        packet += [0, 0x10, 0, 0, 1, 0, 0, 0, 9, 0, UInt8(data.count)] + data
        for place in places { packet += [0xC0, place, 0x10, 0, 0, 1, 0, 0, 0, 9, 0, 0] }
        return try Message(parsing: packet).answers.dropFirst().map(\.name)
    }

    @Test func `with a pointer into its own part is refused, though the end of that part was read before`() throws {
        // At 23 a label of one zero byte, at 25 the label c, at 27 a pointer to that zero byte.
        let data: [UInt8] = [1, 0, 1, 99, 0xC0, 24]
        #expect(try names(leadingTo: [25, 25], in: data).map(\.description) == ["c", "c"])
        #expect(throws: MessageError.pointerNotBackwards) { try names(leadingTo: [23], in: data) }
        #expect(throws: MessageError.pointerNotBackwards) { try names(leadingTo: [25, 23], in: data) }
    }

    @Test func `with a name that an earlier one has run into goes on behind that name`() throws {
        // The second record's name is a label of twelve bytes at 23, over all of that record, and goes on with the
        // third record's name at 36.
        var packet: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, 3, 0, 0, 0, 0]
        let rest: [UInt8] = [0x10, 0, 0, 1, 0, 0, 0, 9, 0]
        packet += [0] + rest + [1, 12] + [0xC0, 23] + rest + [0] + [1, 97, 0] + rest + [0]
        let names = try Message(parsing: packet).answers.map(\.name)
        #expect(names.map(\.labels.count) == [0, 2, 1])
        let last = try DomainName("a")
        #expect(names.last == last)
    }

    @Test func `with names that end alike is read as if each was written out`() throws {
        // b.a, then c and a pointer to b.a, then d and a pointer to that, then a pointer into the middle of the first.
        var packet: [UInt8] = [0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0]
        packet += [1, 98, 1, 97, 0, 0, 1, 0, 1]
        let second = UInt8(packet.count)
        packet += [1, 99, 0xC0, 12, 0, 1, 0, 1]
        packet += [1, 100, 0xC0, second, 0, 1, 0, 1]
        packet += [1, 101, 0xC0, 14, 0, 1, 0, 1]
        let names = try Message(parsing: packet).questions.map(\.name.description)
        #expect(names == ["b.a", "c.b.a", "d.c.b.a", "e.a"])
    }

    @Test func `that reaches a long name twice by pointers is refused the second time, too`() {
        // Three labels of 63 bytes; then a pointer to them; then another label of 63 bytes before them, which is too
        // much.
        let label = [63] + [UInt8](repeating: 97, count: 63)
        var packet: [UInt8] = [0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0]
        packet += label + label + label + [0, 0, 1, 0, 1]
        packet += [0xC0, 12, 0, 1, 0, 1]
        packet += label + [0xC0, 12, 0, 1, 0, 1]
        #expect(throws: MessageError.nameTooLong) { try Message(parsing: packet) }
    }

    @Test func `with data beyond its end is refused`() {
        #expect(throws: MessageError.tooShort) { try Message(parsing: answer(1, [1, 2, 3, 4], length: 60_000)) }
        #expect(throws: MessageError.tooShort) { try Message(parsing: question([63, 97])) }
    }

    @Test func `that announces more records than it has is refused`() {
        #expect(throws: MessageError.tooShort) {
            try Message(parsing: [0, 0, 0x84, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
        }
    }

    @Test(
        arguments: [
            (1, [1, 2, 3]), (1, [1, 2, 3, 4, 5]), (28, [1, 2, 3, 4]), (33, [0, 0, 0, 0, 0, 1]),
            (33, [0, 0, 0, 0, 0, 1, 0, 0]),
            (12, [0, 0]), (16, [5, 97]), (16, [1, 97, 9]),
        ] as [(UInt8, [UInt8])])
    func `with data of the wrong length is refused`(type: UInt8, data: [UInt8]) {
        #expect(throws: MessageError.self) { try Message(parsing: answer(type, data)) }
    }

    @Test(
        arguments: [[0, 0], [0, 33] + [UInt8](repeating: 1, count: 33), [0, 4, 1], [1, 1, 1, 0, 1, 1], [0]] as [[UInt8]]
    )
    func `with a list of types that is none is refused`(list: [UInt8]) {
        #expect(throws: MessageError.self) { try Message(parsing: answer(47, [0] + list)) }
    }

    @Test func `whose data ends within a name is refused`() {
        // The name goes on after the data's announced end.
        #expect(throws: MessageError.self) { try Message(parsing: answer(12, [3, 97, 97, 97, 0], length: 3)) }
    }

    @Test func `cut off anywhere, or with any byte changed, breaks nothing`() throws {
        let packet = try Records.everything().packets()[0]
        for count in packet.indices {
            #expect(throws: MessageError.self) { try Message(parsing: Array(packet.prefix(count))) }
        }
        var parsed = 0
        for index in packet.indices {
            for byte in [0, 1, 0x3F, 0x40, 0x80, 0xC0, 0xFF] as [UInt8] {
                var changed = packet
                changed[index] = byte
                if let message = try? Message(parsing: changed) {
                    parsed += 1
                    _ = message.packets()
                }
            }
        }
        #expect(parsed > 0)
    }

    @Test func `of nothing but jitter breaks nothing`() {
        let random = SeededRandom(seed: 6762)
        for size in 0..<400 {
            if let message = try? Message(parsing: random.bytes(size)) { _ = message.packets() }
        }
    }
}
