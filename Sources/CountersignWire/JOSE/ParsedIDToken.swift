package import FoundationEssentialsCompat

/// A parsed ID token, before verification.
///
/// All verification of ID tokens uses it: the requester, the pages that sign a person in by another provider, and token
/// exchange. There are two steps, reading and ``verified(by:meeting:at:)``, so that the caller can find the key in
/// between.
///
/// Standard: OpenID Connect Core 1.0 §3.1.3.7; RFC 7515 §5.2; RFC 7519 §7.2; RFC 8725 §3.
package struct ParsedIDToken: Sendable {
    /// The longest token that is read, in bytes.
    package static let longest = 16_384
    /// The largest accepted difference between the two clocks, in seconds.
    package static let leeway: TimeInterval = 60

    /// The algorithm that its header names: one with a key pair, never `none` and none with a shared secret.
    package let algorithm: SigningAlgorithm
    /// The key that its header names.
    package let keyID: JSONWebKey.ID?
    /// The issuer that the token names, which nothing proves yet; it serves to find the keys. For Google it is always
    /// `https://accounts.google.com`, however the token spells it.
    package var unverifiedIssuer: String { received.claims.issuer }
    /// The audience that the token names, which nothing proves yet; it serves to choose among clients of one issuer.
    package var unverifiedAudience: Audience { received.claims.audience }

    /// The person whom the token names, which nothing proves yet.
    package var unverifiedSubject: Subject { received.claims.subject }
    /// The expiry that the token names, which nothing proves yet; it serves to renew it in time.
    package var unverifiedExpiry: Date { Date(named: received.claims.expires) }
    /// The screen on which the person is remembered, which nothing proves yet; it serves to choose the hints to send.
    package var unverifiedScreen: RememberedScreenID? { received.claims.screen }

    /// The digest of the signed bytes, which identifies a token however its signature is written.
    package var statementDigest: SecretDigest { SecretDigest(of: String(decoding: parts.signedBytes, as: UTF8.self)) }

    private let received: ReceivedClaims
    private let parts: CompactJWS

    /// Takes a token apart.
    ///
    /// - Throws: ``IDTokenError``, when the token is malformed, unsigned, or signed by an algorithm outside
    ///   ``SigningAlgorithm``.
    package init(_ token: UnverifiedIDToken) throws(IDTokenError) {
        guard token.revealed.utf8.count <= Self.longest, let parts = CompactJWS(token.revealed) else { throw .noToken }
        guard let header = CompactJWS.Header(reading: parts.headerBytes) else { throw .unreadableHeader }
        guard header.critical == nil else { throw .unknownExtension }
        guard header.type == nil || header.type == "JWT" || header.type?.lowercased() == "jwt" else {
            throw .anotherType
        }
        guard let algorithm = SigningAlgorithm(rawValue: header.algorithm) else { throw .algorithm }
        guard let received = try? ReceivedClaims(parts.payload) else { throw .unreadableClaims }
        self.algorithm = algorithm
        keyID = header.keyID
        self.received = received
        self.parts = parts
    }

    /// The receiver's demands on a token.
    package struct Demands: Sendable {
        /// The issuer that the token must name, letter by letter.
        package var issuer: String
        /// The names of the receiver; one of them must be in the token's audience.
        package var clients: [ClientID]
        /// Further names of the receiver that a token for one of ``clients`` may have been given to; empty by default.
        package var parties: [ClientID] = []
        /// The demand on the token's `nonce`.
        package var nonce: NonceDemand
        /// The access token that came with it; its hash must fit if the token has one (`at_hash`).
        package var accessToken: AccessToken?
        /// The authorization code that came with it; its hash must fit if the token has one (`c_hash`).
        package var code: AuthorizationCode?
        /// The greatest age of the token, in seconds; `nil` while it is valid.
        package var longestAge: TimeInterval?

        /// Demands of a receiver with one name.
        package init(issuer: String, clients: [ClientID], nonce: String? = nil) {
            self.issuer = issuer
            self.clients = clients
            self.nonce = NonceDemand(repeating: nonce)
        }

        /// Whether the receiver has a name.
        fileprivate func names(_ party: String) -> Bool { clients.contains { $0.rawValue == party } }
    }

    /// Verifies signature and claims.
    ///
    /// - Parameter key: The issuer's key that the token names; `nil` when the issuer has none like it.
    /// - Throws: ``IDTokenError`` with the first thing that is wrong.
    package func verified(
        by key: VerificationKey?,
        meeting demands: Demands,
        at now: Date
    ) throws(IDTokenError) -> VerifiedIDToken {
        guard let key, key.keyType == algorithm.keyType else { throw .unknownKey }
        guard algorithm.verifies(parts.signature, over: parts.signedBytes, by: key) else { throw .signature }
        guard received.claims.issuer == demands.issuer else { throw .anotherIssuer }
        try verifyAudience(demands)
        let seconds = now.timeIntervalSince1970
        guard Double(received.claims.expires) > seconds - Self.leeway else { throw .expired }
        guard Double(received.claims.issued) <= seconds + Self.leeway else { throw .future }
        if let begin = received.notBefore {
            guard Double(begin) <= seconds + Self.leeway else { throw .notYetValid }
        }
        if let age = demands.longestAge {
            guard Double(received.claims.issued) >= seconds - age - Self.leeway else { throw .tooOld }
        }
        guard demands.nonce.fits(received.claims.nonce) else { throw .nonce }
        guard fits(received.accessTokenHash, demands.accessToken?.revealed) else { throw .accessToken }
        guard fits(received.codeHash, demands.code?.revealed) else { throw .code }
        guard (1...255).contains(received.claims.subject.rawValue.utf8.count) else { throw .noSubject }
        return VerifiedIDToken(received)
    }

    /// A token for several parties names the one that received it, which must be the receiver, under one of its names.
    private func verifyAudience(_ demands: Demands) throws(IDTokenError) {
        let names = received.claims.audience.names
        guard names.contains(where: demands.names) else { throw .anotherAudience }
        if let party = received.authorizedParty {
            guard demands.names(party) || demands.parties.contains(where: { $0.rawValue == party }) else {
                throw .anotherParty
            }
        } else {
            guard names.allSatisfy(demands.names) else { throw .anotherParty }
        }
    }

    /// Whether the hash that a token has is that of `value`; a token without one, or without a value, is not judged.
    ///
    /// Standard: OpenID Connect Core 1.0 §3.1.3.6, §3.3.2.11.
    private func fits(_ hash: String?, _ value: String?) -> Bool {
        guard let hash, let value else { return true }
        return hash == URLSafeText.encode(algorithm.halfHash(of: value))
    }

    /// The claims as sent, with those that only a receiver of foreign tokens needs. They never change, and are shared
    /// with the verified token rather than copied.
    fileprivate final class ReceivedClaims: Sendable {
        let claims: IDTokenClaims
        let authorizedParty: String?
        let accessTokenHash: String?
        let codeHash: String?
        /// Standard: RFC 7519 §4.1.5.
        let notBefore: Int?

        init(_ payload: [UInt8]) throws(JSONMembers.UnexpectedMemberError) {
            guard let members = JSONMembers(payload) else { throw JSONMembers.UnexpectedMemberError(name: "") }
            var claims = try IDTokenClaims(members)
            // Some of Google's tokens name its issuer without the scheme. Both spellings are one issuer, so that a
            // person has one identity.
            if claims.issuer == "accounts.google.com" { claims.issuer = "https://accounts.google.com" }
            self.claims = claims
            authorizedParty = try members.text("azp")
            accessTokenHash = try members.text("at_hash")
            codeHash = try members.text("c_hash")
            notBefore = try members.number("nbf")
        }
    }
}

/// An ID token whose signature and claims were verified; made by ``ParsedIDToken`` alone.
package struct VerifiedIDToken: Sendable {
    private let received: ParsedIDToken.ReceivedClaims

    package var claims: IDTokenClaims { received.claims }
    /// Whether the issuer asserts that the e-mail address is the person's.
    package var isEmailVerified: Bool { received.claims.isEmailVerified ?? false }

    fileprivate init(_ received: ParsedIDToken.ReceivedClaims) { self.received = received }
}
