internal import Countersign
internal import CountersignWire
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOConcurrencyHelpers

/// Verifies the DPoP proofs that this server receives, and gives nonces for the next ones.
///
/// Which proofs were used is remembered in the memory of this node, within a bound. Another node does not know them;
/// what limits a replay there is the nonce, which is valid for five minutes, or the time of the proof.
/// Standard: RFC 9449 §4.3, §8, §11.1.
final class DPoPVerifier: Sendable {
    /// Where the endpoints are reached: below the issuer, and where clients prove certificates.
    private let bases: [Issuer]
    private let keys: KeyRing
    private let clock: TimeSource
    private let requiresNonce: Bool
    private let used: NIOLockedValueBox<ReplayMemory>

    /// How many proofs are remembered at least.
    private static let capacity = 100_000

    init(
        at bases: [Issuer],
        keys: KeyRing,
        clock: TimeSource,
        requiresNonce: Bool,
        capacity: Int = DPoPVerifier.capacity
    ) {
        self.bases = bases
        self.keys = keys
        self.clock = clock
        self.requiresNonce = requiresNonce
        used = NIOLockedValueBox(ReplayMemory(capacity: capacity))
    }

    /// The key that a proof proves, which is used up by this.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - path: The path of the endpoint below the issuer.
    ///   - token: The access token that the request presents, if any.
    ///   - requiringNonce: Whether this client needs a nonce, even if the server asks none of others.
    ///   - refusingFutureTimes: Whether a nonce does not make up for a time that is too far in the future.
    /// - Throws: ``OAuthError`` `invalid_dpop_proof`, `use_dpop_nonce`.
    func key(
        provenBy proof: UnverifiedDPoPProof,
        for method: HTTPRequest.Method,
        at path: String,
        presenting token: AccessToken? = nil,
        requiringNonce: Bool = false,
        refusingFutureTimes: Bool = false
    ) async throws -> KeyThumbprint {
        let now = clock.now()
        let nonces = try await keys.current().nonces
        let targets = bases.compactMap { DPoPTarget(method, $0.appending(path)) }
        guard let target = targets.first(where: proof.isMade) ?? targets.first else {
            throw OAuthError(.invalidDPoPProof, because: "the issuer is no address for proofs")
        }
        let freshness = DPoPFreshness.byNonce(
            isRequired: requiresNonce || requiringNonce,
            refusesFutureTimes: refusingFutureTimes
        ) { nonces.made($0, at: now) }
        let verified = try proof.verified(for: target, presenting: token, freshBy: freshness, at: now)
        return try used.withLockedValue { try $0.use(verified, freshBy: freshness, at: now) }
    }

    /// The key that a client proves with a request by POST; the proof is used up by this.
    ///
    /// - Throws: ``OAuthError`` `invalid_dpop_proof`, `use_dpop_nonce`.
    func key(
        provenBy proof: UnverifiedDPoPProof,
        of client: AuthenticatedClient,
        at path: String
    ) async throws -> KeyThumbprint {
        let rules = client.client.rules
        guard rules.algorithms.accepted.contains(proof.algorithm) else {
            throw OAuthError(.invalidDPoPProof, "the algorithm is not for this client", because: "\(proof.algorithm)")
        }
        return try await key(
            provenBy: proof,
            for: .post,
            at: path,
            requiringNonce: client.client.dpop == .requiredWithNonce,
            refusingFutureTimes: rules.refusesFutureProofs
        )
    }

    /// Adds a fresh nonce to every answer to a request that has a proof, errors included.
    func givingNonces(_ answer: @escaping Answering) -> Answering {
        { [self] request, context in
            guard request.headers.contains(.dpop) else { return try await answer(request, context) }
            var response = try await OAuthFailures.answering(answer)(request, context)
            if let keys = try? await keys.current() {
                response.headers[.dpopNonce] = keys.nonces.nonce(at: clock.now()).rawValue
            }
            return response
        }
    }
}

extension AuthenticatedClient {
    /// Refuses a request that does not prove the kind of key to which the client's tokens must be bound.
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
