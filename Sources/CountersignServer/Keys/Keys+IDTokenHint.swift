internal import FoundationEssentialsCompat

extension Keys {
    /// The claims of an ID token of this server with a known key, expired or not; `nil` for any other text.
    ///
    /// Standard: OpenID Connect RP-Initiated Logout 1.0 §2 (`id_token_hint`).
    func claims(ofHint text: String, from issuer: Issuer, at now: Date) -> IDTokenClaims? {
        guard text.utf8.count <= 8192, let token = CompactJWS(text),
            let header = CompactJWS.Header(reading: token.headerBytes),
            header.type == SigningKey.TokenType.idToken.rawValue, header.critical == nil,
            let algorithm = SigningAlgorithm(rawValue: header.algorithm),
            let keys = try? JSONWebKeySet(keys: published(at: now).keys + hintKeys),
            let key = keys.key(for: algorithm, named: header.keyID),
            algorithm.verifies(token.signature, over: token.signedBytes, by: key),
            let claims = try? JSONDecoder().decode(IDTokenClaims.self, from: Data(token.payload)),
            claims.issuer == issuer.text
        else { return nil }
        return claims
    }
}

extension ServerKey {
    /// The key that remains when a signing key is removed: its public half, which verifies hints; `nil` for other keys.
    var leftForHints: ServerKey? {
        guard let algorithm = SigningKey.Algorithm(of: purpose),
            let key = try? SigningKey(restoring: secretBytes, for: algorithm).publicKey(id: id),
            let bytes = try? JSONEncoder.wire.encode(key)
        else { return nil }
        return ServerKey(
            id: id, purpose: .verifyHints, secretBytes: Array(bytes), created: created, activates: activates,
            retired: retired)
    }

    /// Whether every ID token of this key belongs to an ended sign-in.
    func isForgotten(at now: Date) -> Bool {
        purpose == .verifyHints && (retired ?? activates) + KeyRotation.hints <= now
    }
}
