internal import Countersign
internal import Hummingbird

/// `GET /jwks`: the public keys by which tokens of this server can be checked.
///
/// Standard: RFC 7517 §5; OpenID Connect Discovery 1.0 §3 (`jwks_uri`).
struct KeysEndpoint: Sendable {
    let server: ServerServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("jwks", [.get: { _, _ in try await answer() }])
    }

    /// The same at once, where the keys are known.
    func fastPathAnswer() throws -> FastPathAnswer? {
        let now = server.clock.now()
        guard let keys = server.keys.known,
            SigningKey.Algorithm.allCases.allSatisfy({ keys.signer($0, at: now) != nil })
        else { return nil }
        return .json(try keys.publishedBytes(at: now), keptFor: MetadataEndpoint.freshness)
    }

    private func answer() async throws -> Response {
        // Both kinds must exist before the first answer lists them.
        for algorithm in SigningKey.Algorithm.allCases { _ = try await server.keys.current(signing: algorithm) }
        let bytes = try await server.keys.current().publishedBytes(at: server.clock.now())
        return .json(bytes: bytes, headers: [.cacheControl: "public, max-age=\(MetadataEndpoint.freshness)"])
    }
}
