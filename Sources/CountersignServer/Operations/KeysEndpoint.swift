internal import Hummingbird
internal import FoundationEssentialsCompat

/// `GET /jwks`: the public keys that verify tokens of this server.
///
/// Standard: RFC 7517 §5; OpenID Connect Discovery 1.0 §3 (`jwks_uri`).
struct KeysEndpoint: Sendable {
    let core: ServerCore

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("jwks", [.get: { _, _ in try await answer() }])
    }

    /// The same on the thread of the connection, when the keys are cached; otherwise `nil`.
    func quickOutcome() throws -> FastPathOutcome? {
        let now = core.clock.now()
        guard let keys = core.keys.known,
            SigningKey.Algorithm.allCases.allSatisfy({ keys.signer($0, at: now) != nil })
        else { return nil }
        return .answer(try document(keys, at: now))
    }

    private func answer() async throws -> Response {
        // Creates missing keys of all algorithms for the first answer.
        for algorithm in SigningKey.Algorithm.allCases { _ = try await core.keys.current(signing: algorithm) }
        return try document(try await core.keys.current(), at: core.clock.now()).response
    }

    private func document(_ keys: Keys, at now: Date) throws -> JSONResponse {
        JSONResponse(try keys.publishedBytes(at: now), storedFor: KeyRotation.freshness)
    }
}
