/// The members of a JSON object that is read often, such as the claims of a token: without the general decoder, which
/// takes longer than the check of a signature.
///
/// A member that is `null` counts as left out. Standard: RFC 8259 §4; RFC 7519 §4 (no claim twice).
struct JSONMembers {
    /// The named member occurs twice, or its value is of another kind than it has to be.
    struct UnexpectedMemberError: Error, Equatable {
        let name: String
    }

    private let scanner: JSONScanner
    private let members: JSONScanner.MemberList

    /// Reads an object; `nil` when the bytes are not a JSON object.
    init?(_ bytes: [UInt8]) {
        var scanner = JSONScanner(bytes)
        guard let members = try? scanner.places() else { return nil }
        self.scanner = scanner
        self.members = members
    }

    /// Returns the position of a member's value; `nil` when there is none.
    private func value(_ name: String) throws(UnexpectedMemberError) -> JSONScanner.ValueRange? {
        let named = scanner.members(named: name, among: members)
        guard named.count <= 1 else { throw UnexpectedMemberError(name: name) }
        guard let index = named.first else { return nil }
        let value = members.all[index].value
        if case .other(let place) = value, scanner.isWritten("null", at: place) { return nil }
        return value
    }

    /// The value of a member as text; `nil` when there is none.
    func text(_ name: String) throws(UnexpectedMemberError) -> String? {
        switch try value(name) {
        case .text(let place): return scanner.text(at: place)
        case .other: throw UnexpectedMemberError(name: name)
        case nil: return nil
        }
    }

    /// The value of a member as a whole number, rounded down; `nil` when there is none.
    func number(_ name: String) throws(UnexpectedMemberError) -> Int? {
        switch try value(name) {
        case .other(let place):
            if let number = scanner.smallNumber(at: place) { return number }
            let json = scanner.json(at: place)
            if let number = Int(json) { return number }
            guard let number = Double(json), abs(number) < 0x1p53 else { throw UnexpectedMemberError(name: name) }
            return Int(number.rounded(.down))
        case .text: throw UnexpectedMemberError(name: name)
        case nil: return nil
        }
    }

    /// The value of a member as a whole number, also one in quotes; `nil` when there is none, or none that can be read.
    func looseNumber(_ name: String) -> Int? { (try? number(name)) ?? (try? text(name)).flatMap { Int($0) } }

    /// The value of a member as a number that may have a fraction; `nil` when there is none.
    func real(_ name: String) throws(UnexpectedMemberError) -> Double? {
        switch try value(name) {
        case .other(let place):
            if let number = scanner.smallNumber(at: place) { return Double(number) }
            guard let number = Double(scanner.json(at: place)), number.isFinite else {
                throw UnexpectedMemberError(name: name)
            }
            return number
        case .text: throw UnexpectedMemberError(name: name)
        case nil: return nil
        }
    }

    /// The value of a member as a list of texts; one text alone is a list of one. `nil` when there is none.
    func texts(_ name: String, orOne mayBeOne: Bool) throws(UnexpectedMemberError) -> [String]? {
        switch try value(name) {
        case .text(let place):
            guard mayBeOne else { throw UnexpectedMemberError(name: name) }
            return [scanner.text(at: place)]
        case .other(let place):
            var scanner = JSONScanner(Array(scanner.json(at: place).utf8))
            guard let texts = try? scanner.texts() else { throw UnexpectedMemberError(name: name) }
            return texts
        case nil: return nil
        }
    }

    /// The value of a member as an object; `nil` when there is none.
    func object(_ name: String) throws(UnexpectedMemberError) -> JSONMembers? {
        switch try value(name) {
        case .text: throw UnexpectedMemberError(name: name)
        case .other(let place):
            guard let members = JSONMembers(Array(scanner.json(at: place).utf8)) else {
                throw UnexpectedMemberError(name: name)
            }
            return members
        case nil: return nil
        }
    }

    /// The value of a member as a truth value, which may also be written as text; `nil` when there is none.
    func truth(_ name: String) throws(UnexpectedMemberError) -> Bool? {
        switch try value(name) {
        case .text(let place): return scanner.text(at: place) == "true"
        case .other(let place):
            if scanner.isWritten("true", at: place) { return true }
            guard scanner.isWritten("false", at: place) else { throw UnexpectedMemberError(name: name) }
            return false
        case nil: return nil
        }
    }
}
