public import Countersign
public import Foundation

/// The apps that are known to the server.
public protocol ClientRepository {
    /// Adds a new client.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when the identifier is taken.
    func insert(_ client: Client) throws
    func find(_ id: ClientID) throws -> Client?
    /// The clients that an operator registered, by identifier.
    func all() throws -> [Client]
    /// Replaces the client of the same identifier.
    func update(_ client: Client) throws
    /// Removes the client; returns whether there was one.
    func remove(_ id: ClientID) throws -> Bool
    /// Removes at most `limit` devices whose registration expired before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}

/// The services that have tokens of their own at this server.
public protocol DomainRepository {
    /// Adds a new domain.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when its name or credential is taken.
    func insert(_ domain: ServiceDomain) throws
    func find(_ name: Domain) throws -> ServiceDomain?
    /// The domain whose service proves itself by this credential.
    func find(_ credential: SecretDigest) throws -> ServiceDomain?
    /// All domains, by name.
    func all() throws -> [ServiceDomain]
    /// Replaces the domain of the same name.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when its credential is another one's.
    func update(_ domain: ServiceDomain) throws
    /// Removes the domain; returns whether there was one.
    func remove(_ name: Domain) throws -> Bool
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
