internal import Countersign
internal import CountersignWire

/// A question of an authenticated client: whether its request was approved.
struct Poll: Sendable {
    /// The code that a client polls with.
    enum Code: Sendable, Equatable {
        /// The code of a screen, and the links to phones nearby that it claims to have used. Standard: RFC 8628 §3.4.
        case device(DeviceCode, over: Set<NearbyLinkID> = [])
        /// The identifier of a request over the back channel. Standard: OpenID CIBA Core 1.0 §10.1.
        case backchannel(AuthenticationRequestID)

        /// The code of a token request; `nil` for a request that redeems something else.
        init?(of request: TokenRequest) {
            switch request {
            case .deviceCode(let code, over: let links): self = .device(code, over: Set(links.ids))
            case .backchannelAuthentication(let id): self = .backchannel(id)
            case .authorizationCode, .refresh, .clientCredentials, .tokenExchange, .preAuthorizedCode: return nil
            }
        }

        /// The digest that the request is stored under.
        var digest: SecretDigest {
            switch self {
            case .device(let code, over: _): code.digest
            case .backchannel(let id): id.digest
            }
        }

        var links: Set<NearbyLinkID> {
            switch self {
            case .device(_, over: let links): links
            case .backchannel: []
            }
        }

        /// The grant type of RFC 8628 or CIBA.
        var grantType: GrantType {
            switch self {
            case .device: .deviceCode
            case .backchannel: .backchannelAuthentication
            }
        }
    }

    let code: Code
    var client: AuthenticatedClient
    let dialect: TokenDialect
    /// The address of the client, if it can be seen.
    let address: String?
    /// The secret that the client drew for its request; `nil` for none.
    let id: TokenRequestID?
    /// The key that the client proves, which the tokens are bound to.
    let key: SenderKey?
    /// The screen's statement about the number that it shows; `nil` for a client that makes none.
    let number: NumberPreference?

    init(_ code: Code, _ request: TokenService.ParsedRequest, by client: AuthenticatedClient, in dialect: TokenDialect)
    {
        self.code = code
        self.client = client
        self.dialect = dialect
        address = request.address
        id = request.id
        key = request.key
        number = request.number
    }

    /// The grant type that its tokens are counted as.
    var grantType: GrantType { dialect.domain == nil ? code.grantType : .crossPlatformDeviceCode }

    /// Whether the screen shows the number that it has to show; `true` for a client that says nothing.
    func shows(_ wanted: VerificationNumber?) -> Bool { number.map { $0.shown == wanted } ?? true }

    /// Makes sure that the client's registration allows the poll.
    ///
    /// - Throws: ``OAuthError`` `unauthorized_client`, also for a client that tokens are pushed to (OpenID CIBA Core
    ///   1.0 §11); `invalid_dpop_proof` or `invalid_request` where a key is missing.
    func authorize() throws(OAuthError) {
        try client.requireKey(key)
        // A device of Cross-Platform Authentication is registered for that alone.
        guard dialect.domain == nil else { return }
        try client.require(code.grantType)
        if case .backchannel = code, client.client.backchannel.deliveryMode == .push {
            throw OAuthError(
                .unauthorizedClient,
                "tokens are sent to this client, which does not ask for them",
                because: "\(client.client.id) is registered for push"
            )
        }
    }
}
