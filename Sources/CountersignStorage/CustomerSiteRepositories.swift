/// The sites of customers.
public protocol CustomerSiteRepository {
    /// Adds a site.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when its identifier is taken.
    func insert(_ environment: CustomerSite) throws
    /// Finds a site; `nil` when there is none.
    func find(_ id: CustomerSiteID) throws -> CustomerSite?
    /// Returns all sites, the oldest first.
    func all() throws -> [CustomerSite]
    /// Returns the sites in pages, by identifier.
    ///
    /// - Parameters:
    ///   - last: The identifier after which the page begins; `nil` for the first page.
    ///   - limit: The greatest number of sites.
    func page(after last: CustomerSiteID?, limit: Int) throws -> [CustomerSite]
    /// Replaces everything but the identifier and the creation of a site; does nothing when there is none.
    func update(_ environment: CustomerSite) throws
    /// Removes a site; returns whether there was one.
    func remove(_ id: CustomerSiteID) throws -> Bool
}

/// The apps that contain the authenticator.
public protocol AuthenticatorAppRepository {
    /// Adds an app.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when its key is taken.
    func insert(_ app: AuthenticatorApp) throws
    /// Finds an app by its key; `nil` when there is none.
    func find(_ key: AppKey) throws -> AuthenticatorApp?
    /// Returns all apps, the oldest first.
    func all() throws -> [AuthenticatorApp]
    /// Returns the apps in pages, by key.
    ///
    /// - Parameters:
    ///   - last: The key after which the page begins; `nil` for the first page.
    ///   - limit: The greatest number of apps.
    func page(after last: AppKey?, limit: Int) throws -> [AuthenticatorApp]
    /// Removes an app; returns whether there was one.
    func remove(_ key: AppKey) throws -> Bool
}
