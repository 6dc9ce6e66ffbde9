// The messages that a server sends most; their names are in their own `CodingKeys`.

extension OAuthErrorResponse: CompactlyWritten {
    package func write(to json: inout CompactJSON) {
        json.add(CodingKeys.error, error.rawValue)
        json.add(CodingKeys.description, description)
        json.add(CodingKeys.link, link?.rawValue)
        json.add(CodingKeys.verificationNumber, verificationNumber?.rawValue)
    }
}

extension TokenResponse: CompactlyWritten {
    package func write(to json: inout CompactJSON) {
        json.add(CodingKeys.accessToken, accessToken.revealed)
        json.add(CodingKeys.authorizationExpiresIn, authorizationExpiresIn)
        json.add(CodingKeys.expiresIn, expiresIn)
        json.add(CodingKeys.idToken, idToken?.revealed)
        json.add(CodingKeys.issuedTokenType, issuedTokenType?.rawValue)
        json.add(CodingKeys.refreshToken, refreshToken?.revealed)
        json.add(CodingKeys.scope, scope?.description)
        json.add(CodingKeys.tokenType, tokenType)
    }
}

extension IntrospectionResponse: CompactlyWritten {
    package func write(to json: inout CompactJSON) {
        json.add(CodingKeys.authenticationClass, authenticationClass)
        json.add(CodingKeys.active, active)
        json.add(CodingKeys.audience, to: audience)
        json.add(CodingKeys.authenticated, authenticated)
        json.add(CodingKeys.clientID, clientID?.rawValue)
        json.add(CodingKeys.confirmation, confirmation)
        json.add(CodingKeys.evidence, evidence)
        json.add(CodingKeys.expires, expires)
        json.add(CodingKeys.issued, issued)
        json.add(CodingKeys.issuer, issuer)
        json.add(CodingKeys.tokenID, tokenID)
        json.add(CodingKeys.scope, scope)
        json.add(CodingKeys.subject, subject)
        json.add(CodingKeys.tokenType, tokenType)
        json.add(CodingKeys.username, username)
        additional.write(to: &json)
    }
}

extension KeyConfirmation: CompactlyWritten {
    package func write(to json: inout CompactJSON) {
        switch key {
        case .proof(let thumbprint): json.add(CodingKeys.thumbprint, thumbprint.rawValue)
        case .certificate(let thumbprint): json.add(CodingKeys.certificate, thumbprint.rawValue)
        case nil: break
        }
    }
}

extension EvidenceClaim: CompactlyWritten {
    package func write(to json: inout CompactJSON) {
        json.add(CodingKeys.hasDeviceKey, hasDeviceKey)
        json.add(CodingKeys.network, network.rawValue)
        json.add(CodingKeys.isNumberMatched, isNumberMatched)
        json.add(CodingKeys.proximity, proximity.rawValue)
        json.add(CodingKeys.isUserVerified, isUserVerified)
        json.add(CodingKeys.way, way?.rawValue)
    }
}

extension DeviceAuthorizationResponse: CompactlyWritten {
    package func write(to json: inout CompactJSON) {
        json.add(CodingKeys.browserURI, browserURI)
        json.add(CodingKeys.isRemembered, isRemembered)
        json.add(CodingKeys.ways, writtenWays)
        json.add(CodingKeys.deviceCode, deviceCode.revealed)
        json.add(CodingKeys.expiresIn, expiresIn)
        json.add(CodingKeys.interval, interval)
        json.add(CodingKeys.userCode, userCode.rawValue)
        json.add(CodingKeys.verificationURI, verificationURI)
        json.add(CodingKeys.verificationURIComplete, verificationURIComplete)
    }
}

extension CompactJWS.Header: CompactlyWritten {
    package func write(to json: inout CompactJSON) {
        json.add(CodingKeys.algorithm, algorithm)
        json.add(CodingKeys.critical, critical)
        json.add(CodingKeys.keyID, keyID?.rawValue)
        json.add(CodingKeys.type, type)
    }
}

extension IDTokenClaims: CompactlyWritten {
    package func write(to json: inout CompactJSON) {
        json.add(CodingKeys.authenticationClass, authenticationClass)
        json.add(CodingKeys.methods, methods)
        json.add(CodingKeys.accessTokenDigest, accessTokenDigest?.rawValue)
        json.add(CodingKeys.audience, to: audience)
        json.add(CodingKeys.authenticated, authenticated)
        json.add(CodingKeys.evidence, evidence)
        json.add(CodingKeys.screen, screen?.rawValue)
        json.add(CodingKeys.email, email)
        json.add(CodingKeys.isEmailVerified, isEmailVerified)
        json.add(CodingKeys.expires, expires)
        json.add(CodingKeys.issued, issued)
        json.add(CodingKeys.issuer, issuer)
        json.add(CodingKeys.locale, locale)
        json.add(CodingKeys.name, name)
        json.add(CodingKeys.nonce, nonce)
        json.add(CodingKeys.preferredUsername, preferredUsername)
        json.add(CodingKeys.session, session?.rawValue)
        json.add(CodingKeys.subject, subject.rawValue)
        json.add(CodingKeys.updated, updated)
        json.add(CodingKeys.authenticationRequest, authenticationRequest?.rawValue)
        json.add(CodingKeys.refreshTokenDigest, refreshTokenDigest?.rawValue)
        json.add(CodingKeys.zoneInfo, zoneInfo)
        additional.write(to: &json)
    }
}

extension LogoutTokenClaims: CompactlyWritten {
    package func write(to json: inout CompactJSON) {
        json.add(CodingKeys.audience, to: audience)
        json.add(CodingKeys.events, LogoutTokenClaims.Events())
        json.add(CodingKeys.expires, expires)
        json.add(CodingKeys.issued, issued)
        json.add(CodingKeys.issuer, issuer)
        json.add(CodingKeys.tokenID, tokenID)
        json.add(CodingKeys.session, session.rawValue)
        json.add(CodingKeys.subject, subject.rawValue)
    }
}

extension CompactJSON {
    /// Adds an audience; one name stands alone. Standard: RFC 7519 §4.1.3.
    fileprivate mutating func add(_ name: some CodingKey, to audience: Audience?) {
        guard let audience else { return }
        if audience.names.count == 1 { add(name, audience.names[0]) } else { add(name, audience.names) }
    }
}
