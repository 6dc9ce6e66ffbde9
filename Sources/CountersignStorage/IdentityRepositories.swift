public import FoundationEssentialsCompat

/// The other providers whose identities this server accepts.
public protocol IdentityProviderRepository {
    /// Adds a provider.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when its name is taken.
    func insert(_ provider: IdentityProvider) throws
    /// Finds a provider by its name; `nil` when there is none.
    func find(_ id: IdentityProvider.ID) throws -> IdentityProvider?
    /// Returns all providers, the oldest first.
    func all() throws -> [IdentityProvider]
    /// Returns the providers in pages, by name.
    ///
    /// - Parameters:
    ///   - last: The name after which the page begins; `nil` for the first page.
    ///   - limit: The greatest number of providers.
    func page(after last: IdentityProvider.ID?, limit: Int) throws -> [IdentityProvider]
    /// Removes a provider, and nothing of the identities that people have there; returns whether there was one.
    func remove(_ id: IdentityProvider.ID) throws -> Bool
}

/// The identities that people have at other providers.
public protocol LinkedIdentityRepository {
    /// Adds an identity.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when the identity is connected with a person, this one or another.
    func insert(_ identity: LinkedIdentity) throws
    /// Finds an identity; `nil` when it is not connected.
    func find(_ issuer: IdentityIssuer, _ subject: String) throws -> LinkedIdentity?
    /// Returns the identities of a person, the oldest first.
    func all(of person: Subject) throws -> [LinkedIdentity]
    /// Returns how many identities of an issuer are connected, and how many of them belong to people without a
    /// password.
    func count(of issuer: IdentityIssuer) throws -> (all: Int, withoutPassword: Int)
    /// Removes an identity; returns whether it was connected.
    func remove(_ issuer: IdentityIssuer, _ subject: String) throws -> Bool
    /// Removes all identities of a person.
    func removeAll(of person: Subject) throws
}

/// The visits of browsers at other providers.
public protocol ProviderVisitRepository {
    /// Adds a visit.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when its state is taken.
    func insert(_ visit: ProviderVisit) throws
    /// Finds the visit of a state, whether or not it has expired; `nil` when there is none.
    func find(_ state: SecretDigest) throws -> ProviderVisit?
    /// Removes a visit; returns whether there was one.
    func remove(_ state: SecretDigest) throws -> Bool
    /// Removes at most `limit` visits that expired before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
