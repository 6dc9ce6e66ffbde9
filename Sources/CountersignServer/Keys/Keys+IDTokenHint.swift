internal import Countersign
internal import CountersignWire
internal import Foundation

extension Keys {
    /// The claims of an ID token that this server gave and whose key it still publishes, however old the token is;
    /// `nil` for any other text.
    ///
    /// Standard: OpenID Connect RP-Initiated Logout 1.0 §2 (`id_token_hint`).
    func claims(ofHint text: String, from issuer: Issuer, at now: Date) -> IDTokenClaims? {
        guard text.utf8.count <= 8192, let token = CompactJWS(text),
            let header = CompactJWS.Header(reading: token.headerBytes),
            header.type == SigningKey.TokenType.idToken.rawValue, header.critical == nil,
            let algorithm = SigningAlgorithm(rawValue: header.algorithm),
            let key = try? published(at: now).key(for: algorithm, named: header.keyID),
            algorithm.verifies(token.signature, over: token.signedBytes, by: key),
            let claims = try? JSONDecoder().decode(IDTokenClaims.self, from: Data(token.payload)),
            claims.issuer == issuer.text
        else { return nil }
        return claims
    }
}
