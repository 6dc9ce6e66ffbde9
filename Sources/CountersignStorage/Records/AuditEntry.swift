internal import Crypto
public import FoundationEssentialsCompat

/// One event, linked to the previous entry.
///
/// The hash covers all fields and the hash of the previous entry, so a changed, removed or moved entry breaks the
/// chain. An entry has no secrets and no codes.
public struct AuditEntry: Sendable, Equatable {
    /// The content of an entry, without its place in the chain.
    public struct Facts: Sendable, Equatable {
        /// The time of the event, by the server's clock.
        public let at: Date
        /// The kind of event.
        public let act: AuditAct
        /// The party that did it.
        public let by: AuditActor
        /// The person whom it concerns; `nil` when it concerns none.
        public let subject: Subject?
        /// The client that it concerns; `nil` when it concerns none.
        public let client: ClientID?
        /// The request for sign-in that it concerns; `nil` when it concerns none.
        public let request: SignInRequest.ID?
        /// The network address of the party that did it; `nil` when there was none, as for an operator.
        public let address: String?
        /// Further facts in words; `nil` when there are none.
        public let detail: String?

        /// Creates the content of an entry. U+0000 in a text becomes U+FFFD, because databases cannot store it.
        ///
        /// - Parameters:
        ///   - at: The time of the event, by the server's clock.
        ///   - act: The kind of event.
        ///   - actor: The party that did it.
        ///   - subject: The person whom it concerns; `nil` by default.
        ///   - client: The client that it concerns; `nil` by default.
        ///   - request: The request for sign-in that it concerns; `nil` by default.
        ///   - address: The network address of the party that did it; `nil` by default.
        ///   - detail: Further facts in words, without secrets; `nil` by default.
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

    /// Its number, counted from 1 without gaps.
    public let number: Int
    /// The content of the entry.
    public let facts: Facts
    /// The hash of the previous entry.
    public let previous: AuditHash
    /// The hash of this entry.
    public let hash: AuditHash

    /// Creates the entry that follows `head`.
    ///
    /// - Parameters:
    ///   - facts: The content of the entry.
    ///   - head: The place of the last entry, read in the same change that appends this one.
    public init(_ facts: Facts, after head: AuditPosition) {
        number = head.number + 1
        self.facts = facts
        previous = head.hash
        hash = AuditHash(of: facts, number: number, after: head.hash)
    }

    /// Restores a stored entry, without checking its hash.
    package init(restoring number: Int, _ facts: Facts, previous: AuditHash, hash: AuditHash) {
        self.number = number
        self.facts = facts
        self.previous = previous
        self.hash = hash
    }

    /// Its number and hash.
    public var place: AuditPosition { AuditPosition(number: number, hash: hash) }
}

/// The number and hash of an entry. A copy elsewhere reveals later changes of the entry.
public struct AuditPosition: Sendable, Equatable {
    /// The entry's number; 0 before the first entry.
    public let number: Int
    /// The entry's hash.
    public let hash: AuditHash

    package init(number: Int, hash: AuditHash) {
        self.number = number
        self.hash = hash
    }

    /// The place before the first entry.
    public static let beginning = AuditPosition(number: 0, hash: AuditHash(restoring: [UInt8](repeating: 0, count: 32)))
}

/// The SHA-256 hash of an entry in the chain.
public struct AuditHash: Sendable, Hashable, CustomStringConvertible {
    /// 32 bytes.
    public let bytes: [UInt8]

    package init(restoring bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// SHA-256 over the previous hash, the number, the instant and every text after its length.
    package init(of facts: AuditEntry.Facts, number: Int, after previous: AuditHash) {
        var message = previous.bytes
        message.reserveCapacity(256)
        func append(_ number: UInt64) {
            withUnsafeBytes(of: number.bigEndian) { message.append(contentsOf: $0) }
        }
        func append(_ text: String?) {
            // An absent text is encoded as a length that no text has, which differs from an empty text.
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
        HexadecimalText.encode(bytes)
    }
}
