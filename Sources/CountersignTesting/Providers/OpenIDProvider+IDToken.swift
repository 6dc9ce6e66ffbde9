internal import Countersign
internal import NIOConcurrencyHelpers
internal import FoundationEssentialsCompat

extension OpenIDProvider {
    /// The ID token for a grant, with the requested lies; `nil` when there is to be none.
    ///
    /// Standard: OpenID Connect Core 1.0 §2, §3.1.3.6.
    func idToken(
        for grant: OpenIDGrant,
        redeemedFrom code: String,
        of person: OpenIDPerson,
        with access: String
    ) -> String? {
        let (lies, signer) = state.withLockedValue { ($0.lies, $0.signers[0]) }
        guard !lies.contains(.missing) else { return nil }
        let now = Int(clock.now().timeIntervalSince1970)
        var claims = claims(about: person, for: grant.scope)
        claims["iss"] = .string(lies.contains(.otherIssuer) ? "https://other.example" : issuer)
        claims["aud"] = .string(lies.contains(.otherAudience) ? "other-app" : grant.client.rawValue)
        if lies.contains(.otherParty) {
            claims["aud"] = ["other-app", .string(grant.client.rawValue)]
            claims["azp"] = "other-app"
        }
        claims["nonce"] = grant.nonce.map { .string(lies.contains(.otherNonce) ? "other" : $0) }
        if lies.contains(.noNonce) { claims["nonce"] = nil }
        claims["iat"] = .number(lies.contains(.fromTheFuture) ? now + 3600 : now)
        claims["exp"] = .number(lies.contains(.expired) ? now - 3600 : now + 3600)
        if lies.contains(.notYetValid) { claims["nbf"] = .number(now + 3600) }
        if !lies.contains(.noAuthTime) { claims["auth_time"] = .number(now) }
        let hashed = lies.contains(.otherTokenHash) ? "other" : access
        claims["at_hash"] = .string(signer.half(of: hashed))
        claims["c_hash"] = .string(signer.half(of: lies.contains(.otherCodeHash) ? "other" : code))
        if lies.contains(.noSubject) { claims["sub"] = nil }
        if lies.contains(.unsigned) { return OpenIDSigner.unsignedToken(claims) }
        if lies.contains(.signedByPublicKey) { return signer.tokenByPublicKey(claims) }
        if lies.contains(.otherKey) { return OpenIDSigner(number: 0).token(claims, named: signer.id) }
        let token = signer.token(claims)
        guard lies.contains(.damaged) else { return token }
        // Inside the signature: its last character has bits that do not count.
        let (front, back) = (token.dropLast(40), token.suffix(40))
        return front + (back.first == "A" ? "B" : "A") + back.dropFirst()
    }
}
