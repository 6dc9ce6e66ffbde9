/// The people who have an account at this server.
public protocol PersonRepository {
    /// Adds a new person.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when the user name or subject is taken.
    func insert(_ person: Person) throws
    /// Finds a person by their user name; `nil` when there is none.
    func find(_ username: Username) throws -> Person?
    /// Returns the people with a verified e-mail address, regardless of case, at most two.
    func all(at address: EmailAddress) throws -> [Person]
    /// Finds a person by their subject; `nil` when there is none.
    func find(_ subject: Subject) throws -> Person?
    /// Replaces the person of the same subject; does nothing when there is none.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when the user name is another person's.
    func update(_ person: Person) throws
    /// Returns all people, by user name.
    func all() throws -> [Person]
    /// Removes a person, and nothing of their sign-ins and sessions; returns whether there was one.
    func remove(_ subject: Subject) throws -> Bool
}
