public import FoundationEssentialsCompat

/// Writes text messages and mails to files on this machine, for trials and for programs that forward them.
///
/// Each is a JSON file that only the server's user can read. A repeated message replaces its file.
public struct OutboxGateway: SMSGateway, MailGateway {
    /// A message in the outbox.
    public struct OutboxMessage: Sendable, Equatable, Codable {
        /// The identifier of the delivery.
        public let id: Delivery.ID
        /// The number in the international form, or the e-mail address.
        public let to: String
        /// The subject of a mail; `nil` for a text message.
        public let subject: String?
        /// The words in the clear.
        public let text: String
        /// The same words of a mail as HTML; `nil` for a text message.
        public let html: String?
        /// The time when it was written.
        public let kept: Date
        /// The expiry of the message.
        public let expires: Date
    }

    private let directory: PrivateDirectory
    private let clock: TimeSource

    /// Creates an outbox in a directory, which the first message creates.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - clock: The time; `TimeSource.system` outside tests.
    public init(at path: String, clock: TimeSource) {
        directory = PrivateDirectory(path: path)
        self.clock = clock
    }

    /// Writes a message durably to a file.
    ///
    /// - Parameter message: The number, the words and the expiry, with the identifier of all attempts.
    /// - Returns: `accepted`, or `retry` when the file cannot be written.
    public func send(_ message: TextMessage) async -> DeliveryOutcome {
        keep(
            OutboxMessage(
                id: message.id, to: message.number.text, subject: nil, text: message.text.revealed, html: nil,
                kept: clock.now(), expires: message.expires))
    }

    /// Writes a mail durably to a file.
    ///
    /// - Parameter mail: The mail, with the identifier of all attempts.
    /// - Returns: `accepted`, or `retry` when the file cannot be written.
    public func send(_ mail: Mail) async -> DeliveryOutcome {
        keep(
            OutboxMessage(
                id: mail.id, to: mail.to.address.rawValue, subject: mail.content.subject, text: mail.content.text,
                html: mail.content.html, kept: clock.now(), expires: mail.expires))
    }

    private func keep(_ kept: OutboxMessage) -> DeliveryOutcome {
        do {
            try directory.make()
            try directory.replace(Self.name(of: kept.id), by: Self.bytes(of: kept))
            return .accepted
        } catch {
            return .retry("the outbox cannot be written: \(error)")
        }
    }

    /// The messages in an outbox, the oldest first.
    ///
    /// - Parameter path: The directory; a missing one is an empty outbox.
    /// - Throws: `PrivateFileError` when a file cannot be read or removed.
    public static func messages(at path: String) throws -> [OutboxMessage] {
        let directory = PrivateDirectory(path: path)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        var messages: [OutboxMessage] = []
        for name in try directory.names() where name.hasSuffix(".json") {
            // A file may be removed while the outbox is listed.
            guard let bytes = try directory.read(name),
                let kept = try? decoder.decode(OutboxMessage.self, from: Data(bytes))
            else { continue }
            messages.append(kept)
        }
        return messages.sorted { ($0.kept, $0.id.rawValue) < ($1.kept, $1.id.rawValue) }
    }

    /// Removes the messages that were written before an instant; returns how many.
    ///
    /// - Parameters:
    ///   - instant: The earliest time of the remaining messages.
    ///   - path: The directory.
    /// - Throws: `PrivateFileError` when a file cannot be read or removed.
    public static func clear(before instant: Date, at path: String) throws -> Int {
        let directory = PrivateDirectory(path: path)
        let old = try messages(at: path).filter { $0.kept < instant }
        for message in old { try directory.remove(name(of: message.id)) }
        return old.count
    }

    /// The file name for an identifier.
    private static func name(of id: Delivery.ID) -> String {
        "\(id.reference).json"
    }

    private static func bytes(of kept: OutboxMessage) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(kept))
    }
}
