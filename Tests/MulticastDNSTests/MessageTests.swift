import MulticastDNS
import Testing

@Suite("A message of the DNS")
struct MessageTests {
    @Test func `is read as it was written`() throws {
        let message = try Records.everything()
        let packets = message.packets()
        #expect(packets.count == 1)
        #expect(try Message(parsing: packets[0]) == message)
    }

    @Test func `shortens names that stand in it already`() throws {
        let message = try Records.everything()
        let long = message.packets(shorteningHosts: false)[0]
        #expect(message.packets()[0].count < long.count)
        #expect(try Message(parsing: long) == message)
    }

    @Test func `keeps records of kinds that nobody here reads`() throws {
        let record = ResourceRecord(
            try DomainName("x", "local"), .unknown(RecordType(rawValue: 65280), [1, 2, 3]), lifetime: 9, isUnique: true)
        let message = Message.response([record])
        #expect(try Message(parsing: message.packets()[0]) == message)
    }

    @Test func `takes a lifetime with its first bit set for none`() throws {
        var packet = Message.response([try Records.address(lifetime: 7)]).packets()[0]
        packet[packet.count - 10] = 0x80
        #expect(try Message(parsing: packet).answers[0].lifetime == 0)
    }

    @Test func `reads an empty text as one empty string`() throws {
        var packet = Message.response([
            ResourceRecord(try DomainName("x", "local"), .text([[]]), lifetime: 9, isUnique: true)
        ]).packets()[0]
        packet.removeLast()
        packet[packet.count - 1] = 0
        #expect(try Message(parsing: packet).answers[0].data == .text([[]]))
    }

    @Test func `of many answers becomes several packets, none lost`() throws {
        let records = try (0..<100).map { number in
            ResourceRecord(
                try DomainName("_http", "_tcp", "local"),
                .pointer(try DomainName("A service with a long name \(number)", "_http", "_tcp", "local")),
                lifetime: 4500, isUnique: false)
        }
        let packets = Message.response(records).packets()
        #expect(packets.count > 1)
        #expect(packets.allSatisfy { $0.count <= Message.usualPacket })
        let read = try packets.map { try Message(parsing: $0) }
        #expect(read.flatMap(\.answers) == records)
        #expect(read.allSatisfy { !$0.isTruncated })
    }

    @Test func `of many known answers says that others follow, and asks only once`() throws {
        var message = Message.query([Question(try DomainName("_http", "_tcp", "local"), .ptr)])
        message.answers = try (0..<100).map { number in
            ResourceRecord(
                try DomainName("_http", "_tcp", "local"),
                .pointer(try DomainName("A service with a long name \(number)", "_http", "_tcp", "local")),
                lifetime: 4500, isUnique: false)
        }
        let read = try message.packets().map { try Message(parsing: $0) }
        #expect(read.map(\.isTruncated) == [Bool](repeating: true, count: read.count - 1) + [false])
        #expect(read.map(\.questions.count) == [1] + [Int](repeating: 0, count: read.count - 1))
        #expect(read.flatMap(\.answers) == message.answers)
    }

    @Test func `has one record that is longer than the usual packet in a packet of its own`() throws {
        let text = [[UInt8]](repeating: [UInt8](repeating: 65, count: 255), count: 20)
        let long = ResourceRecord(try DomainName("x", "local"), .text(text), lifetime: 9, isUnique: true)
        let packets = Message.response([try Records.address(lifetime: 7), long, try Records.address(lifetime: 8)])
            .packets()
        #expect(packets.count == 3)
        #expect(try packets.flatMap { try Message(parsing: $0).answers }.count == 3)
    }
}

/// Records for tests.
enum Records {
    static func address(lifetime: UInt32) throws -> ResourceRecord {
        ResourceRecord(try DomainName("tv", "local"), .address([10, 0, 0, 1]), lifetime: lifetime, isUnique: true)
    }

    /// A response with a record of each kind.
    static func everything() throws -> Message {
        let type = try DomainName("_http", "_tcp", "local")
        let instance = try DomainName("My. TV ü", "_http", "_tcp", "local")
        let host = try DomainName("tv", "local")
        var message = Message.response([
            ResourceRecord(type, .pointer(instance), lifetime: 4500, isUnique: false),
            ResourceRecord(instance, .service(.init(port: 80, host: host)), lifetime: 120, isUnique: true),
            ResourceRecord(instance, .text([Array("a=b".utf8), Array("c".utf8)]), lifetime: 4500, isUnique: true),
        ])
        message.additionals = [
            ResourceRecord(host, .address([10, 0, 0, 1]), lifetime: 120, isUnique: true),
            ResourceRecord(
                host, .address([0xFE, 0x80] + [UInt8](repeating: 7, count: 14)), lifetime: 120, isUnique: true),
            ResourceRecord(
                host, .denial(next: host, types: [.a, .aaaa, RecordType(rawValue: 1234)]), lifetime: 120, isUnique: true
            ),
        ]
        message.questions = [Question(type, .ptr, wantsUnicast: true), Question(host, .any)]
        return message
    }
}
