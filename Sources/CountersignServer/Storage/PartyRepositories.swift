public import Countersign
public import Foundation

/// The apps that are known to the server.
public protocol ClientRepository {
    /// Adds a new client.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when the identifier is taken.
    func insert(_ client: Client) throws
    /// Finds a client by its identifier, whether an operator registered it or it registered itself; `nil` when there is
    /// none.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func find(_ id: ClientID) throws -> Client?
    /// Returns the clients that an operator registered, by identifier.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func all() throws -> [Client]
    /// Replaces the client of the same identifier; does nothing when there is none.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func update(_ client: Client) throws
    /// Removes a client, and nothing of its tokens; returns whether there was one.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func remove(_ id: ClientID) throws -> Bool
    /// Removes at most `limit` devices whose registration expired before `instant`; returns how many.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func sweep(before instant: Date, limit: Int) throws -> Int
}

/// The services that have tokens of their own at this server.
public protocol DomainRepository {
    /// Adds a new domain.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when its name or credential is taken.
    func insert(_ domain: ServiceDomain) throws
    /// Finds a domain by its name; `nil` when there is none.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func find(_ name: Domain) throws -> ServiceDomain?
    /// Finds the domain whose service proves itself by this credential; `nil` when there is none.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func find(_ credential: SecretDigest) throws -> ServiceDomain?
    /// Returns all domains, by name.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func all() throws -> [ServiceDomain]
    /// Replaces the domain of the same name; does nothing when there is none.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when its credential is another one's.
    func update(_ domain: ServiceDomain) throws
    /// Removes a domain, and nothing of its tokens; returns whether there was one.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func remove(_ name: Domain) throws -> Bool
}

/// The people who have an account at this server.
public protocol PersonRepository {
    /// Adds a new person.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when the user name or subject is taken.
    func insert(_ person: Person) throws
    /// Finds a person by their user name; `nil` when there is none.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func find(_ username: Username) throws -> Person?
    /// Finds a person by their subject; `nil` when there is none.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func find(_ subject: Subject) throws -> Person?
    /// Replaces the person of the same subject; does nothing when there is none.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when the user name is another person's.
    func update(_ person: Person) throws
    /// Returns all people, by user name.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func all() throws -> [Person]
    /// Removes a person, and nothing of their sign-ins and sessions; returns whether there was one.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func remove(_ subject: Subject) throws -> Bool
}
