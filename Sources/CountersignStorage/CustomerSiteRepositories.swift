public import CountersignWire

/// The environments of customers.
public protocol CustomerSiteRepository {
    /// Adds an environment.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when its identifier is taken.
    func insert(_ environment: CustomerSite) throws
    /// Finds an environment; `nil` when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func find(_ id: CustomerSiteID) throws -> CustomerSite?
    /// Returns all environments, the oldest first.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func all() throws -> [CustomerSite]
    /// Replaces everything but the identifier and the creation of an environment; does nothing when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func update(_ environment: CustomerSite) throws
    /// Removes an environment; returns whether there was one.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func remove(_ id: CustomerSiteID) throws -> Bool
}

/// The apps that contain the authenticator.
public protocol AuthenticatorAppRepository {
    /// Adds an app.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when its key is taken.
    func insert(_ app: AuthenticatorApp) throws
    /// Finds an app by its key; `nil` when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func find(_ key: AppKey) throws -> AuthenticatorApp?
    /// Returns all apps, the oldest first.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func all() throws -> [AuthenticatorApp]
    /// Removes an app; returns whether there was one.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func remove(_ key: AppKey) throws -> Bool
}
