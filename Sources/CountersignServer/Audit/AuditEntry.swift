public import Countersign
internal import Crypto
public import Foundation

/// One thing that happened, and its link to the one before.
///
/// The hash covers all fields and the hash of the entry before. So an entry that is changed, removed or put elsewhere
/// breaks the chain. It holds no secrets and no codes.
public struct AuditEntry: Sendable, Equatable {
    /// What an entry tells: everything but its place in the chain.
    public struct Facts: Sendable, Equatable {
        public let at: Date
        public let act: AuditAct
        public let by: AuditActor
        /// The person whom it concerns.
        public let subject: Subject?
        public let client: ClientID?
        public let request: SignInRequest.ID?
        /// The network address from which it was done.
        public let address: String?
        /// What else there is to know, in words.
        public let detail: String?

        public init(
            at: Date,
            _ act: AuditAct,
            by actor: AuditActor,
            subject: Subject? = nil,
            client: ClientID? = nil,
            request: SignInRequest.ID? = nil,
            address: String? = nil,
            detail: String? = nil
        ) {
            self.at = at
            self.act = Self.storable(act)
            by = actor
            self.subject = subject.map(Self.storable)
            self.client = client.map(Self.storable)
            self.request = request.map(Self.storable)
            self.address = address.map(Self.storable)
            self.detail = detail.map(Self.storable)
        }

        private static func storable<Kind: Identifier>(_ identifier: Kind) -> Kind {
            identifier.rawValue.utf8.contains(0) ? Kind(rawValue: storable(identifier.rawValue)) : identifier
        }

        /// Stores keep no U+0000: the hash must cover the text that they give back.
        private static func storable(_ text: String) -> String {
            text.utf8.contains(0) ? text.replacing("\0", with: "\u{FFFD}") : text
        }
    }

    /// Counted from 1, without gaps.
    public let number: Int
    public let facts: Facts
    /// The hash of the entry before.
    public let previous: AuditHash
    public let hash: AuditHash

    /// The entry that follows `head` with `facts`.
    public init(_ facts: Facts, after head: AuditPlace) {
        number = head.number + 1
        self.facts = facts
        previous = head.hash
        hash = AuditHash(of: facts, number: number, after: head.hash)
    }

    /// An entry as it was stored, whether its hash fits or not.
    package init(restoring number: Int, _ facts: Facts, previous: AuditHash, hash: AuditHash) {
        self.number = number
        self.facts = facts
        self.previous = previous
        self.hash = hash
    }

    public var place: AuditPlace { AuditPlace(number: number, hash: hash) }
}

/// An entry's number and hash: with these, whoever notes them elsewhere can tell later whether it is still the same.
public struct AuditPlace: Sendable, Equatable {
    public let number: Int
    public let hash: AuditHash

    package init(number: Int, hash: AuditHash) {
        self.number = number
        self.hash = hash
    }

    /// Before the first entry.
    public static let beginning = AuditPlace(number: 0, hash: AuditHash(restoring: [UInt8](repeating: 0, count: 32)))
}

/// A hash in the chain.
public struct AuditHash: Sendable, Hashable, CustomStringConvertible {
    /// 32 bytes.
    public let bytes: [UInt8]

    package init(restoring bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// SHA-256 over the hash before, the number, the instant and every text with its length before it.
    init(of facts: AuditEntry.Facts, number: Int, after previous: AuditHash) {
        var message = previous.bytes
        message.reserveCapacity(256)
        func append(_ number: UInt64) {
            withUnsafeBytes(of: number.bigEndian) { message.append(contentsOf: $0) }
        }
        func append(_ text: String?) {
            // An absent text is told from an empty one by a length that no text has.
            guard let text else { return append(UInt64.max) }
            append(UInt64(text.utf8.count))
            message.append(contentsOf: text.utf8)
        }
        append(UInt64(bitPattern: Int64(number)))
        append(facts.at.timeIntervalSinceReferenceDate.bitPattern)
        append(facts.act.rawValue)
        append(facts.by.rawValue)
        append(facts.subject?.rawValue)
        append(facts.client?.rawValue)
        append(facts.request?.rawValue)
        append(facts.address)
        append(facts.detail)
        bytes = Array(SHA256.hash(data: message))
    }

    /// In hexadecimal.
    public var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
