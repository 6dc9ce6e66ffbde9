public import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps text messages as files on this machine in place of sending them, for trials and for programs that send them
/// on.
///
/// Each is a JSON file that only the server's user can read. A message that is sent again takes the place of itself.
public struct OutboxGateway: SMSGateway {
    /// A message in the outbox.
    public struct OutboxMessage: Sendable, Equatable, Codable {
        /// The identifier of the delivery.
        public let id: Delivery.ID
        /// The number, in its international form.
        public let to: String
        /// The words in the clear.
        public let text: String
        /// The time when it was kept.
        public let kept: Date
        /// The expiry of the message.
        public let expires: Date
    }

    private let directory: PrivateDirectory
    private let clock: TimeSource

    /// An outbox in a directory, which is made with the first message.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - clock: The time; `TimeSource.system` outside tests.
    public init(at path: String, clock: TimeSource) {
        directory = PrivateDirectory(path: path)
        self.clock = clock
    }

    /// Keeps a message as a file, on disk before this returns.
    ///
    /// - Parameter message: Number, words and expiry, with the identifier of all attempts.
    /// - Returns: `accepted`, or `retry` when the file cannot be written.
    public func send(_ message: TextMessage) async -> DeliveryOutcome {
        let kept = OutboxMessage(
            id: message.id,
            to: message.number.text,
            text: message.text.revealed,
            kept: clock.now(),
            expires: message.expires
        )
        do {
            try directory.make()
            try directory.replace(Self.name(of: message.id), by: Self.bytes(of: kept))
            return .accepted
        } catch {
            return .retry("the outbox cannot be written: \(error)")
        }
    }

    /// The messages in an outbox, the oldest first.
    ///
    /// - Parameter path: The directory; none is an empty outbox.
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

    /// Removes the messages that were kept before an instant; returns how many.
    ///
    /// - Parameters:
    ///   - instant: Messages that were kept earlier are removed.
    ///   - path: The directory.
    /// - Throws: `PrivateFileError` when a file cannot be read or removed.
    public static func clear(before instant: Date, at path: String) throws -> Int {
        let directory = PrivateDirectory(path: path)
        let old = try messages(at: path).filter { $0.kept < instant }
        for message in old { try directory.remove(name(of: message.id)) }
        return old.count
    }

    /// A file name that any identifier can have.
    private static func name(of id: Delivery.ID) -> String {
        "\(HexadecimalText.encode(SecretDigest(of: id.rawValue).bytes.prefix(16))).json"
    }

    private static func bytes(of kept: OutboxMessage) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(kept))
    }
}
