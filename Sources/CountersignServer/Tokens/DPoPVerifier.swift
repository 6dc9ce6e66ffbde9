internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird
internal import NIOConcurrencyHelpers

/// Verifies the DPoP proofs that this server receives, and gives nonces for the next ones.
///
/// The store remembers used proofs, for all nodes and over restarts. A process that has the store for itself remembers
/// those with a nonce in its memory instead, within a bound, which costs no write; a nonce that was given before it
/// started has to be replaced.
/// Standard: RFC 9449 §4.3, §8, §11.1.
final class DPoPVerifier: Sendable {
    /// The bases of the endpoints' URLs: the issuer, and the base where clients prove certificates.
    private let bases: [Issuer]
    private let store: any Store
    private let keys: KeyRing
    private let clock: TimeSource
    private let requiresNonce: Bool
    private let used: NIOLockedValueBox<DPoPProofMemory>

    /// The minimum number of remembered proofs.
    private static let capacity = 100_000

    init(
        at bases: [Issuer],
        store: any Store,
        keys: KeyRing,
        clock: TimeSource,
        requiresNonce: Bool,
        capacity: Int = DPoPVerifier.capacity
    ) {
        self.bases = bases
        self.store = store
        self.keys = keys
        self.clock = clock
        self.requiresNonce = requiresNonce
        used = NIOLockedValueBox(DPoPProofMemory(capacity: capacity, since: clock.now()))
    }

    /// Verifies the proof beside a token.
    ///
    /// - Parameters:
    ///   - proof: The received proof, not verified yet.
    ///   - request: The request with it.
    ///   - path: The path of the endpoint below the issuer.
    ///   - token: The access token that the request presents.
    ///   - client: The client of the token if the token is good; then the proof is used up. The memory is for such
    ///     proofs alone, so that a stranger cannot fill it.
    /// - Throws: ``OAuthError`` `invalid_dpop_proof`, `use_dpop_nonce`.
    func verify(
        _ proof: UnverifiedDPoPProof,
        of request: Request,
        at path: String,
        presenting token: AccessToken,
        goodFor client: Client?
    ) async throws {
        let now = clock.now()
        let freshness = try await freshness(for: client, at: now)
        let verified = try verified(
            proof, of: client, for: request.method, at: path, presenting: token, freshBy: freshness, at: now)
        if client != nil { try await use(verified, freshBy: freshness, at: now) }
    }

    private func freshness(for client: Client?, at now: Date) async throws -> DPoPFreshness {
        let nonces = try await keys.current().nonces
        return .byNonce(
            isRequired: requiresNonce || client?.dpop == .requiredWithNonce,
            refusesFutureTimes: client?.rules.refusesFutureProofs ?? false
        ) { nonces.made($0, at: now) }
    }

    @discardableResult
    private func use(
        _ proof: VerifiedDPoPProof,
        freshBy freshness: DPoPFreshness,
        at now: Date
    ) async throws -> KeyThumbprint {
        guard proof.nonce == nil || store.isShared else {
            return try used.withLockedValue { try $0.use(proof, freshBy: freshness, at: now) }
        }
        let use = SingleUse(.usesPerProof, of: proof.digest, until: proof.ends)
        guard try await use.isFirst(in: store, at: now) else {
            throw OAuthError(.invalidDPoPProof, "the proof was used before", because: "a replayed proof")
        }
        return proof.thumbprint
    }

    private func verified(
        _ proof: UnverifiedDPoPProof,
        of client: Client?,
        for method: HTTPRequest.Method,
        at path: String,
        presenting token: AccessToken?,
        freshBy freshness: DPoPFreshness,
        at now: Date
    ) throws(OAuthError) -> VerifiedDPoPProof {
        guard client?.rules.algorithms.accepted.contains(proof.algorithm) ?? true else {
            throw OAuthError(.invalidDPoPProof, "the algorithm is not for this client", because: "\(proof.algorithm)")
        }
        let targets = bases.compactMap { DPoPTarget(method, $0.appending(path)) }
        guard let target = targets.first(where: proof.isMade) ?? targets.first else {
            throw OAuthError(.invalidDPoPProof, because: "the issuer is no address for proofs")
        }
        return try proof.verified(for: target, presenting: token, freshBy: freshness, at: now)
    }

    /// The key that a client proves with a request by POST; the proof is used up by this.
    ///
    /// - Throws: ``OAuthError`` `invalid_dpop_proof`, `use_dpop_nonce`.
    func key(
        provenBy proof: UnverifiedDPoPProof,
        of client: AuthenticatedClient,
        at path: String
    ) async throws -> KeyThumbprint {
        let now = clock.now()
        let freshness = try await freshness(for: client.client, at: now)
        let verified = try verified(
            proof, of: client.client, for: .post, at: path, presenting: nil, freshBy: freshness, at: now)
        return try await use(verified, freshBy: freshness, at: now)
    }

    /// Adds a fresh nonce to every answer to a request that has a proof, errors included.
    func givingNonces(_ answer: @escaping Answering) -> Answering {
        { [self] request, context in
            guard request.headers.contains(.dpop) else { return try await answer(request, context) }
            var response = try await OAuthErrorForm.answering(answer)(request, context)
            if let keys = try? await keys.current() {
                response.headers[.dpopNonce] = keys.nonces.nonce(at: clock.now()).rawValue
            }
            return response
        }
    }
}

extension AuthenticatedClient {
    /// Refuses a request that does not prove the kind of key that the client's tokens must be bound to.
    ///
    /// - Throws: ``OAuthError`` `invalid_dpop_proof`; `invalid_request` where a certificate is missing.
    func requireKey(_ key: SenderKey?) throws(OAuthError) {
        guard client.dpop != .certificate else {
            if case .certificate? = key { return }
            throw OAuthError(
                .invalidRequest,
                "this client has to present its certificate, at the addresses in mtls_endpoint_aliases",
                because: "\(client.id) presented no certificate"
            )
        }
        guard key != nil || !client.rules.requiresKey else {
            throw OAuthError(
                .invalidDPoPProof,
                "this client has to send a DPoP proof",
                because: "\(client.id) sent no proof"
            )
        }
    }
}
