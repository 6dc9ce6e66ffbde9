public import FoundationEssentialsCompat

/// The apps that are known to the server.
public protocol ClientRepository {
    /// Adds a new client.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when the identifier is taken.
    func insert(_ client: Client) throws
    /// Finds a client by its identifier, whether an operator registered it or it registered itself; `nil` when there is
    /// none.
    func find(_ id: ClientID) throws -> Client?
    /// Returns the clients whose registration does not expire, by identifier: an operator registered them, or they
    /// registered with a token of an operator.
    func all() throws -> [Client]
    /// Returns the same clients in pages.
    ///
    /// - Parameters:
    ///   - last: The identifier after which the page begins; `nil` for the first page.
    ///   - limit: The greatest number of clients.
    func page(after last: ClientID?, limit: Int) throws -> [Client]
    /// Replaces the client of the same identifier; does nothing when there is none.
    func update(_ client: Client) throws
    /// Removes a client and its mutes, and nothing of its tokens; returns whether there was one.
    func remove(_ id: ClientID) throws -> Bool
    /// Removes at most `limit` clients whose registration expired before `instant`, with their mutes; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
