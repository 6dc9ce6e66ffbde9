/// The rule that says which person of the server a local user is.
enum PeopleMapping: Sendable, Equatable {
    /// The person who signs in at the server with the same name (`preferred_username`).
    case username
    /// The person whose claim of this name is the local name.
    case claim(String)
    /// The people whom a file names, by the local name.
    case file([String: Set<String>])

    /// The person who has to approve.
    enum Expectation: Sendable, Equatable {
        /// One of those who sign in with these names.
        case usernames(Set<String>)
        /// The one whose claim of a name has this value.
        case claim(String, value: String)

        /// The name by which the server can be asked for the person; `nil` where there is none, or more than one.
        var loginHint: String? {
            if case .usernames(let names) = self, names.count == 1 { names.first } else { nil }
        }
    }

    /// The smallest number of a user who may be somebody by their name alone. Those below are the system's own: whoever
    /// could register a name at the server would be `root`, or `backup`.
    static let firstPersonalUser: UInt32 = 1000

    /// The person for a local user; `nil` where nobody is.
    ///
    /// - Parameters:
    ///   - user: The local name.
    ///   - number: The local user's number; `nil` for a user who does not exist.
    func expectation(for user: String, numbered number: UInt32?) -> Expectation? {
        guard let number else { return nil }
        switch self {
        case .username: return number >= Self.firstPersonalUser ? .usernames([user]) : nil
        case .claim(let name): return number >= Self.firstPersonalUser ? .claim(name, value: user) : nil
        case .file(let people): return people[user].map(Expectation.usernames)
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
