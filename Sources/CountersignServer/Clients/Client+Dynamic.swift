internal import FoundationEssentialsCompat

extension Client {
    /// A client that registers itself.
    init(
        registering metadata: CheckedClientMetadata,
        as id: ClientID,
        holding secret: ClientSecret,
        by registration: DynamicRegistration,
        at now: Date
    ) {
        self.init(
            id: id,
            registration: .dynamic(registration),
            name: id.rawValue,
            kind: .public,
            grantTypes: [],
            scope: .none,
            tokenFormat: .opaque,
            created: now
        )
        replace(by: metadata, holding: secret)
    }

    /// Replaces the metadata that a client controls.
    ///
    /// - Parameters:
    ///   - metadata: The metadata to register from now on.
    ///   - secret: The secret, if it needs one and has none.
    /// - Returns: Whether the secret was used.
    @discardableResult
    mutating func replace(by metadata: CheckedClientMetadata, holding secret: ClientSecret) -> Bool {
        guard case .dynamic(var registration) = registration else { return false }
        registration.method = metadata.method
        registration.software = metadata.software
        self.registration = .dynamic(registration)
        name = metadata.name ?? id.rawValue
        grantTypes = metadata.grantTypes
        scope = metadata.scope
        redirects = metadata.redirects
        dpop = metadata.dpop
        backchannel = metadata.backchannel
        chosenIDTokenAlgorithm = metadata.idTokenAlgorithm
        let longest = tokenFormat == .opaque ? Lifetimes().accessToken : Lifetimes.longestJWT
        lifetimes = Lifetimes(accessToken: longest)
        serves = metadata.method == .none ? [] : registration.allowance.serves
        switch (metadata.credential, kind) {
        case (.nothing, _): kind = .public
        case (.keys(let keys), _): kind = .keys(keys)
        case (.certificate(let name, signing: let keys), _): kind = .certificate(.issued(name), signing: keys)
        case (.secret, .confidential): break
        case (.secret, _):
            kind = .confidential(secret.digest)
            return true
        }
        return false
    }

    /// `native` for a program on a person's device, otherwise `web`.
    ///
    /// Standard: OpenID Connect Dynamic Client Registration 1.0 §2.
    private var applicationType: String {
        let isNative =
            kind == .public
            ? redirects.webOrigins.isEmpty : redirects.redirectURIs.contains { !RedirectURIRules.isClaimed($0) }
        return isNative ? "native" : "web"
    }

    /// The metadata of a client that registered itself; `nil` for other clients.
    var metadata: ClientMetadata? {
        guard case .dynamic(let registration) = registration else { return nil }
        var metadata = ClientMetadata()
        metadata.redirectURIs = redirects.redirectURIs
        metadata.tokenEndpointAuthMethod = registration.method.rawValue
        metadata.grantTypes = grantTypes
        metadata.responseTypes = grantTypes.contains(.authorizationCode) ? [AuthorizationRequest.responseType] : []
        metadata.applicationType = applicationType
        metadata.clientName = name
        metadata.scope = scope.description
        metadata.keys = signingKeys.map { SubmittedKeySet(registered: $0) }
        metadata.postLogoutRedirectURIs = redirects.postLogoutRedirectURIs
        metadata.idTokenSignedResponseAlg = idTokenAlgorithm.rawValue
        metadata.requirePushedAuthorizationRequests = redirects.requiresPushedRequests
        metadata.requireSignedRequestObject = redirects.requiresSignedRequests ? true : nil
        metadata.dpopBoundAccessTokens = dpop == .required || dpop == .requiredWithNonce
        metadata.tlsClientCertificateBoundAccessTokens = dpop == .certificate ? true : nil
        if case .certificate(.issued(let name), signing: _) = kind { metadata.certificateNames = [name] }
        metadata.backChannelLogoutURI = redirects.backChannelLogout?.uri
        metadata.backChannelLogoutSessionRequired = redirects.backChannelLogout?.requiresSession
        if grantTypes.contains(.backchannelAuthentication) {
            metadata.backchannelTokenDeliveryMode = backchannel.deliveryMode.rawValue
            metadata.backchannelClientNotificationEndpoint = backchannel.notificationEndpoint
            metadata.backchannelAuthenticationRequestSigningAlg = backchannel.signingAlgorithm
            metadata.backchannelUserCodeParameter = backchannel.sendsUserCodes
        }
        metadata.softwareID = registration.software?.id
        metadata.softwareVersion = registration.software.flatMap { $0.version.isEmpty ? nil : $0.version }
        return metadata
    }

    /// The algorithm of its ID tokens.
    package var idTokenSignedResponseAlg: IDTokenAlgorithm {
        chosenIDTokenAlgorithm ?? (tokenFormat == .rs256 ? .rs256 : .es256)
    }

    /// The algorithm of the key that signs its ID tokens.
    var idTokenAlgorithm: SigningKey.Algorithm {
        switch idTokenSignedResponseAlg {
        case .es256: .es256
        case .rs256: .rs256
        }
    }
}
