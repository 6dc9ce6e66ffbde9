/// A member of a JSON message with a wire form that differs from its type's.
@propertyWrapper
public struct Member<Form: MemberForm>: Sendable, Equatable, Codable {
    /// The value of the member.
    public var wrappedValue: Form.Value

    /// Creates a member.
    public init(wrappedValue: Form.Value) { self.wrappedValue = wrappedValue }

    public init(from decoder: any Decoder) throws { wrappedValue = try Form.read(from: decoder) }

    public func encode(to encoder: any Encoder) throws { try Form.write(wrappedValue, to: encoder) }
}

/// The form of a member in a message.
public protocol MemberForm {
    /// The type of the member's value.
    associatedtype Value: Sendable, Equatable
    /// The value of a member that is omitted, or `null`; `nil`, the default, for a required one.
    static var missing: Value? { get }

    /// Reads an existing value; with its type's decoding by default.
    ///
    /// - Parameter decoder: The decoder of the member.
    /// - Throws: `DecodingError` for a value that is malformed.
    static func read(from decoder: any Decoder) throws -> Value

    /// Writes a value of the message; with its type's encoding by default.
    ///
    /// - Parameters:
    ///   - value: The value of the member.
    ///   - encoder: The encoder of the member.
    /// - Throws: `EncodingError` from the encoder.
    static func write(_ value: Value, to encoder: any Encoder) throws
}

extension MemberForm {
    /// None: the member is required.
    public static var missing: Value? { nil }
}

extension MemberForm where Value: Decodable {
    public static func read(from decoder: any Decoder) throws -> Value { try Value(from: decoder) }
}

extension MemberForm where Value: Encodable {
    public static func write(_ value: Value, to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension KeyedDecodingContainer {
    /// Reads a member; the compiler puts this into the messages that have one.
    func decode<Form>(_ type: Member<Form>.Type, forKey key: Key) throws -> Member<Form> {
        if let member = try decodeIfPresent(type, forKey: key) { return member }
        guard let missing = Form.missing else {
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing"))
        }
        return Member(wrappedValue: missing)
    }

    /// Reads a member that counts as left out if it cannot be read.
    func decode<Form>(_ type: Member<TolerantForm<Form>?>.Type, forKey key: Key) -> Member<TolerantForm<Form>?> {
        Member(wrappedValue: (try? decodeIfPresent(Member<Form>.self, forKey: key))?.wrappedValue)
    }
}

extension KeyedEncodingContainer {
    /// Writes an optional member; the compiler uses it in messages that have one.
    mutating func encode<Form>(_ member: Member<Form?>, forKey key: Key) throws {
        try encodeIfPresent(member.wrappedValue.map { Member<Form>(wrappedValue: $0) }, forKey: key)
    }

    /// Writes the granted scope, if any.
    mutating func encode(_ member: Member<GrantedScopeForm>, forKey key: Key) throws {
        try encodeIfPresent(member.wrappedValue?.description, forKey: key)
    }
}
