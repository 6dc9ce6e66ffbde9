/// The name of a claim about a person that an operator may declare, such as `roles`.
///
/// No such claim takes the place of one that a protocol reads, or that the server vouches for.
/// Standard: OpenID Connect Core 1.0 §5.1.2; RFC 7519 §4.
public struct ClaimName: Identifier {
    /// The name in tokens and answers.
    public let rawValue: String
    /// Creates a name from text that was parsed before; nothing is checked.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The person's groups. Standard: RFC 9068 §2.2.3.1, §7.2.1.1.
    public static let groups = ClaimName("groups")

    /// The reason that a text cannot be the name of a declared claim.
    public enum ParsingError: Error, Sendable, Hashable {
        /// It has other characters, or is too long.
        case form
        /// A protocol reads the claim, or the server gives it itself.
        case reserved
    }

    /// Reads a name as an operator types it.
    ///
    /// - Parameter text: 1 to 128 letters and digits of ASCII and `. _ - : /`, as in `roles` or
    ///   `https://example.org/roles`. Case counts, but a reserved name is reserved in any case.
    /// - Throws: ``ParsingError``.
    public init(parsing text: String) throws(ParsingError) {
        guard text.isPlainName(upTo: 128, with: "._-:/") else { throw .form }
        let name = text.lowercased()
        let isReserved =
            name.hasPrefix("_") || Self.reservedPrefixes.contains(where: name.hasPrefix)
            || Self.reserved.contains(name)
        guard !isReserved else { throw .reserved }
        self.init(rawValue: text)
    }

    private static let reservedPrefixes = ["countersign_", "urn:openid:", "urn:ietf:", "http://schemas.openid.net/"]

    /// The claims of protocols, those that this server gives itself, and those that only proof may give.
    private static let reserved: Set<String> = [
        // Standard: RFC 7519 §4.1; RFC 7800 §3.1; RFC 8693 §4; RFC 9068 §2.2; RFC 7662 §2.2; RFC 9701 §5; RFC 9396 §9;
        // RFC 8417 §2.2; RFC 8055.
        "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "cnf", "act", "may_act", "scope", "client_id", "active",
        "username", "token_type", "token_introspection", "authorization_details", "events", "toe", "txn", "sub_id",
        "typ", "cty", "alg", "kid", "htm", "htu", "ath", "status", "vc", "vp",
        // Standard: OpenID Connect Core 1.0 §2, §3.1.3.6, §3.3.2.11, §7.4; Front- and Back-Channel Logout 1.0.
        "azp", "nonce", "auth_time", "at_hash", "c_hash", "s_hash", "rt_hash", "acr", "amr", "sub_jwk", "sid", "vot",
        "vtm", "verified_claims", "trust_framework",
        // Standard: OpenID Connect Core 1.0 §5.1.
        "name", "preferred_username", "email", "email_verified", "phone_number", "phone_number_verified", "address",
        "updated_at", "locale", "zoneinfo", "groups",
    ]
}
