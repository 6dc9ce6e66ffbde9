/// The requirements for the requests of a client, by its registration and its security profile.
///
/// Endpoints use these rules instead of the registration and the profile. With ``SecurityProfile/objection(to:)`` they
/// implement the profile; the requirements for all clients (S256 for PKCE, `response_type=code`, codes for a minute,
/// `iss`, redirects by 303) are implemented at their endpoints.
struct ClientRules: Sendable, Equatable {
    /// Whether authorization requests must be stored beforehand. Standard: RFC 9126 §6; FAPI 2.0 §5.3.2.2.
    let requiresPushedRequests: Bool
    /// Whether authorization requests must name their redirect URI. Standard: FAPI 2.0 §5.3.2.2.
    let requiresRedirectURI: Bool
    /// Whether authorization requests must have a PKCE challenge; those of other clients may have a nonce in its place.
    /// Standard: RFC 9700 §2.1.1.
    let requiresPKCE: Bool
    /// Whether authorization requests must be signed. Standard: RFC 9101 §10.5.
    let requiresSignedRequests: Bool
    /// Whether requests over the back channel must be signed. Standard: OpenID CIBA Core 1.0 §4; FAPI-CIBA §5.2.2.
    let requiresSignedBackchannelRequests: Bool
    /// The algorithms that may sign its requests over the back channel.
    let backchannelAlgorithms: ClientAlgorithms
    /// The required claims of signed requests. Standard: FAPI 2.0 Message Signing §5.3.1.
    let requestObjects: UnverifiedRequestObject.Demand
    /// The algorithms that the client may sign with. Standard: FAPI 2.0 §5.4.1.
    let algorithms: ClientAlgorithms
    /// The endpoints that its assertions may have as their audience in addition to the issuer.
    ///
    /// FAPI 2.0 allows the issuer only. A client of the back channel may use two endpoints all the same, since CIBA
    /// demands it, and FAPI-CIBA is older than FAPI 2.0.
    /// Standard: FAPI 2.0 §5.3.2.1; OpenID CIBA Core 1.0 §7.1.
    let assertionEndpoints: [String]
    /// Whether requests over the back channel must have a `binding_message`.
    ///
    /// Standard: FAPI-CIBA §5.2.2.
    let requiresBindingMessage: Bool
    /// Whether its assertions must have a single string as their audience. Standard: FAPI 2.0 §5.3.2.1.
    let requiresSingleAudience: Bool
    /// Whether a DPoP proof with a time in the future is refused, also with a nonce. Standard: FAPI 2.0 §5.3.2.1.
    let refusesFutureProofs: Bool
    /// Whether its tokens must be bound to a key. Standard: RFC 9449 §5.2; RFC 8705 §3; FAPI 2.0 §5.3.2.1.
    let requiresKey: Bool
    /// Whether a refresh token is replaced when it is used.
    ///
    /// Standard: RFC 9700 §4.14.2, which lets tokens that are bound to a confidential client stay; FAPI 2.0 §5.3.2.1,
    /// which demands that they stay, since a lost answer must not end the sign-in.
    let rotatesRefreshTokens: Bool

    init(of client: Client) {
        let isFAPI = client.redirects.profile == .fapi2
        requiresPushedRequests = isFAPI || client.redirects.requiresPushedRequests
        requiresRedirectURI = isFAPI
        // The conditions are checked again: the registration may not come from its registry.
        requiresPKCE = client.redirects.pkce == .required || client.redirects.pkce.objection(to: client) != nil
        requiresSignedRequests = client.redirects.requiresSignedRequests
        requiresSignedBackchannelRequests = isFAPI || client.backchannel.signingAlgorithm != nil
        backchannelAlgorithms = (isFAPI ? ClientAlgorithms.fapi2 : .all).only(client.backchannel.signingAlgorithm)
        requestObjects = isFAPI ? .validity : .signature
        algorithms = isFAPI ? .fapi2 : .all
        let isAskingOverBackChannel = client.grantTypes.contains(.backchannelAuthentication)
        assertionEndpoints =
            if !isFAPI {
                ["token", "par", "bc-authorize"]
            } else if isAskingOverBackChannel {
                ["token", "bc-authorize"]
            } else {
                []
            }
        requiresBindingMessage = isFAPI
        requiresSingleAudience = isFAPI
        refusesFutureProofs = isFAPI
        requiresKey = isFAPI || client.dpop != .allowed
        rotatesRefreshTokens = !isFAPI
    }
}

extension Client {
    /// The requirements for its requests.
    var rules: ClientRules { ClientRules(of: self) }
}
