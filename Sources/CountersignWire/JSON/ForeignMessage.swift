internal import FoundationEssentialsCompat

/// Reads messages of other servers by one rule: required members must be present, and unreadable optional ones are
/// omitted.
///
/// A member of another type than the standard's, an element of a list that is `null`, and a part of the message that
/// lacks what it needs are removed, from the inside out, until the rest can be read. A number in quotes is read as the
/// number, and `"true"` as the truth value. The members in ``ProvingMessage/provingMembers`` are never repaired or
/// omitted: the message is refused instead.
///
/// `Documentation/OtherProviders.md` has the table of the members that each step needs.
package enum ForeignMessage {
    /// The number of parts that are removed from one message before it is refused.
    private static let mostRepairs = 32
    /// The longest message that is repaired, in bytes: each repair reads it once more.
    private static let longest = 1 << 18

    /// Reads a message.
    ///
    /// - Throws: `DecodingError` when it is no JSON or lacks what it needs, or what the type itself throws.
    package static func read<Message: Decodable>(
        _ type: Message.Type = Message.self,
        from bytes: [UInt8]
    ) throws -> Message {
        let decoder = JSONDecoder()
        let strict: Set<String>? = (type as? any ProvingMessage.Type).map { $0.provingMembers } ?? []
        var data = Data(bytes)
        var whole: JSONValue?
        for _ in 0..<mostRepairs {
            do {
                return try decoder.decode(type, from: data)
            } catch let error as DecodingError {
                guard bytes.count <= longest, let fault = Fault(error), let strict, !strict.contains(fault.member)
                else { throw error }
                var repaired: JSONValue
                if let whole { repaired = whole } else { repaired = try decoder.decode(JSONValue.self, from: data) }
                guard repaired.repair(at: fault.path[...], expecting: fault.expected) else { throw error }
                whole = repaired
                data = try JSONEncoder().encode(repaired)
            }
        }
        return try decoder.decode(type, from: data)
    }

    /// The part of a message that cannot be read.
    private struct Fault {
        let path: [any CodingKey]
        let expected: JSONValue.Kind?

        /// The member of the message that it belongs to.
        var member: String { path.first?.stringValue ?? "" }

        /// `nil` for an error that concerns the message as a whole.
        init?(_ error: DecodingError) {
            switch error {
            case .typeMismatch(let type, let context):
                (path, expected) = (context.codingPath, JSONValue.Kind(of: type))
            case .valueNotFound(_, let context), .keyNotFound(_, let context), .dataCorrupted(let context):
                (path, expected) = (context.codingPath, nil)
            @unknown default: return nil
            }
            guard !path.isEmpty else { return nil }
        }
    }
}

/// A message of another server that serves as a proof, or as the basis of a person's decision.
package protocol ProvingMessage: Decodable {
    /// The wire names of the members that prove or restrict something: an unreadable one must not be treated as
    /// omitted. `nil`, the default, stands for all, as in what a person sees and signs.
    static var provingMembers: Set<String>? { get }
}

extension ProvingMessage {
    package static var provingMembers: Set<String>? { nil }
}

extension Array: ProvingMessage where Element: ProvingMessage {}

// A person approves everything that the server sent, so nothing is omitted.
extension ApproverLookResponse: ProvingMessage {}
extension ApproverDecideResponse: ProvingMessage {}
extension AuthenticatorInbox: ProvingMessage {}
extension AuthenticationRequest: ProvingMessage {}

/// Any parsed JSON value, from which parts can be removed.
private enum JSONValue: Codable {
    case null
    case truth(Bool)
    case integer(Int64)
    case natural(UInt64)
    case real(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// The kinds whose values some servers put into quotes.
    enum Kind {
        case truth, number

        init?(of type: any Any.Type) {
            switch type {
            case is Bool.Type: self = .truth
            case is any BinaryInteger.Type, is any BinaryFloatingPoint.Type: self = .number
            default: return nil
            }
        }
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let object = try? value.decode([String: JSONValue].self) {
            self = .object(object)
        } else if let list = try? value.decode([JSONValue].self) {
            self = .list(list)
        } else if let truth = try? value.decode(Bool.self) {
            self = .truth(truth)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let natural = try? value.decode(UInt64.self) {
            self = .natural(natural)
        } else if let real = try? value.decode(Double.self), real.isFinite {
            self = .real(real)
        } else {
            // Also a number that is too large for any type.
            self = .null
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .truth(let truth): try value.encode(truth)
        case .integer(let integer): try value.encode(integer)
        case .natural(let natural): try value.encode(natural)
        case .real(let real): try value.encode(real)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .object(let object): try value.encode(object)
        }
    }

    /// Reads a quoted value, or removes it; `false` when there is nothing at the path.
    mutating func repair(at path: ArraySlice<any CodingKey>, expecting kind: Kind?) -> Bool {
        guard let key = path.first else { return false }
        let rest = path.dropFirst()
        switch self {
        case .object(var object):
            guard var part = object[key.stringValue] else { return false }
            if rest.isEmpty {
                object[key.stringValue] = part.unquoted(as: kind)
            } else {
                guard part.repair(at: rest, expecting: kind) else { return false }
                object[key.stringValue] = part
            }
            self = .object(object)
            return true
        case .list(var list):
            guard let index = key.intValue, list.indices.contains(index) else { return false }
            if !rest.isEmpty {
                guard list[index].repair(at: rest, expecting: kind) else { return false }
            } else if let value = list[index].unquoted(as: kind) {
                list[index] = value
            } else {
                // All like it at once: a list may have many.
                let name = list[index].kindName
                list.removeAll { $0.kindName == name }
            }
            self = .list(list)
            return true
        case .null, .truth, .integer, .natural, .real, .text: return false
        }
    }

    /// The value that a text puts into quotes; `nil` for any other.
    private func unquoted(as kind: Kind?) -> JSONValue? {
        guard case .text(let text) = self else { return nil }
        switch kind {
        case .truth: return text == "true" ? .truth(true) : text == "false" ? .truth(false) : nil
        case .number:
            if let integer = Int64(text) { return .integer(integer) }
            return Double(text).flatMap { $0.isFinite ? .real($0) : nil }
        case nil: return nil
        }
    }

    private var kindName: String {
        switch self {
        case .null: "null"
        case .truth: "truth"
        case .integer, .natural, .real: "number"
        case .text: "text"
        case .list: "list"
        case .object: "object"
        }
    }
}
