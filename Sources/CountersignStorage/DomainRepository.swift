/// The services for which this server issues tokens.
public protocol DomainRepository {
    /// Adds a new domain.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when its name or credential is taken.
    func insert(_ domain: ServiceDomain) throws
    /// Finds a domain by its name; `nil` when there is none.
    func find(_ name: Domain) throws -> ServiceDomain?
    /// Finds the domain whose service authenticates with this credential; `nil` when there is none.
    func find(_ credential: SecretDigest) throws -> ServiceDomain?
    /// Returns all domains, by name.
    func all() throws -> [ServiceDomain]
    /// Returns the domains in pages, by name.
    ///
    /// - Parameters:
    ///   - last: The name after which the page begins; `nil` for the first page.
    ///   - limit: The greatest number of domains.
    func page(after last: Domain?, limit: Int) throws -> [ServiceDomain]
    /// Replaces the domain of the same name; does nothing when there is none.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when its credential is another one's.
    func update(_ domain: ServiceDomain) throws
    /// Removes a domain, and nothing of its tokens; returns whether there was one.
    func remove(_ name: Domain) throws -> Bool
}
