internal import HTTPTypes
public import FoundationEssentialsCompat

/// A proof that was verified for one request: its sender holds the private half of a key.
///
/// Made by ``UnverifiedDPoPProof/verified(for:presenting:freshBy:at:)`` alone. The receiver must still refuse a proof
/// that it received before; ``digest`` distinguishes them.
///
/// Standard: RFC 9449 §4.3.
public struct VerifiedDPoPProof: Sendable, Hashable {
    /// The thumbprint of the key.
    public let thumbprint: KeyThumbprint
    /// The nonce that made it fresh; `nil` when that was its time.
    public let nonce: DPoPNonce?
    /// The earliest time when it can have been sent, by the receiver's clock.
    public let made: Date
    /// The time when the receiver begins to refuse it for its age.
    package var ends: Date {
        made + (nonce == nil ? DPoPFreshness.leeway + DPoPFreshness.longestAge : DPoPNonces.lifetime)
    }
    /// Identifies the proof among those of all keys.
    public let digest: SecretDigest

    fileprivate init(_ proof: UnverifiedDPoPProof, nonce: DPoPNonce?, made: Date) {
        thumbprint = proof.thumbprint
        self.nonce = nonce
        self.made = made
        // A thumbprint has a fixed length, so that no two pairs give one text.
        digest = SecretDigest(of: "\(proof.thumbprint).\(proof.claims.id)")
    }
}

/// A receiver's evidence that a proof is fresh.
///
/// Standard: RFC 9449 §8, §11.1.
public struct DPoPFreshness: Sendable {
    /// The greatest age of a proof without a nonce, in seconds.
    public static let longestAge: TimeInterval = 120
    /// The greatest lead of a proof's time over the receiver's clock, in seconds: clocks differ.
    public static let leeway: TimeInterval = 60

    private let made: @Sendable (DPoPNonce) -> Date?
    let givesNonces: Bool
    private let needsNonce: Bool
    private let refusesFutureTimes: Bool

    private init(
        needsNonce: Bool,
        givesNonces: Bool,
        refusesFutureTimes: Bool = false,
        _ made: @escaping @Sendable (DPoPNonce) -> Date?
    ) {
        self.made = made
        self.givesNonces = givesNonces
        self.needsNonce = needsNonce
        self.refusesFutureTimes = refusesFutureTimes
    }

    /// The time in the proof alone, for receivers without nonces.
    public static let byTime = DPoPFreshness(needsNonce: false, givesNonces: false) { _ in nil }

    /// A nonce of the receiver, or the time in the proof when it has no nonce. A sender with a wrong clock is asked to
    /// use a nonce.
    ///
    /// - Parameters:
    ///   - isRequired: Whether every proof needs a nonce.
    ///   - refusesFutureTimes: Whether a proof with a nonce is refused if its time is more than ``leeway`` in the
    ///     future; `false` by default, so that a nonce serves senders whose clocks are wrong. Standard: FAPI 2.0
    ///     §5.3.2.1.
    ///   - made: Returns when the receiver gave out this nonce; `nil` when that is too long ago, or it never did.
    public static func byNonce(
        isRequired: Bool,
        refusesFutureTimes: Bool = false,
        made: @escaping @Sendable (DPoPNonce) -> Date?
    ) -> DPoPFreshness {
        DPoPFreshness(needsNonce: isRequired, givesNonces: true, refusesFutureTimes: refusesFutureTimes, made)
    }

    fileprivate func judged(_ claims: DPoPProofClaims, at now: Date) throws(OAuthError) -> (DPoPNonce?, Date) {
        let useNonce = OAuthError(.useDPoPNonce, "the proof needs the nonce of this answer", because: "no fresh nonce")
        let age = now.timeIntervalSince1970 - claims.issued
        let wrongTime = OAuthError(
            .invalidDPoPProof, "the proof is too old or too new", because: "its iat is \(age) s old")
        // Standard: RFC 7519 §4.1.4, §4.1.5; FAPI 2.0 Security Profile §5.3.2.1. No nonce makes good what says so
        // itself.
        let instant = now.timeIntervalSince1970
        guard claims.expires.map({ instant < $0 }) ?? true else {
            throw OAuthError(.invalidDPoPProof, "the proof has expired", because: "its exp is over")
        }
        guard claims.begins.map({ $0 - instant <= Self.leeway }) ?? true else {
            throw OAuthError(.invalidDPoPProof, "the proof is not good yet", because: "its nbf is in the future")
        }
        if givesNonces, let nonce = claims.nonce {
            guard let made = made(nonce) else { throw useNonce }
            guard !refusesFutureTimes || age >= -Self.leeway else { throw wrongTime }
            return (nonce, made)
        }
        guard !needsNonce else { throw useNonce }
        guard age <= Self.longestAge, age >= -Self.leeway else { throw givesNonces ? useNonce : wrongTime }
        return (nil, Date(timeIntervalSince1970: claims.issued) - Self.leeway)
    }
}

extension UnverifiedDPoPProof {
    /// Whether the proof claims to be for this request; it is not verified.
    package func isMade(for target: DPoPTarget) -> Bool {
        claims.method == target.method.rawValue && DPoPTarget.normalized(claims.uri) == target.uri
    }

    /// Verifies the proof for one request.
    ///
    /// - Parameters:
    ///   - target: The request that the receiver got.
    ///   - token: The access token that the request presents; `nil` at a token endpoint.
    ///   - freshness: The receiver's evidence that the proof is fresh.
    ///   - now: The current time.
    /// - Returns: The proof. The receiver must still refuse it when it received it before.
    /// - Throws: ``OAuthError`` `invalid_dpop_proof`, or `use_dpop_nonce` when only a fresh nonce is missing.
    public func verified(
        for target: DPoPTarget,
        presenting token: AccessToken? = nil,
        freshBy freshness: DPoPFreshness,
        at now: Date
    ) throws(OAuthError) -> VerifiedDPoPProof {
        guard isMade(for: target) else {
            throw OAuthError(.invalidDPoPProof, "the proof is for another request", because: "another htm or htu")
        }
        if let token {
            guard claims.tokenDigest == DPoPProofClaims.digest(of: token) else {
                throw OAuthError(.invalidDPoPProof, "the proof is for another access token", because: "another ath")
            }
        }
        guard isSignedByItsKey else {
            throw OAuthError(.invalidDPoPProof, "the signature of the proof is wrong", because: "wrong signature")
        }
        let (nonce, made) = try freshness.judged(claims, at: now)
        return VerifiedDPoPProof(self, nonce: nonce, made: made)
    }
}
