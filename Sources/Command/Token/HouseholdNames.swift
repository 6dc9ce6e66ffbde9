internal import CountersignRequester

extension Household.Person {
    /// Whether a person at the terminal may mean this one: by name, user name, e-mail address or identifier, whatever the
    /// case.
    func isNamed(_ name: String) -> Bool {
        let names = [
            identity.displayName, identity.username, identity.email, identity.fullName, identity.subject.rawValue,
        ]
        return names.contains { $0?.lowercased() == name.lowercased() }
    }
}

extension [Household.Person] {
    /// The only person with a name.
    ///
    /// - Throws: a ``CommandError`` that lists the people who are known, or those who have the name.
    func only(named name: String) throws -> Household.Person {
        let meant = filter { $0.isNamed(name) }
        guard let person = meant.first else {
            throw CommandError(
                isEmpty
                    ? "Nobody is known here yet. Sign in without a name."
                    : "Nobody here is called \(name.shown). Known are:\n\(lines)")
        }
        guard meant.count == 1 else {
            throw CommandError.usage(
                "Several people are called \(name.shown). Name one by the identifier:\n\(meant.lines)")
        }
        return person
    }

    /// A line for each, with the identifier.
    var lines: String {
        map { "  \($0.identity.fullName.shown): \($0.identity.subject.rawValue.shown)" }.joined(separator: "\n")
    }
}
