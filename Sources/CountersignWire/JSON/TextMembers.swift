/// The members of a JSON object whose values are all strings: the form of Cross-Platform Authentication's requests.
///
/// It reads strictly: a value that is not a string, a repeated member, and anything around the object are refused.
///
/// ```swift
/// let members = try TextMembers(parsing: #"{"domain":"sp.example.com"}"#.utf8)
/// let domain = members["domain"]      // "sp.example.com"
/// ```
///
/// Standard: RFC 8259, as far as such an object needs it.
public struct TextMembers: Sendable, Equatable {
    /// The reason that bytes are refused.
    public enum MemberError: Error, Sendable, Hashable {
        /// They are not JSON.
        case notJSON
        /// They are JSON, but not an object.
        case notAnObject
        /// The value of the named member is not a string.
        case notAText(String)
        /// The named member occurs more than once.
        case repeated(String)
    }

    private var values: [String: String] = [:]

    /// Reads an object.
    ///
    /// - Parameter bytes: The whole body, in UTF-8.
    /// - Throws: ``MemberError`` with the first problem of the whole form, else the first of a member.
    public init(parsing bytes: some Sequence<UInt8>) throws(MemberError) {
        var scanner = JSONScanner(Array(bytes))
        // Faults in the form of the whole go before faults in a member.
        for member in try scanner.object() {
            guard values[member.name] == nil else { throw .repeated(member.name) }
            guard case .text(let text) = member.value else { throw .notAText(member.name) }
            values[member.name] = text
        }
    }

    /// The names of the members, sorted.
    public var names: [String] { values.keys.sorted() }

    /// The value of a member; `nil` when there is none.
    ///
    /// - Parameter name: The name of the member; case counts.
    public subscript(name: String) -> String? { values[name] }
}
