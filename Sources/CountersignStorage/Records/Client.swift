public import FoundationEssentialsCompat

/// A registered app: its rights, and the form of its tokens.
///
/// Standard: RFC 6749 §2; RFC 7591 §2 for the names of its properties.
public struct Client: Sendable, Equatable {
    /// The method of a client's authentication, with the credential.
    public enum Kind: Sendable, Equatable {
        /// It cannot keep a secret, so any program can use its identifier. Standard: RFC 6749 §2.1.
        case `public`
        /// It has a secret, stored as its digest. After a renewal, the `replaced` secret is accepted for a while as
        /// well.
        case confidential(SecretDigest, replaced: ReplacedSecret? = nil)
        /// It signs a statement with one of these keys; the server knows the public halves.
        ///
        /// Standard: RFC 7523 §2.2; OpenID Connect Core 1.0 §9 (`private_key_jwt`).
        case keys(JSONWebKeySet)
        /// It authenticates by the certificate of its TLS connection. The keys only sign its requests.
        ///
        /// Standard: RFC 8705 §2; FAPI-CIBA §5.2.2.
        case certificate(CertificateCredential, signing: JSONWebKeySet? = nil)
    }

    /// A secret that has a successor and is still accepted.
    public struct ReplacedSecret: Sendable, Equatable {
        /// The digest of the secret.
        public let digest: SecretDigest
        /// From this instant on it is refused.
        public let ends: Date

        /// Creates a replaced secret.
        public init(digest: SecretDigest, ends: Date) {
            self.digest = digest
            self.ends = ends
        }
    }

    /// Whether the client must prove possession of a key, which its tokens are then bound to.
    ///
    /// Standard: RFC 9449 §5.2 (`dpop_bound_access_tokens`).
    public enum DPoPUse: String, Sendable, Equatable, CaseIterable {
        /// It may send proofs.
        case allowed
        /// Each of its token requests needs a proof.
        case required
        /// The same, and each proof needs a nonce of the server. Standard: RFC 9449 §8.
        case requiredWithNonce = "nonce"
        /// Its tokens are bound to the certificate of its TLS connection instead of a key.
        ///
        /// Standard: RFC 8705 §3.4 (`tls_client_certificate_bound_access_tokens`).
        case certificate
    }

    /// The form of the access tokens that the client gets.
    public enum TokenFormat: String, Sendable, Equatable, CaseIterable {
        /// Random text, which only this server can resolve.
        case opaque
        /// A JWT by RFC 9068, signed by ES256.
        case es256 = "ES256"
        /// A JWT by RFC 9068, signed by RS256.
        case rs256 = "RS256"
    }

    /// The algorithm that the server signs the client's ID tokens with.
    ///
    /// Standard: OpenID Connect Dynamic Client Registration 1.0 §2 (`id_token_signed_response_alg`).
    public enum IDTokenAlgorithm: String, Sendable, Equatable, CaseIterable {
        /// ECDSA on P-256.
        case es256 = "ES256"
        /// RSASSA-PKCS1-v1_5, which older libraries need.
        case rs256 = "RS256"
    }

    /// The identifier that requests name.
    public let id: ClientID
    /// The kind of its registration.
    public var registration: Registration
    /// The name on pages and devices.
    public var name: String
    /// The method of its authentication, with the credential.
    public var kind: Kind
    /// The grant types that it may use.
    public var grantTypes: [GrantType]
    /// The scope that it may request.
    public var scope: Scope
    /// The form of its access tokens.
    public var tokenFormat: TokenFormat
    /// The algorithm of its ID tokens and logout tokens; `nil` for that of its access tokens, or ES256 if these are
    /// opaque.
    public var chosenIDTokenAlgorithm: IDTokenAlgorithm?
    /// The resource server that its JWTs are meant for (`aud`); `nil` for the issuer itself.
    public var audience: String?
    /// The audiences whose tokens it may introspect, as a resource server; empty for other clients.
    public var serves: [String]
    /// Its registration for authorization in a browser: the addresses for answers, and the consent of people.
    public var redirects: RedirectRegistration
    /// The lifetimes of its codes and tokens.
    public var lifetimes: Lifetimes
    /// Whether its tokens are bound to a key.
    public var dpop: DPoPUse
    /// Its registration for the back channel.
    public var backchannel: BackchannelRegistration
    /// The approval that a link to its requests allows. Only the operator sets it.
    public var linkApproval: LinkApproval
    /// The least evidence that an approval of its requests needs, whatever their scope. Only the operator sets it.
    public var minimumEvidence: ScopeDemands
    /// The time of its registration.
    public let created: Date
    /// The time of the last undo of an approval for this device, or of its last sign-out by a person; `nil` for never.
    ///
    /// Earlier approvals do not count for automatic sign-on.
    public var undone: Date?

    /// Creates a client to register.
    public init(
        id: ClientID,
        registration: Registration = .operator,
        name: String,
        kind: Kind,
        grantTypes: [GrantType],
        scope: Scope,
        tokenFormat: TokenFormat,
        chosenIDTokenAlgorithm: IDTokenAlgorithm? = nil,
        audience: String? = nil,
        serves: [String] = [],
        redirects: RedirectRegistration = .none,
        lifetimes: Lifetimes = Lifetimes(),
        dpop: DPoPUse = .allowed,
        backchannel: BackchannelRegistration = .polling,
        linkApproval: LinkApproval = .number,
        minimumEvidence: ScopeDemands = .none,
        created: Date,
        undone: Date? = nil
    ) {
        self.id = id
        self.registration = registration
        self.name = name
        self.kind = kind
        self.grantTypes = grantTypes
        self.scope = scope
        self.tokenFormat = tokenFormat
        self.chosenIDTokenAlgorithm = chosenIDTokenAlgorithm
        self.audience = audience
        self.serves = serves
        self.redirects = redirects
        self.lifetimes = lifetimes
        self.dpop = dpop
        self.backchannel = backchannel
        self.linkApproval = linkApproval
        self.minimumEvidence = minimumEvidence
        self.created = created
        self.undone = undone
    }
}

extension Client {
    /// The kind of a client's registration with the server.
    public enum Registration: Sendable, Equatable {
        /// An operator registered it.
        case `operator`
        /// An app on a device registered itself; it is removed at `expires` unless it receives a token before.
        ///
        /// Standard: ETSI TS 103 407 §8.2. That a registration expires is an addition of Countersign.
        indirect case device(ClientSoftware, expires: Date)
        /// It registered itself at `/register`, and manages its registration.
        ///
        /// Standard: RFC 7591; RFC 7592.
        indirect case dynamic(DynamicRegistration)

        /// The time of the client's removal unless it receives a token before; `nil` for never.
        public var expires: Date? {
            switch self {
            case .operator: nil
            case .device(_, let expires): expires
            case .dynamic(let registration): registration.expires
            }
        }
    }

    /// Whether its registration has expired.
    ///
    /// - Parameter now: The current time; evaluated only for registrations that expire.
    public func hasExpired(at now: @autoclosure () -> Date) -> Bool {
        guard let expires = registration.expires else { return false }
        return expires <= now()
    }

    /// The public keys that verify its signed requests; `nil` for a client that has none.
    package var signingKeys: JSONWebKeySet? {
        switch kind {
        case .keys(let keys): keys
        case .certificate(_, signing: let keys): keys
        case .public, .confidential: nil
        }
    }

    /// The provenance of its name; the name of a client that registered itself is asserted.
    ///
    /// - Parameter provenance: The provenance of the client itself.
    public func provenanceOfName(_ provenance: Provenance) -> Provenance {
        if case .operator = registration { provenance } else { .asserted }
    }
}

/// The software on a device, as the device describes it.
///
/// Standard: ETSI TS 103 407 §8.2.
public struct ClientSoftware: Sendable, Equatable {
    /// Usually a bundle identifier or package name.
    public let id: String
    /// Its version, in any form.
    public let version: String

    /// Creates a description.
    public init(id: String, version: String) {
        self.id = id
        self.version = version
    }
}

/// The lifetimes of codes and tokens of a client, each in seconds.
public struct Lifetimes: Sendable, Equatable {
    /// The longest lifetime of a JWT, 5 minutes: a resource server that verifies it locally does not learn of its
    /// revocation.
    public static let longestJWT: TimeInterval = 300

    /// The lifetime of an ID token, 1 hour.
    public static let idToken: TimeInterval = 3600

    /// The lifetime of device and user codes.
    public var code: TimeInterval
    /// The lifetime of access tokens; of JWTs at most ``longestJWT``.
    public var accessToken: TimeInterval
    /// The lifetime of refresh tokens, counted from their last use.
    public var refreshToken: TimeInterval

    /// Creates lifetimes.
    public init(code: TimeInterval = 300, accessToken: TimeInterval = 3600, refreshToken: TimeInterval = 30 * 86_400) {
        self.code = code
        self.accessToken = accessToken
        self.refreshToken = refreshToken
    }
}
