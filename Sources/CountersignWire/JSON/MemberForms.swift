/// An optional member.
extension Optional: MemberForm where Wrapped: MemberForm {
    public typealias Value = Wrapped.Value?
    /// No value.
    public static var missing: Value? { .some(nil) }

    public static func read(from decoder: any Decoder) throws -> Value { try Wrapped.read(from: decoder) }

    public static func write(_ value: Value, to encoder: any Encoder) throws {
        if let value { try Wrapped.write(value, to: encoder) }
    }
}

/// A secret, in the clear: for the message that carries it to its owner.
public enum SecretForm<Value: Secret>: MemberForm {
    public static func read(from decoder: any Decoder) throws -> Value { Value(revealing: try String(from: decoder)) }

    public static func write(_ value: Value, to encoder: any Encoder) throws { try value.revealed.encode(to: encoder) }
}

/// A number of seconds, 0 or more: read from a number or from a number in quotes, which some servers send.
public enum SecondsForm: MemberForm {
    public static func read(from decoder: any Decoder) throws -> Int {
        let value = try decoder.singleValueContainer()
        let number = try (try? value.decode(Double.self)) ?? Double(value.decode(String.self)) ?? .nan
        guard number.isFinite, number >= 0, number < 1e12 else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "no whole number of seconds")
        }
        return Int(number)
    }
}

/// The form of the type of a value.
public enum PlainForm<Value: Codable & Sendable & Equatable>: MemberForm {}

/// The form of an optional member that counts as omitted if it is unreadable.
public enum TolerantForm<Form: MemberForm>: MemberForm {
    public static func read(from decoder: any Decoder) throws -> Form.Value { try Form.read(from: decoder) }

    public static func write(_ value: Form.Value, to encoder: any Encoder) throws { try Form.write(value, to: encoder) }
}

/// A secret of a message, in the clear.
public typealias SecretMember<Value: Secret> = Member<SecretForm<Value>>
/// An optional secret.
public typealias OptionalSecretMember<Value: Secret> = Member<SecretForm<Value>?>
/// A number of seconds, which may be read from text.
public typealias SecondsMember = Member<SecondsForm>
/// An optional number of seconds.
public typealias OptionalSecondsMember = Member<SecondsForm?>
/// An optional member that counts as omitted if it is unreadable.
public typealias TolerantMember<Value: Codable & Sendable & Equatable> = Member<TolerantForm<PlainForm<Value>>?>
