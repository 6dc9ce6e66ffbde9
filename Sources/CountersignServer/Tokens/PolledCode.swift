internal import Countersign
internal import CountersignWire

/// The code that a client polls with.
enum PolledCode: Sendable, Equatable {
    /// The code of a screen, and the links to phones nearby that it says it asked over. Standard: RFC 8628 §3.4.
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

    /// The links to phones nearby that the screen says it asked over.
    var links: Set<NearbyLinkID> {
        switch self {
        case .device(_, over: let links): links
        case .backchannel: []
        }
    }

    /// The grant type that a client must be registered for.
    var grantType: GrantType {
        switch self {
        case .device: .deviceCode
        case .backchannel: .backchannelAuthentication
        }
    }
}

extension AuthenticatedClient {
    /// Lets the client ask by a code of this kind.
    ///
    /// - Throws: ``OAuthError`` `unauthorized_client`, also for a client that tokens are pushed to (OpenID CIBA Core
    ///   1.0 §11).
    func require(_ code: PolledCode) throws(OAuthError) {
        try require(code.grantType)
        if case .backchannel = code, client.backchannel.deliveryMode == .push {
            throw OAuthError(
                .unauthorizedClient,
                "tokens are sent to this client, which does not ask for them",
                because: "\(client.id) is registered for push"
            )
        }
    }
}
