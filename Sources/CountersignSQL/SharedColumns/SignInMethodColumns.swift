internal import Countersign
internal import CountersignStorage
internal import CountersignWire

/// The method of a request for sign-in as columns of the table `exchanges`.
///
/// The first of them that is not null names the method: `authorization_binding`, `backchannel`, `browser_session`,
/// `authenticator`. If all are null, a request has a user code if it has no addressee, or another value than its device
/// code in that column; of the others, the one for a domain is of automatic sign-on. A request without a user code has its
/// device code in that column, which holds each value once. A request with a user code may have the way back from a
/// browser in `browser_return`.
enum SignInMethodColumns {
    /// Columns that never change.
    static let columns: SQLColumns = [
        "user_code", "nearby_challenge", "authorization_binding", "backchannel", "browser_return",
    ]

    /// The values of these columns.
    static func values(_ method: SignInMethod, under requestCode: SecretDigest) throws -> [SQLValue?] {
        switch method {
        case .deviceCode(let userCode, nearby: let challenge, browser: let browser):
            [userCode.bytes.column, challenge?.bytes.column, nil, nil, try browser.map(SQLValue.document)]
        case .browserSession(let userCode, _): [userCode.bytes.column, nil, nil, nil, nil]
        case .authorizationCode(let binding): [requestCode.column, nil, try .document(binding), nil, nil]
        case .backchannel(let terms): [requestCode.column, nil, nil, try .document(terms), nil]
        case .singleSignOn, .customerSite, .immediateGrant: [requestCode.column, nil, nil, nil, nil]
        }
    }

    /// The value of the column `authenticator`, which changes.
    static func authenticator(_ method: SignInMethod) throws -> SQLValue? {
        switch method {
        case .backchannel(let terms): try terms.number.map { try .document(AuthenticatorColumn($0)) }
        case .customerSite(let terms): try .document(AuthenticatorColumn(terms))
        case .deviceCode, .singleSignOn, .authorizationCode, .browserSession, .immediateGrant: nil
        }
    }

    /// The value of the column `browser_session`, which changes.
    static func browserSession(_ method: SignInMethod) throws -> SQLValue? {
        try method.browser.map { try .document($0) }
    }

    /// The method whose columns begin at `start`, behind that of the device code.
    static func method(
        of request: SignInRequest,
        in row: SQLRow,
        from start: Int,
        authenticator: Int,
        browserSession: Int
    ) throws -> SignInMethod {
        if !row.isNull(start + 2) { return .authorizationCode(try row.document(start + 2)) }
        let column: AuthenticatorColumn? = row.isNull(authenticator) ? nil : try row.document(authenticator)
        if !row.isNull(start + 3) {
            var terms: BackchannelTerms = try row.document(start + 3)
            terms.number = column?.number
            return .backchannel(terms)
        }
        if !row.isNull(browserSession) {
            return .browserSession(UserCodeDigest(restoring: try row[start]), try row.document(browserSession))
        }
        if let column { return .customerSite(try column.terms) }
        guard request.addressee == nil || row.optionalBytes(start) != row.optionalBytes(start - 1) else {
            return request.domain == nil ? .immediateGrant : .singleSignOn
        }
        return .deviceCode(
            UserCodeDigest(restoring: try row[start]),
            nearby: row.optionalBytes(start + 1).map { NearbyChallenge(restoring: $0) },
            browser: row.isNull(start + 4) ? nil : try row.document(start + 4)
        )
    }
}

/// The JSON in the column `authenticator`: the terms of a customer's site, or only the number of a request over the
/// back channel.
private struct AuthenticatorColumn: Codable {
    var kind = AuthenticationRequest.Kind.instant
    var messageType = AuthenticationRequest.MessageType.automatic
    var environment: CustomerSiteID?
    var openingSecret: CustomerSiteSecretReference?
    var message: String?
    var address: String?
    var place: AuthenticationRequest.Location?
    var askedNumber: Subject?
    var telephone: PhoneNumber?
    var number: NumberToMatch?
    var password: RequestPassword?
    var hasFailed = false

    init(_ number: NumberToMatch) {
        self.number = number
    }

    init(_ terms: CustomerSiteTerms) {
        kind = terms.kind
        messageType = terms.messageType
        environment = terms.environment
        openingSecret = terms.secret
        message = terms.message
        address = terms.address
        place = terms.place
        askedNumber = terms.askedNumber
        telephone = terms.phoneNumber
        switch terms.digits {
        case .number(let number): self.number = number
        case .password(let password): self.password = password
        }
        hasFailed = terms.hasFailed
    }

    var terms: CustomerSiteTerms {
        get throws {
            let digits = number.map(CustomerSiteTerms.Digits.number) ?? password.map(CustomerSiteTerms.Digits.password)
            guard let digits, let environment, let openingSecret, let askedNumber else {
                throw RowDecodingError(column: "terms of a customer's site")
            }
            var terms = CustomerSiteTerms(
                digits,
                environment: environment,
                secret: openingSecret,
                messageType: messageType,
                askedNumber: askedNumber
            )
            terms.message = message
            terms.address = address
            terms.place = place
            terms.phoneNumber = telephone
            terms.hasFailed = hasFailed
            return terms
        }
    }
}
