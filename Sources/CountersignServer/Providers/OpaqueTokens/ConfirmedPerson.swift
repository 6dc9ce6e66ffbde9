internal import FoundationEssentialsCompat

/// The person whom a provider named for a token that only the provider can read.
struct ConfirmedPerson: Sendable, Equatable {
    /// The longest identifier of a person, in bytes.
    static let longestSubject = 255

    /// The person's identifier at the provider.
    let subject: String
    /// The name, as the provider wrote it.
    let name: String?
    /// The time of the request to the provider.
    let confirmed: Date
    /// The expiry of the token; `nil` when the provider names none.
    let expires: Date?

    /// - Throws: ``ProviderError`` for an identifier that is none.
    init(subject: String, name: String?, confirmed: Date, expires: Date? = nil) throws(ProviderError) {
        guard (1...Self.longestSubject).contains(subject.utf8.count) else {
            throw ProviderError(.badAnswer, because: "the person’s identifier is empty or too long")
        }
        self.subject = subject
        self.name = name
        self.confirmed = confirmed
        self.expires = expires
    }
}

/// An identifier that a provider writes as text or, at other times, as a number.
struct StringOrNumber: Decodable, Equatable {
    let text: String

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self.text = text
        } else {
            text = String(try value.decode(Int64.self))
        }
    }
}
