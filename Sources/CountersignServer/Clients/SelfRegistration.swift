internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Stores clients that register themselves, whichever endpoint takes their request: within the same limits, and under a
/// number that no other client has.
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
    ///   - make: Returns the client with this number; it may look up and change what the registration depends on, and
    ///     may run more than once.
    /// - Returns: The client; `nil` when all numbers that were drawn are in use.
    /// - Throws: ``RateLimitError``; ``StoreUnavailableError``; what `make` throws, and then nothing was changed.
    func register(
        from address: String?,
        _ make: @escaping @Sendable (ClientID, Date, any Repositories) throws -> Client
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
