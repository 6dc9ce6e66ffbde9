public import FoundationEssentialsCompat

/// The tokens that allow the registration of clients.
public protocol InitialAccessTokenRepository {
    /// Adds a token that was minted.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when its identifier or digest is taken.
    func insert(_ token: InitialAccessToken) throws
    /// Finds a token by its digest, whether or not it has expired or is used up; `nil` when there is none.
    func find(_ token: SecretDigest) throws -> InitialAccessToken?
    /// Returns all tokens, the oldest first.
    func all() throws -> [InitialAccessToken]
    /// Replaces the number of uses of the token of the same identifier, its only mutable field.
    func update(_ token: InitialAccessToken) throws
    /// Removes a token, and nothing of the clients that were registered with it; returns whether there was one.
    func remove(_ id: InitialAccessToken.ID) throws -> Bool
    /// Removes at most `limit` tokens that expired before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
