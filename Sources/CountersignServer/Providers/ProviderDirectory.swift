internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import Logging
internal import ServiceLifecycle

/// Keeps the metadata and keys of other providers, on each node.
///
/// While a provider cannot be reached, its last metadata and keys are used for some time. Callers that ask at the same
/// time share one request. The number of providers is that of the configuration, and is bounded here too.
actor ProviderDirectory {
    /// The maximum age of metadata before they are fetched again, in seconds.
    static let freshFor: TimeInterval = 600
    /// The maximum age of metadata while the provider cannot be reached, in seconds.
    static let usableFor: TimeInterval = 86_400
    /// The pause after a fetch that failed, in seconds.
    static let pauseAfterFailure: TimeInterval = 2
    /// The most issuers that are kept.
    static let most = 200

    /// The cached metadata and keys of one issuer.
    private struct Entry {
        var metadata: ProviderMetadata?
        var fetched = Date.distantPast
        var failed = Date.distantPast
        var providerFailure = ProviderError(.unreachable, because: "not asked yet")
        var fetching: Task<Void, Never>?
        var keys: (fetcher: JWKSFetcher<ProviderError>, place: Endpoint)?
    }

    private let transport: any HTTPTransport
    private let clock: TimeSource
    private var entries: [IdentityIssuer: Entry] = [:]

    init(over transport: any HTTPTransport, clock: TimeSource) {
        self.transport = transport
        self.clock = clock
    }

    /// The provider's metadata.
    ///
    /// - Throws: ``ProviderError`` when that is not known and cannot be found out now.
    func metadata(of issuer: IdentityIssuer) async throws(ProviderError) -> ProviderMetadata {
        let now = clock.now()
        let entry = entries[issuer] ?? Entry()
        let mayFetch = !(0..<Self.pauseAfterFailure).contains(now.timeIntervalSince(entry.failed))
        if let metadata = entry.metadata, (0..<Self.usableFor).contains(now.timeIntervalSince(entry.fetched)) {
            if now.timeIntervalSince(entry.fetched) >= Self.freshFor, mayFetch { startFetching(issuer) }
            return metadata
        }
        guard mayFetch else { throw entry.providerFailure }
        await startFetching(issuer).value
        guard let found = entries[issuer], let metadata = found.metadata, found.failed < found.fetched else {
            throw entries[issuer]?.providerFailure ?? entry.providerFailure
        }
        return metadata
    }

    /// The key that verifies a token of the issuer; `nil` when the issuer has none like it.
    ///
    /// - Throws: ``ProviderError`` when the keys are not known and cannot be fetched now.
    func key(for token: ParsedIDToken, of issuer: IdentityIssuer) async throws(ProviderError) -> VerificationKey? {
        let place = try await metadata(of: issuer).keys
        return try await fetcher(of: issuer, at: place).key(for: token.algorithm, named: token.keyID, at: clock.now())
    }

    /// Fetches all metadata and keys again before they grow old, so that no request has to wait.
    func refresh() async {
        await withTaskGroup(of: Void.self) { group in
            for issuer in entries.keys { group.addTask { await self.refresh(issuer) } }
        }
    }

    private func refresh(_ issuer: IdentityIssuer) async {
        await startFetching(issuer).value
        if let keys = entries[issuer]?.keys { await keys.fetcher.refresh(at: clock.now()) }
    }

    /// Forgets all issuers but these.
    func keep(_ issuers: Set<IdentityIssuer>) {
        entries = entries.filter { issuers.contains($0.key) }
    }

    private func fetcher(of issuer: IdentityIssuer, at place: Endpoint) -> JWKSFetcher<ProviderError> {
        if let known = entries[issuer]?.keys, known.place == place { return known.fetcher }
        let fetcher = JWKSFetcher<ProviderError>(
            before: ProviderError(.unreachable, because: "the keys were not fetched yet")
        ) { [transport] () async throws(ProviderError) in
            try await ProviderMetadata.keys(at: place, over: transport)
        }
        entries[issuer, default: Entry()].keys = (fetcher, place)
        return fetcher
    }

    @discardableResult
    private func startFetching(_ issuer: IdentityIssuer) -> Task<Void, Never> {
        if let fetching = entries[issuer]?.fetching { return fetching }
        if entries[issuer] == nil, entries.count >= Self.most { entries = [:] }
        // A task of its own: the first caller may be cancelled while others wait.
        let task = Task { await self.fetch(issuer) }
        entries[issuer, default: Entry()].fetching = task
        return task
    }

    private func fetch(_ issuer: IdentityIssuer) async {
        let outcome: Result<ProviderMetadata, ProviderError>
        do throws(ProviderError) {
            outcome = .success(try await ProviderMetadata.ask(issuer, over: transport))
        } catch {
            outcome = .failure(error)
        }
        var entry = entries[issuer] ?? Entry()
        entry.fetching = nil
        switch outcome {
        case .success(let metadata):
            (entry.metadata, entry.fetched, entry.failed) = (metadata, clock.now(), .distantPast)
        case .failure(let providerFailure): (entry.providerFailure, entry.failed) = (providerFailure, clock.now())
        }
        entries[issuer] = entry
    }
}

/// Refreshes the metadata and keys of the providers in use, while the server runs, and forgets those that were removed.
struct ProviderRefresh: NamedService {
    let directory: ProviderDirectory
    let store: any Store
    let clock: TimeSource

    /// The interval of refreshes, well before anything grows old.
    private static let interval: Duration = .seconds(300)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await clock.sleep(for: Self.interval) } catch { return }
                // While the store cannot be read, nothing is forgotten.
                if let providers = try? await store.read({ try $0.identityProviders.all() }) {
                    await directory.keep(Set(providers.map(\.issuer)))
                }
                await directory.refresh()
            }
        }
    }
}
