extension Message {
    /// The largest usual packet: it fits a frame of 1500 bytes with the headers of IPv6 and UDP.
    package static let usualPacket = 1452
    /// The largest packet for a single record that needs more: 9000 bytes including the headers (RFC 6762 §17).
    package static let largestPacket = 9000 - 48

    /// The packets that hold this message.
    ///
    /// In a query, questions come first, then known answers; a packet that others follow has the TC bit set, and the
    /// others have no questions (RFC 6762 §7.2). Answers use as many packets as they need. Additional records are
    /// omitted when the last packet has no room for them: no receiver relies on them. A record that fits no packet is
    /// omitted.
    ///
    /// - Parameter shorteningHosts: Whether the host name in an SRV record may be compressed.
    package func packets(shorteningHosts: Bool = true, limit: Int = usualPacket) -> [[UInt8]] {
        var packets = PacketSeries(self, shorteningHosts: shorteningHosts, limit: limit)
        for question in questions { packets.add(question) }
        for record in answers { packets.add(record, to: .answers) }
        for record in authorities { packets.add(record, to: .authorities) }
        for record in additionals where packets.hasRoom { packets.addIfItFits(record) }
        return packets.finished
    }
}

/// The packets of one message while they are written.
private struct PacketSeries {
    /// The four parts of a message, in their order on the wire.
    enum Section: Int {
        case questions, answers, authorities, additionals
    }

    /// The message without questions and records; each packet begins with its header.
    private let empty: Message
    /// Whether the host name in an SRV record may be compressed.
    private let shortensHosts: Bool
    /// The most bytes that a packet may have.
    private let limit: Int
    /// Writes the packet that is being filled.
    private var writer: MessageWriter
    /// The number of entries in each section of that packet.
    private var counts = [0, 0, 0, 0]
    /// The packets that are full.
    private var done: [[UInt8]] = []
    /// Whether the last additional record fitted.
    private(set) var hasRoom = true

    /// Begins the first packet of a message.
    ///
    /// - Parameters:
    ///   - message: The message; its header is repeated in each packet.
    ///   - shorteningHosts: Whether the host name in an SRV record may be compressed.
    init(_ message: Message, shorteningHosts: Bool, limit: Int) {
        empty = message
        shortensHosts = shorteningHosts
        self.limit = limit
        writer = MessageWriter(message, shorteningHosts: shorteningHosts)
    }

    /// Adds a question, in a new packet when the current one is full.
    mutating func add(_ question: Question) {
        if !fits(.questions, { $0.question(question) }) {
            close(othersFollow: false)
            _ = fits(.questions) { $0.question(question) }
        }
    }

    /// Adds a record to a section, in a further packet when the present one is full.
    mutating func add(_ record: ResourceRecord, to section: Section) {
        let write = { (writer: inout MessageWriter) in try writer.record(record) }
        if fits(section, write) { return }
        if counts != [0, 0, 0, 0] { close(othersFollow: section == .answers && !empty.isResponse) }
        // A single record may use a larger packet.
        _ = fits(section, limit: Message.largestPacket, write)
    }

    /// Adds a record to the last section if it fits; additional records are optional.
    mutating func addIfItFits(_ record: ResourceRecord) { hasRoom = fits(.additionals) { try $0.record(record) } }

    /// All packets, the last one included.
    var finished: [[UInt8]] {
        var last = self
        if counts != [0, 0, 0, 0] || done.isEmpty { last.close(othersFollow: false) }
        return last.done
    }

    /// Writes an entry, and removes it again if the packet becomes too long.
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

    /// Ends the present packet and begins another one.
    private mutating func close(othersFollow: Bool) {
        writer.setCounts(counts)
        if othersFollow { writer.setTruncated() }
        done.append(writer.packet)
        writer = MessageWriter(empty, shorteningHosts: shortensHosts)
        counts = [0, 0, 0, 0]
    }
}
