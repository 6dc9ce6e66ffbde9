internal import CountersignWire
internal import HTTPTypes
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Fetches an issuer's keys when ``JWKSCache`` says so; all callers that wait share one fetch.
///
/// Standard: RFC 7517 §5.
actor JWKSFetcher {
    /// The most keys of a set; a larger one is refused.
    static let mostKeys = 100

    private let provider: Provider
    private var cache = JWKSCache()
    private var fetching: Task<Void, Never>?
    private var failure = CheckFailure(.unreachable, because: "the keys were not fetched yet")

    init(_ provider: Provider) {
        self.provider = provider
    }

    /// The key by which a token is verified; `nil` when the issuer has none like it.
    ///
    /// - Throws: ``CheckFailure`` when the issuer cannot be asked for its keys.
    func key(
        for algorithm: SigningAlgorithm,
        named id: JSONWebKey.ID?,
        at now: Date
    ) async throws(CheckFailure) -> JSONWebKey? {
        var step = cache.step(for: algorithm, named: id, at: now)
        if step == .fetch {
            await fetch(at: now)
            step = cache.afterFetching(for: algorithm, named: id, at: now)
        }
        switch step {
        case .use(let key): return key
        case .unknown: return nil
        case .unavailable, .fetch: throw failure
        }
    }

    private func fetch(at now: Date) async {
        if let fetching { return await fetching.value }
        // A task of its own: the first caller may be cancelled while others wait.
        let task = Task { await self.settle(at: now) }
        fetching = task
        await task.value
    }

    private func settle(at now: Date) async {
        defer { fetching = nil }
        do throws(CheckFailure) {
            let answer = try await provider.ask(.get)
            guard answer.response.status == .ok else { throw answer.unexpected("no keys") }
            let keys = try answer.message(JSONWebKeySet.self)
            guard keys.keys.count <= Self.mostKeys else { throw answer.unexpected("too many keys") }
            cache.put(keys, at: now)
        } catch {
            failure = error
            cache.noteFailure(at: now)
        }
    }
}
