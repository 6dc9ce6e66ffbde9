public import HTTPTypes
public import FoundationEssentialsCompat

/// The state that a client needs to prove its key to one server: the key, and the newest nonce that the server gave.
///
/// ```swift
/// var prover = DPoPProver(key)
/// request.headerFields[.dpop] = try prover.proof(for: target, at: now, drawingFrom: .system)
/// let answer = try await send(request)
/// if prover.note(answer.headerFields, refusedAs: answer.error, of: request.headerFields) {
///     request.headerFields[.dpop] = try prover.proof(for: target, at: now, drawingFrom: .system)
/// }
/// ```
///
/// Nonces of an authorization server and of a resource server differ, so each server needs its own prover.
///
/// Standard: RFC 9449 §8, §9.
public struct DPoPProver: Sendable {
    /// The key that is proved.
    public let key: DPoPKey
    /// The newest nonce of the server; `nil` before it gave one.
    public private(set) var nonce: DPoPNonce?

    /// Creates a prover that has no nonce yet.
    public init(_ key: DPoPKey) { self.key = key }

    /// Makes a proof for one request, with the newest nonce.
    ///
    /// - Parameters:
    ///   - target: The method and URL of the request.
    ///   - token: The access token that the request presents; none at a token endpoint.
    ///   - now: The current time.
    ///   - random: The source of the proof's identifier.
    /// - Returns: The value of the header field `DPoP`.
    /// - Throws: `CryptoKitError` and `EncodingError`, which do not happen with a key in memory.
    public func proof(
        for target: DPoPTarget,
        presenting token: AccessToken? = nil,
        at now: Date,
        drawingFrom random: RandomSource
    ) throws -> String { try key.proof(for: target, presenting: token, nonce: nonce, at: now, drawingFrom: random) }

    /// Stores the nonce of an answer, and returns whether to repeat the request once with it.
    ///
    /// - Parameters:
    ///   - fields: The header fields of the answer.
    ///   - code: The error of the answer; `nil` for none.
    ///   - request: The header fields of the request that was answered, with its proof.
    /// - Returns: Whether the server refused the proof only because it requires another nonce.
    public mutating func note(_ fields: HTTPFields, refusedAs code: OAuthError.Code?, of request: HTTPFields) -> Bool {
        guard let given = DPoPNonce(in: fields) else { return false }
        nonce = given
        return code == .useDPoPNonce && !given.isProved(in: request)
    }
}

extension DPoPNonce {
    /// Whether the proof of a request has this nonce already, so that repeating it is of no use.
    ///
    /// The client's newest nonce says nothing about that: another answer may have delivered it meanwhile.
    package func isProved(in request: HTTPFields) -> Bool {
        guard let proof = try? UnverifiedDPoPProof(in: request) else { return false }
        return proof.claims.nonce == self
    }
}
