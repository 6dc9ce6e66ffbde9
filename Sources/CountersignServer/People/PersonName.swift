/// The name of a person on the sign-in page or in a client's request.
///
/// It is the user name, or a verified e-mail address of one person only.
package struct PersonName: Sendable {
    private let usernames: [Username]
    private let address: EmailAddress?

    /// Reads a name from any text.
    ///
    /// - Parameter text: The name as text.
    package init(_ text: String) {
        usernames = Username.candidates(for: text)
        address = EmailAddress(parsing: text)
    }

    /// The person; `nil` for an unknown name, and for an address of several people.
    ///
    /// - Throws: Errors of the database, as ``Repositories`` says.
    package func find(in repositories: any Repositories) throws -> Person? {
        for username in usernames {
            if let person = try repositories.people.find(username) { return person }
        }
        guard let address else { return nil }
        let people = try repositories.people.all(at: address)
        return people.count == 1 ? people.first : nil
    }
}
