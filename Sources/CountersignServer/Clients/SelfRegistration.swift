internal import FoundationEssentialsCompat

/// Stores self-registered clients of all endpoints, within common limits and with unique numbers.
struct SelfRegistration: Sendable {
    let store: any Store
    let mint: CodeMint
    let limits: StoredRateLimiter
    let clock: TimeSource

    /// The rate limits that count a registration from an address.
    static func rateKeys(from address: String?) -> [RateLimitKey] {
        [.address(.registrationPerAddress, address), .overall(.registrationOverall)]
    }

    /// Registers a client, as one change.
    ///
    /// - Parameters:
    ///   - address: The network address of the request; `nil` when it cannot be seen.
    ///   - make: Returns the client with this number, with further reads and changes; may run more than once.
    /// - Returns: The client; `nil` when all random numbers were in use.
    /// - Throws: ``RateLimitError``; ``StoreUnavailableError``; the errors of `make`.
    func register(
        from address: String?, _ make: @escaping @Sendable (ClientID, Date, any Repositories) throws -> Client
    ) async throws -> Client? {
        try await store.retryingOnKeyCollision {
            let id: ClientID = mint.number()
            let now = clock.now()
            return try await store.change { [limits] repositories in
                let client = try make(id, now, repositories)
                try limits.admitAndCount(Self.rateKeys(from: address), in: repositories)
                try repositories.clients.insert(client)
                return client
            }
        }
    }
}
