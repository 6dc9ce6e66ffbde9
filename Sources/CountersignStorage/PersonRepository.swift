public import Countersign

/// The people who have an account at this server.
public protocol PersonRepository {
    /// Adds a new person.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when the user name or subject is taken.
    func insert(_ person: Person) throws
    /// Finds a person by their user name; `nil` when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func find(_ username: Username) throws -> Person?
    /// Returns the people with an e-mail address, at most two; upper and lower case count alike.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func all(at address: EmailAddress) throws -> [Person]
    /// Finds a person by their subject; `nil` when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func find(_ subject: Subject) throws -> Person?
    /// Replaces the person of the same subject; does nothing when there is none.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when the user name is another person's.
    func update(_ person: Person) throws
    /// Returns all people, by user name.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func all() throws -> [Person]
    /// Removes a person, and nothing of their sign-ins and sessions; returns whether there was one.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func remove(_ subject: Subject) throws -> Bool
}
