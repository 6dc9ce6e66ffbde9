internal import FoundationEssentialsCompat

/// The members of an object in the configuration, among which is none that its reader does not know.
struct StrictMembers<Key: CodingKey & CaseIterable> {
    private let members: KeyedDecodingContainer<Key>

    /// Reads the names of the members.
    ///
    /// - Throws: `DecodingError` for what is no object, and for an unknown member.
    init(_ decoder: any Decoder) throws {
        let known = Key.allCases.map(\.stringValue)
        let all = try decoder.container(keyedBy: AnyName.self)
        if let unknown = all.allKeys.first(where: { !known.contains($0.stringValue) }) {
            let sentence = "There is no such member. Known are: \(known.sorted().joined(separator: ", "))."
            throw DecodingError.dataCorruptedError(forKey: unknown, in: all, debugDescription: sentence)
        }
        members = try decoder.container(keyedBy: Key.self)
    }

    /// A member that has to be there.
    func needed<Value: Decodable>(_ key: Key) throws -> Value { try members.decode(Value.self, forKey: key) }

    /// A member that may be left out.
    func optional<Value: Decodable>(_ key: Key) throws -> Value? {
        try members.decodeIfPresent(Value.self, forKey: key)
    }

    /// A whole number in a range; `nil` when it is left out.
    func number(_ key: Key, in range: ClosedRange<Int>) throws -> Int? {
        guard let number: Int = try optional(key) else { return nil }
        guard range.contains(number) else {
            throw error(at: key, "It takes a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// Text that `parse` reads; `nil` when it is left out.
    func parsed<Value>(_ key: Key, orSay sentence: String, _ parse: (String) -> Value?) throws -> Value? {
        guard let text: String = try optional(key) else { return nil }
        guard let value = parse(text) else { throw error(at: key, sentence) }
        return value
    }

    /// Texts that `parse` reads; `nil` when the list is left out.
    func list<Value>(_ key: Key, orSay sentence: String, _ parse: (String) -> Value?) throws -> [Value]? {
        guard let texts: [String] = try optional(key) else { return nil }
        return try texts.map { text in
            guard let value = parse(text) else { throw error(at: key, "\(text): \(sentence)") }
            return value
        }
    }

    /// The failure of a member, with a sentence for the operator.
    func error(at key: Key, _ sentence: String) -> DecodingError {
        DecodingError.dataCorruptedError(forKey: key, in: members, debugDescription: sentence)
    }

    /// The failure of an element of a list.
    func error(at key: Key, _ place: Int, _ sentence: String) -> DecodingError {
        let path = members.codingPath + [key, AnyName(intValue: place)]
        return DecodingError.dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: sentence))
    }

    /// A name of any member, or a place in a list.
    private struct AnyName: CodingKey {
        let stringValue: String
        let intValue: Int?

        init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
        init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
    }
}
