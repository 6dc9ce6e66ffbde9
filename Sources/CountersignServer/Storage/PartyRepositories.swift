public import Countersign

/// The apps that are known to the server.
public protocol ClientRepository {
    /// Adds a new client.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when the identifier is taken.
    func insert(_ client: Client) throws
    func find(_ id: ClientID) throws -> Client?
    /// All clients, by identifier.
    func all() throws -> [Client]
    /// Removes the client; returns whether there was one.
    func remove(_ id: ClientID) throws -> Bool
}

/// The people who have an account at this server.
public protocol PersonRepository {
    /// Adds a new person.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when the user name or subject is taken.
    func insert(_ person: Person) throws
    func find(_ username: Username) throws -> Person?
    func find(_ subject: Subject) throws -> Person?
    /// Replaces the person of the same subject.
    func update(_ person: Person) throws
    /// All people, by user name.
    func all() throws -> [Person]
    /// Removes the person; returns whether there was one.
    func remove(_ subject: Subject) throws -> Bool
}
