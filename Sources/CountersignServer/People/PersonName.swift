internal import Countersign

/// The name that stands for a person: on the sign-in page, or in a client's request.
///
/// It is the name that they sign in with, or else their e-mail address. An address counts if the store has it for one
/// person only. All that the store has were entered by an operator, or verified by another provider.
package struct PersonName: Sendable {
    private let usernames: [Username]
    private let address: EmailAddress?

    /// Reads a name; any text is one, though none that somebody has.
    ///
    /// - Parameter text: The text that was typed or sent.
    package init(_ text: String) {
        usernames = Username.candidates(for: text)
        address = EmailAddress(parsing: text)
    }

    /// The person; `nil` when nobody has the name, and when it is an address that several have.
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
