internal import FoundationEssentialsCompat

/// Client metadata after policy: the request without the parts that are not allowed.
///
/// Unsupported metadata is omitted or replaced, as RFC 7591 §2 and §3.2.1 allow; the response has the registered
/// metadata.
struct CheckedClientMetadata: Sendable {
    /// The method of a client's authentication, with its keys; the secret is minted later.
    enum Credential: Sendable {
        case nothing
        case secret
        case keys(JSONWebKeySet)
        /// With the keys that sign its requests.
        case certificate(CertificateName, signing: JSONWebKeySet?)

        /// The keys that sign the client's requests; `nil` for none.
        var signingKeys: JSONWebKeySet? {
            switch self {
            case .keys(let keys): keys
            case .certificate(_, signing: let keys): keys
            case .nothing, .secret: nil
            }
        }
    }

    let method: PresentedCredentials.Method
    let credential: Credential
    let grantTypes: [GrantType]
    let scope: Scope
    let redirects: RedirectRegistration
    let name: String?
    let software: ClientSoftware?
    let idTokenAlgorithm: Client.IDTokenAlgorithm
    let dpop: Client.DPoPUse
    let backchannel: BackchannelRegistration

    /// The maximum number of addresses of each kind.
    private static let mostAddresses = 20

    /// Checks the metadata of a client.
    ///
    /// - Parameter allowance: The allowance of its initial access token; `nil` for a client without one.
    /// - Throws: ``OAuthError`` `invalid_redirect_uri` or `invalid_client_metadata`.
    init(
        _ asked: ClientMetadata, under policy: RegistrationPolicy, with allowance: RegistrationAllowance?
    ) throws(OAuthError) {
        guard [nil, "web", "native"].contains(asked.applicationType) else {
            throw Self.refusal("application_type is web or native")
        }
        (method, credential) = try Self.authentication(asked, takesCertificates: policy.takesCertificates)
        // Unused keys are refused: the client would sign with them, and not learn why it fails.
        guard credential.signingKeys != nil || asked.keys?.isEmpty ?? true else {
            throw Self.refusal(
                "jwks counts only with private_key_jwt or tls_client_auth: leave it out, or name another "
                    + "token_endpoint_auth_method than \(method.rawValue)")
        }
        grantTypes = try Self.grantTypes(asked, among: policy.grantTypes(with: allowance), by: method)
        scope = try Self.scope(asked, among: policy.scope(with: allowance))
        var redirects = try Self.redirects(asked, needsAddress: grantTypes.contains(.authorizationCode))
        if method == .none { redirects.webOrigins = Self.webOrigins(asked) }
        self.redirects = redirects
        name = asked.clientName.flatMap { DeviceAuthorizationRequest.presentable($0) }
        software = asked.softwareID.flatMap { DeviceAuthorizationRequest.presentable($0) }.map { id in
            let version = asked.softwareVersion.flatMap { DeviceAuthorizationRequest.presentable($0) }
            return ClientSoftware(id: id, version: version ?? "")
        }
        // The server signs by ES256 by default, as the response states.
        let algorithm = asked.idTokenSignedResponseAlg ?? Client.IDTokenAlgorithm.es256.rawValue
        guard let algorithm = Client.IDTokenAlgorithm(rawValue: algorithm) else {
            throw Self.refusal("id_token_signed_response_alg is ES256 or RS256")
        }
        idTokenAlgorithm = algorithm
        guard asked.requireSignedRequestObject != true || credential.signingKeys != nil else {
            throw Self.refusal("require_signed_request_object needs a client that signs, with jwks")
        }
        dpop = try Self.binding(asked, takesCertificates: policy.takesCertificates)
        backchannel =
            grantTypes.contains(.backchannelAuthentication)
            ? try Self.backchannel(asked, boundTo: dpop, holding: credential) : .polling
    }

    /// Standard: OpenID CIBA Core 1.0 §4.
    private static func backchannel(
        _ asked: ClientMetadata, boundTo dpop: Client.DPoPUse, holding credential: Credential
    ) throws(OAuthError) -> BackchannelRegistration {
        if case .nothing = credential {
            throw refusal("\(GrantType.backchannelAuthentication) needs a secret or a key")
        }
        guard let mode = asked.backchannelTokenDeliveryMode.flatMap({ BackchannelDeliveryMode(rawValue: $0) }) else {
            throw refusal("backchannel_token_delivery_mode is poll, ping or push")
        }
        guard mode != .push || dpop == .allowed else {
            throw refusal("tokens that are pushed cannot be bound to a key, use poll or ping")
        }
        let address = asked.backchannelClientNotificationEndpoint
        if mode.isNotified {
            guard let address else { throw refusal("backchannel_client_notification_endpoint is missing") }
            if let objection = NotificationAddress.objection(to: address, isSelfRegistered: true) {
                throw refusal("backchannel_client_notification_endpoint: \(objection)")
            }
        }
        let algorithm = asked.backchannelAuthenticationRequestSigningAlg
        if let algorithm {
            guard let keys = credential.signingKeys, UnverifiedRequestObject.algorithms.contains(algorithm),
                keys.keys.contains(where: { $0.algorithm == nil || $0.algorithm == algorithm })
            else { throw refusal("backchannel_authentication_request_signing_alg is not that of a key in jwks") }
        }
        return BackchannelRegistration(
            deliveryMode: mode, notificationEndpoint: mode.isNotified ? address : nil, signingAlgorithm: algorithm,
            sendsUserCodes: asked.backchannelUserCodeParameter == true)
    }

    /// Standard: RFC 9449 §5.2; RFC 8705 §3.4.
    private static func binding(_ asked: ClientMetadata, takesCertificates: Bool) throws(OAuthError) -> Client.DPoPUse {
        guard asked.tlsClientCertificateBoundAccessTokens == true else {
            return asked.dpopBoundAccessTokens == true ? .required : .allowed
        }
        guard takesCertificates else {
            throw refusal(
                "tls_client_certificate_bound_access_tokens needs certificates, which this server does not take")
        }
        guard asked.dpopBoundAccessTokens != true else {
            throw refusal("dpop_bound_access_tokens and tls_client_certificate_bound_access_tokens do not go together")
        }
        return .certificate
    }

    private static func refusal(_ problem: String) -> OAuthError {
        OAuthError(.invalidClientMetadata, problem, because: problem)
    }

    private static func authentication(
        _ asked: ClientMetadata, takesCertificates: Bool
    ) throws(OAuthError) -> (PresentedCredentials.Method, Credential) {
        guard asked.keysURI == nil else { throw refusal("jwks_uri is not fetched, send jwks") }
        switch asked.tokenEndpointAuthMethod ?? PresentedCredentials.Method.clientSecretBasic.rawValue {
        case PresentedCredentials.Method.none.rawValue: return (.none, .nothing)
        case PresentedCredentials.Method.clientSecretBasic.rawValue: return (.clientSecretBasic, .secret)
        case PresentedCredentials.Method.clientSecretPost.rawValue: return (.clientSecretPost, .secret)
        case PresentedCredentials.Method.privateKeyJWT.rawValue:
            guard let keys = try keys(asked) else { throw refusal("private_key_jwt needs jwks") }
            return (.privateKeyJWT, .keys(keys))
        case PresentedCredentials.Method.tlsClientAuth.rawValue where takesCertificates:
            let names = asked.certificateNames
            guard names.count == 1, let name = names.first, name.isWellFormed else {
                throw refusal("tls_client_auth needs exactly one well-formed tls_client_auth_ member")
            }
            return (.tlsClientAuth, .certificate(name, signing: try keys(asked)))
        case PresentedCredentials.Method.selfSignedTLSClientAuth.rawValue where takesCertificates:
            throw refusal("self_signed_tls_client_auth is registered by the operator")
        default: throw refusal("token_endpoint_auth_method is not one of those in the metadata of the server")
        }
    }

    /// The keys that a client sent; `nil` when it sent none.
    private static func keys(_ asked: ClientMetadata) throws(OAuthError) -> JSONWebKeySet? {
        guard let submitted = asked.keys else { return nil }
        do throws(SubmittedKeySet.KeySetError) {
            return try submitted.checked()
        } catch {
            switch error {
            case .privateKey: throw refusal("jwks holds a private key; only the public halves belong there")
            case .unusable:
                throw refusal("jwks needs 1 to \(SubmittedKeySet.most) keys, each on P-256 or RSA from 2048 bits")
            }
        }
    }

    /// The origins of the pages of a public client, which redeems its codes in a browser: those of its https addresses.
    private static func webOrigins(_ asked: ClientMetadata) -> [WebOrigin] {
        guard asked.applicationType != "native" else { return [] }
        var origins: [WebOrigin] = []
        for address in asked.redirectURIs ?? [] where address.hasPrefix("https://") {
            let end = address.dropFirst("https://".count).firstIndex { "/?".contains($0) } ?? address.endIndex
            // Browsers omit the default port.
            let text = String(address[..<end]).replacing(/:443$/, with: "")
            if let origin = WebOrigin(parsing: text), !origins.contains(origin) { origins.append(origin) }
        }
        return origins
    }

    /// Standard: RFC 7591 §2.1 for the correspondence of both lists.
    private static func grantTypes(
        _ asked: ClientMetadata, among allowed: [GrantType], by method: PresentedCredentials.Method
    ) throws(OAuthError) -> [GrantType] {
        let wanted = asked.grantTypes ?? [.authorizationCode]
        let granted = allowed.filter(wanted.contains)
        let types = asked.responseTypes ?? [AuthorizationRequest.responseType]
        guard types.contains(AuthorizationRequest.responseType) || !granted.contains(.authorizationCode) else {
            throw refusal("response_types needs code for the grant type authorization_code")
        }
        guard granted.contains(where: { $0 != .refreshToken }) else {
            let names = allowed.filter { $0 != .refreshToken }.map(\.rawValue).joined(separator: ", ")
            throw refusal("grant_types has none that a client like this may have: \(names)")
        }
        guard method != .none || !granted.contains(.clientCredentials) else {
            throw refusal("client_credentials needs a secret or a key")
        }
        return granted
    }

    private static func scope(_ asked: ClientMetadata, among allowed: Scope) throws(OAuthError) -> Scope {
        guard let text = asked.scope else { return RegistrationPolicy.leastScope }
        guard let wanted = Scope(parsing: text) else { throw refusal("scope has a character that no scope may have") }
        guard !wanted.isEmpty, let granted = allowed.granting(wanted) else {
            throw refusal("scope has no word that a client like this may ask for")
        }
        return granted
    }

    private static func redirects(
        _ asked: ClientMetadata, needsAddress: Bool
    ) throws(OAuthError) -> RedirectRegistration {
        let addresses = asked.redirectURIs ?? []
        guard addresses.count <= mostAddresses, !needsAddress || !addresses.isEmpty else {
            throw OAuthError(
                .invalidRedirectURI, "redirect_uris needs 1 to \(mostAddresses) addresses",
                because: "\(addresses.count) redirect URIs")
        }
        for address in addresses {
            if let objection = RedirectURIRules.objection(to: address) {
                throw OAuthError(.invalidRedirectURI, objection, because: "redirect URI: \(objection)")
            }
        }
        let afterwards = asked.postLogoutRedirectURIs ?? []
        guard afterwards.count <= mostAddresses else {
            throw refusal("post_logout_redirect_uris has more than \(mostAddresses) addresses")
        }
        for address in afterwards {
            if let objection = RedirectURIRules.objection(to: address) {
                throw refusal("post_logout_redirect_uris: \(objection)")
            }
        }
        var logout: BackChannelLogout?
        if let uri = asked.backChannelLogoutURI {
            if let objection = NotificationAddress.objection(to: uri, isSelfRegistered: true) {
                throw refusal("backchannel_logout_uri: \(objection)")
            }
            logout = BackChannelLogout(uri: uri, requiresSession: asked.backChannelLogoutSessionRequired ?? false)
        }
        return RedirectRegistration(
            redirectURIs: addresses,
            postLogoutRedirectURIs: afterwards,
            requiresPushedRequests: asked.requirePushedAuthorizationRequests ?? false,
            requiresSignedRequests: asked.requireSignedRequestObject ?? false,
            backChannelLogout: logout
        )
    }
}
