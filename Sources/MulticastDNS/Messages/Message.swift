/// One message: questions, or answers.
///
/// Standard: RFC 1035 §4.1, RFC 6762 §18.
package struct Message: Hashable, Sendable {
    /// 0 in multicast; the answer to a plain resolver repeats that of the question.
    package var identifier: UInt16 = 0
    /// Whether it is a response; otherwise it is a query.
    package var isResponse: Bool
    /// 0 for standard queries; messages with other codes are ignored.
    package var operation: UInt8 = 0
    /// Always set in responses.
    package var isAuthoritative: Bool
    /// The TC bit. Further known answers follow in another packet, in queries.
    package var isTruncated = false
    /// 0 for success; messages with other codes are ignored.
    package var failure: UInt8 = 0
    /// The questions. Only responses to plain resolvers have any.
    package var questions: [Question] = []
    /// The answers; in a query the known answers.
    package var answers: [ResourceRecord] = []
    /// The records that the sender intends to publish, in probes.
    package var authorities: [ResourceRecord] = []
    /// Records that were not asked for but are likely to be useful.
    package var additionals: [ResourceRecord] = []

    /// An empty message.
    private init(isResponse: Bool) {
        self.isResponse = isResponse
        isAuthoritative = isResponse
    }

    package static func query(_ questions: [Question] = []) -> Message {
        var message = Message(isResponse: false)
        message.questions = questions
        return message
    }

    /// A response, which says that its sender is the authority for its records.
    package static func response(_ answers: [ResourceRecord] = []) -> Message {
        var message = Message(isResponse: true)
        message.answers = answers
        return message
    }

    /// Whether it is a probe: its sender intends to use the queried names.
    package var isProbe: Bool { !isResponse && !authorities.isEmpty }
}

extension Message {
    /// Reads a packet; bytes after the last record are ignored.
    ///
    /// - Throws: ``MessageError``.
    package init(parsing packet: [UInt8]) throws(MessageError) {
        var reader = MessageReader(packet)
        let identifier = try reader.number()
        let flags = try reader.number()
        self.init(isResponse: flags & 0x8000 != 0)
        self.identifier = identifier
        operation = UInt8(flags >> 11 & 0xF)
        isAuthoritative = flags & 0x0400 != 0
        isTruncated = flags & 0x0200 != 0
        failure = UInt8(flags & 0xF)
        let counts = (try reader.number(), try reader.number(), try reader.number(), try reader.number())
        guard counts.0 <= Self.mostQuestions else { throw .tooManyQuestions }
        for _ in 0..<counts.0 { questions.append(try reader.question()) }
        for _ in 0..<counts.1 { answers.append(try reader.record()) }
        for _ in 0..<counts.2 { authorities.append(try reader.record()) }
        for _ in 0..<counts.3 { additionals.append(try reader.record()) }
    }

    /// The largest number of questions: more than a packet of the usual size has room for.
    private static let mostQuestions = 256

    /// The second field of the header.
    ///
    /// Standard: RFC 1035 §4.1.1.
    var flags: UInt16 {
        (isResponse ? 0x8000 : 0) | UInt16(operation & 0xF) << 11 | (isAuthoritative ? 0x0400 : 0)
            | (isTruncated ? 0x0200 : 0) | UInt16(failure & 0xF)
    }
}
