/// The rule that says which person of the server a local user is.
enum PeopleMapping: Sendable, Equatable {
    /// The person who signs in at the server with the same name (`preferred_username`).
    case username
    /// The person whose claim of this name is the local name.
    case claim(String)
    /// The people whom a file names, by the local name.
    case file([String: Set<String>])

    /// The claim by which people are found; `nil` for their names.
    var claim: String? { if case .claim(let name) = self { name } else { nil } }

    /// Whether the server can be asked for people by their name: that differs between the people of a file.
    var isAskedByName: [Bool] {
        switch self {
        case .username: [true]
        case .claim: [false]
        case .file(let people): [true, false].filter { isOne in people.values.contains { ($0.count == 1) == isOne } }
        }
    }

    /// The person who has to approve.
    enum Expectation: Sendable, Equatable {
        /// One of those who sign in with these names.
        case usernames(Set<String>)
        /// The one whose claim of a name has this value.
        case claim(String, value: String)
        /// Nobody, for a local user who does not exist. The server is asked as for one whom it does not know, so that a
        /// stranger cannot tell the two apart.
        case nobody(isAskedByName: Bool)

        /// A name that nobody can have at the server, since it has spaces.
        private static let nobodysName = "no such local user"

        /// The claim by which the person is found; `nil` for their name.
        var claim: String? { if case .claim(let name, value: _) = self { name } else { nil } }

        /// The name by which the server can be asked for the person; `nil` where there is none, or more than one.
        var loginHint: String? {
            switch self {
            case .usernames(let names): names.count == 1 ? names.first : nil
            case .claim: nil
            case .nobody(let isAskedByName): isAskedByName ? Self.nobodysName : nil
            }
        }
    }

    /// The person for a local user; `nil` where the rule names nobody.
    ///
    /// - Parameters:
    ///   - user: The local name.
    ///   - number: The local user's number; `nil` for a user who does not exist.
    ///   - personal: The users who are somebody by their name alone.
    func expectation(for user: String, numbered number: UInt32?, among personal: PersonalUsers) -> Expectation? {
        switch self {
        case .username, .claim:
            guard let number else { return .nobody(isAskedByName: self == .username) }
            guard personal.contains(number) else { return nil }
            if case .claim(let name) = self { return .claim(name, value: user) }
            return .usernames([user])
        case .file(let people):
            return number == nil ? nil : people[user].map(Expectation.usernames)
        }
    }

    /// Reads lines of a local name and the name of a person, with white space between; `#` begins a comment. A local
    /// name with several lines has several people.
    ///
    /// - Throws: a ``CommandError`` with the number of a line that is no pair.
    static func people(in text: String, of path: String) throws(CommandError) -> [String: Set<String>] {
        var people: [String: Set<String>] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
            guard !words.isEmpty else { continue }
            guard words.count == 2 else {
                throw CommandError("Line \(index + 1) of \(path) is no local name with the name of a person.")
            }
            people[words[0], default: []].insert(words[1])
        }
        return people
    }
}
