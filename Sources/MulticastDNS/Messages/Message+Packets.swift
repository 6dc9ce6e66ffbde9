extension Message {
    /// The most that goes into one packet: what fits a frame of 1500 bytes beside the headers of version 6 and UDP.
    package static let usualPacket = 1452
    /// The most that goes into a packet with one record that needs more, headers included (RFC 6762 §17).
    package static let largestPacket = 9000 - 48

    /// The packets that hold this message.
    ///
    /// Questions, then known answers: a packet that others follow says so, and the others have no questions (RFC 6762
    /// §7.2). Answers spread over as many packets as they need. Additional records are left out where the last packet has no
    /// room for them: nobody relies on them. A record that fits none is left out.
    package func packets(shorteningHosts: Bool = true, limit: Int = usualPacket) -> [[UInt8]] {
        var packets = PacketSeries(self, shorteningHosts: shorteningHosts, limit: limit)
        for question in questions { packets.add(question) }
        for record in answers { packets.add(record, to: .answers) }
        for record in authorities { packets.add(record, to: .authorities) }
        for record in additionals where packets.hasRoom { packets.addIfItFits(record) }
        return packets.finished
    }
}

/// Packets of one message while they are filled.
private struct PacketSeries {
    enum Section: Int {
        case questions, answers, authorities, additionals
    }

    private let empty: Message
    private let shortensHosts: Bool
    private let limit: Int
    private var writer: MessageWriter
    private var counts = [0, 0, 0, 0]
    private var done: [[UInt8]] = []
    private(set) var hasRoom = true

    init(_ message: Message, shorteningHosts: Bool, limit: Int) {
        empty = message
        shortensHosts = shorteningHosts
        self.limit = limit
        writer = MessageWriter(message, shorteningHosts: shorteningHosts)
    }

    mutating func add(_ question: Question) {
        if !fits(.questions, { $0.question(question) }) {
            close(othersFollow: false)
            _ = fits(.questions) { $0.question(question) }
        }
    }

    mutating func add(_ record: ResourceRecord, to section: Section) {
        let write = { (writer: inout MessageWriter) in try writer.record(record) }
        if fits(section, write) { return }
        if counts != [0, 0, 0, 0] { close(othersFollow: section == .answers && !empty.isResponse) }
        // Alone, it may be longer than others together.
        _ = fits(section, limit: Message.largestPacket, write)
    }

    mutating func addIfItFits(_ record: ResourceRecord) {
        hasRoom = fits(.additionals) { try $0.record(record) }
    }

    var finished: [[UInt8]] {
        var last = self
        if counts != [0, 0, 0, 0] || done.isEmpty { last.close(othersFollow: false) }
        return last.done
    }

    private mutating func fits(
        _ section: Section,
        limit: Int? = nil,
        _ write: (inout MessageWriter) throws -> Void
    ) -> Bool {
        var tried = writer
        guard (try? write(&tried)) != nil, tried.packet.count <= limit ?? self.limit else { return false }
        writer = tried
        counts[section.rawValue] += 1
        return true
    }

    private mutating func close(othersFollow: Bool) {
        writer.setCounts(counts)
        if othersFollow { writer.setTruncated() }
        done.append(writer.packet)
        writer = MessageWriter(empty, shorteningHosts: shortensHosts)
        counts = [0, 0, 0, 0]
    }
}
