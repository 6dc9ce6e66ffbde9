/// An object of JSON, by its members; one that is `nil` is omitted.
struct OutputMembers: Encodable, Sendable, ExpressibleByDictionaryLiteral {
    private var members: [String: any Encodable & Sendable] = [:]

    init(dictionaryLiteral elements: (String, (any Encodable & Sendable)?)...) {
        for (name, value) in elements { members[name] = value }
    }

    /// The object with one more member.
    func adding(_ name: String, _ value: (any Encodable & Sendable)?) -> OutputMembers {
        var more = self
        more.members[name] = value
        return more
    }

    /// The object with the members of another one.
    func merging(_ other: OutputMembers) -> OutputMembers {
        var more = self
        more.members.merge(other.members) { $1 }
        return more
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
