public import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The claims of a JWT or of an introspection answer, not yet judged.
///
/// Standard: RFC 7519 §4.1, RFC 9068 §2.2, RFC 7662 §2.2.
struct TokenClaims: Sendable, ProvingMessage {
    /// The greatest difference between the two clocks that is tolerated, in seconds.
    static let leeway: TimeInterval = 30
    /// A scope that cannot be read allows nothing, and without a time or class of authentication no demand is met.
    static let provingMembers: Set<String>? = ["iss", "aud", "sub", "client_id", "exp", "nbf", "cnf"]

    let issuer: String?
    let audience: Audience?
    let subject: String?
    let client: String?
    let scope: String?
    let expires: TimeInterval?
    let notBefore: TimeInterval?
    /// The time and the class of the person's authentication. Standard: RFC 9470 §5.
    let authenticated: TimeInterval?
    let authenticationClass: String?
    let evidence: EvidenceClaim?
    /// The groups of the person, sorted by the provider.
    let groups: [GroupName]
    /// The key that the token is bound to; `nil` for a bearer token.
    let key: SenderKey?
    /// Whether the token is bound in an unsupported way.
    let isBoundOtherwise: Bool

    private enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case audience = "aud"
        case subject = "sub"
        case client = "client_id"
        case scope
        case expires = "exp"
        case notBefore = "nbf"
        case authenticated = "auth_time"
        case authenticationClass = "acr"
        case evidence = "countersign_evidence"
        case groups
        case confirmation = "cnf"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        issuer = try fields.decodeIfPresent(String.self, forKey: .issuer)
        audience = try fields.decodeIfPresent(Audience.self, forKey: .audience)
        subject = try fields.decodeIfPresent(String.self, forKey: .subject)
        client = try fields.decodeIfPresent(String.self, forKey: .client)
        scope = try fields.decodeIfPresent(String.self, forKey: .scope)
        expires = try fields.decodeIfPresent(NumericDate.self, forKey: .expires)?.seconds
        notBefore = try fields.decodeIfPresent(NumericDate.self, forKey: .notBefore)?.seconds
        authenticated = try fields.decodeIfPresent(NumericDate.self, forKey: .authenticated)?.seconds
        authenticationClass = try fields.decodeIfPresent(String.self, forKey: .authenticationClass)
        evidence = try fields.decodeIfPresent(EvidenceClaim.self, forKey: .evidence)
        // A list that cannot be read names no group, so that it gives access to nothing.
        groups = ((try? fields.decodeIfPresent([String].self, forKey: .groups)) ?? []).compactMap {
            GroupName(parsing: $0)
        }
        // Standard: RFC 7800 §3.1; RFC 9449 §6 and RFC 8705 §3 define the use of such tokens.
        key = (try? fields.decodeIfPresent(KeyConfirmation.self, forKey: .confirmation))?.key
        isBoundOtherwise = fields.contains(.confirmation) && key == nil
    }

    /// Returns the fault of the token at `now`, apart from its issuer and its audience; `nil` when there is none.
    func fault(at now: Date) -> String? {
        let seconds = now.timeIntervalSince1970
        if let expires, expires <= seconds - Self.leeway { return "it has expired" }
        if let notBefore, notBefore > seconds + Self.leeway { return "it is not valid yet" }
        if isBoundOtherwise { return "it is bound in a way that cannot be proved here" }
        return nil
    }

    /// The same as facts. A token whose subject is its client is no person's (RFC 9068 §2.2).
    func facts(username: String? = nil) -> TokenFacts {
        let person = subject.flatMap { $0.isEmpty || $0 == client ? nil : Subject($0) }
        return TokenFacts(
            client: client.map { ClientID($0) },
            person: person,
            username: person == nil ? nil : username,
            displayName: person == nil
                ? nil : username.flatMap { DeviceAuthorizationRequest.presentable($0, upTo: 100) },
            // A scope that cannot be read allows nothing.
            scope: scope.flatMap { Scope(parsing: $0) } ?? .none,
            expires: expires.map { Date(timeIntervalSince1970: $0) },
            key: key,
            authenticated: person == nil ? nil : authenticated.map { Date(timeIntervalSince1970: $0) },
            authenticationClass: person == nil ? nil : authenticationClass,
            evidence: person == nil ? nil : evidence,
            groups: person == nil ? [] : groups
        )
    }
}

/// An instant in seconds since 1970, with fractions or without.
///
/// Standard: RFC 7519 §2.
private struct NumericDate: Decodable {
    let seconds: TimeInterval

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        seconds = try value.decode(TimeInterval.self)
        guard abs(seconds) < 1e15 else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "no instant of any calendar")
        }
    }
}

/// The name of a resource server in the `aud` of its tokens.
///
/// Standard: RFC 7519 §4.1.3, RFC 9068 §3.
public struct ResourceName: Identifier {
    /// The wire name in tokens.
    public let rawValue: String

    /// A name such as `https://radio.example.com`.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The name of an authorization server in the `iss` of its tokens, compared letter by letter.
///
/// Standard: RFC 9068 §4.
public struct IssuerName: Identifier {
    /// The wire name in tokens.
    public let rawValue: String

    /// A name such as `https://id.example.com`.
    public init(rawValue: String) { self.rawValue = rawValue }
}
