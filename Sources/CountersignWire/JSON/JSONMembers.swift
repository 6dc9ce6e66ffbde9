/// The members of a JSON object that is read often, such as the claims of a token: without the general decoder, which
/// takes longer than the check of a signature.
///
/// A member that is `null` counts as left out. Standard: RFC 8259 §4; RFC 7519 §4 (no claim twice).
struct JSONMembers {
    /// The named member occurs twice, or its value is of another kind than it has to be.
    struct Unexpected: Error, Equatable {
        let name: String
    }

    private let members: [JSONScanner.Member]

    /// Reads an object; `nil` when the bytes are no JSON, or something else than an object.
    init?(_ bytes: [UInt8]) {
        var scanner = JSONScanner(bytes)
        guard let members = try? scanner.object() else { return nil }
        self.members = members
    }

    /// The value of a member; `nil` when there is none.
    private func value(_ name: String) throws(Unexpected) -> JSONScanner.Value? {
        var found: JSONScanner.Value?
        for member in members where member.name == name {
            guard found == nil else { throw Unexpected(name: name) }
            found = member.value
        }
        return found == .other(json: "null") ? nil : found
    }

    /// The value of a member as text; `nil` when there is none.
    func text(_ name: String) throws(Unexpected) -> String? {
        switch try value(name) {
        case .text(let text): return text
        case .other: throw Unexpected(name: name)
        case nil: return nil
        }
    }

    /// The value of a member as a whole number, rounded down; `nil` when there is none.
    func number(_ name: String) throws(Unexpected) -> Int? {
        switch try value(name) {
        case .other(let json):
            if let number = Int(json) { return number }
            guard let number = Double(json), abs(number) < 0x1p53 else { throw Unexpected(name: name) }
            return Int(number.rounded(.down))
        case .text: throw Unexpected(name: name)
        case nil: return nil
        }
    }

    /// The value of a member as a list of texts; one text alone is a list of one. `nil` when there is none.
    func texts(_ name: String, orOne mayBeOne: Bool) throws(Unexpected) -> [String]? {
        switch try value(name) {
        case .text(let text):
            guard mayBeOne else { throw Unexpected(name: name) }
            return [text]
        case .other(let json):
            var scanner = JSONScanner(Array(json.utf8))
            guard let texts = try? scanner.texts() else { throw Unexpected(name: name) }
            return texts
        case nil: return nil
        }
    }

    /// The value of a member as a truth value, which may also be written as text; `nil` when there is none.
    func truth(_ name: String) throws(Unexpected) -> Bool? {
        switch try value(name) {
        case .other(json: "true"): return true
        case .other(json: "false"): return false
        case .text(let text): return text == "true"
        case .other: throw Unexpected(name: name)
        case nil: return nil
        }
    }
}
