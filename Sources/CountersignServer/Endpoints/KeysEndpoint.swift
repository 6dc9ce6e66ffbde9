internal import Hummingbird

/// `GET /jwks`: the public keys by which tokens of this server can be checked.
///
/// Standard: RFC 7517 §5; OpenID Connect Discovery 1.0 §3 (`jwks_uri`).
struct KeysEndpoint: Sendable {
    let keys: KeyRing
    let clock: ServerClock

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("jwks", [.get: { _, _ in try await answer() }])
    }

    private func answer() async throws -> Response {
        // Both kinds must be there before anybody learns which there are.
        for algorithm in SigningKey.Algorithm.allCases { _ = try await keys.current(signing: algorithm) }
        let bytes = try await keys.current().publishedBytes(at: clock.now())
        return .json(bytes: bytes, headers: [.cacheControl: "public, max-age=\(MetadataEndpoint.freshness)"])
    }
}
