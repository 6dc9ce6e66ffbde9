/// The members of a JSON object in which every value is a text: what Cross-Platform Authentication asks with.
///
/// Read strictly: another value than a text, a member that comes twice, and anything around the object are refused.
/// Standard: RFC 8259, of which only what such an object needs.
public struct TextMembers: Sendable, Equatable {
    /// Why bytes are no such object.
    public enum Problem: Error, Sendable, Hashable {
        /// They are no JSON.
        case notJSON
        /// They are JSON, and no object.
        case notAnObject
        /// This member's value is no text.
        case notAText(String)
        /// This member comes more than once.
        case repeated(String)
    }

    private var values: [String: String] = [:]

    /// Reads an object.
    public init(parsing bytes: some Sequence<UInt8>) throws(Problem) {
        var scanner = JSONScanner(Array(bytes))
        scanner.skipSpace()
        guard scanner.take(UInt8(ascii: "{")) else {
            throw try scanner.valueIsComplete() ? .notAnObject : .notJSON
        }
        // What is wrong with the form of the whole goes before what is wrong with a member.
        var problem: Problem?
        scanner.skipSpace()
        if !scanner.take(UInt8(ascii: "}")) {
            repeat {
                let (name, value) = try scanner.member()
                if values[name] != nil { problem = problem ?? .repeated(name) }
                if value == nil { problem = problem ?? .notAText(name) }
                values[name] = value ?? ""
                scanner.skipSpace()
            } while scanner.take(UInt8(ascii: ","))
            guard scanner.take(UInt8(ascii: "}")) else { throw .notJSON }
        }
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw .notJSON }
        if let problem { throw problem }
    }

    /// The names of the members, sorted.
    public var names: [String] { values.keys.sorted() }

    /// The value of a member; `nil` when there is none.
    public subscript(name: String) -> String? { values[name] }
}
