/// A request at the token endpoint.
///
/// ```swift
/// let request = TokenRequest.deviceCode(code)
/// let body = request.form.encoded
/// ```
///
/// Standard: RFC 6749 §3.2; each case names its own section.
public enum TokenRequest: Sendable, Equatable {
    /// Redeems an authorization code: with the redirect URI of the authorization request, if that named one, and the
    /// verifier of its challenge. Standard: RFC 6749 §4.1.3, RFC 7636 §4.5.
    case authorizationCode(AuthorizationCode, redirectURI: String?, verifier: CodeVerifier?)
    /// Redeems the approval of a device code, naming the links to phones nearby that the screen asked (an addition of
    /// Countersign; none by default). Standard: RFC 8628 §3.4.
    case deviceCode(DeviceCode, over: NearbyLinks = NearbyLinks())
    /// Replaces a refresh token, for the same scope or less; an empty scope means the same. Standard: RFC 6749 §6.
    case refresh(RefreshToken, scope: Scope)
    /// Asks for a token of the client's own; an empty scope means all that it may have. Standard: RFC 6749 §4.4.2.
    case clientCredentials(scope: Scope)
    /// Exchanges a token of another provider. Standard: RFC 8693 §2.1.
    case tokenExchange(TokenExchangeRequest)
    /// Redeems the approval of a request over the back channel. Standard: OpenID CIBA Core 1.0 §10.1.
    case backchannelAuthentication(AuthenticationRequestID)
    /// Redeems a ticket that a person made for their app. Standard: OpenID for Verifiable Credential Issuance 1.0 §6.1.
    case preAuthorizedCode(EnrollmentTicket)

    /// Reads a request.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when a parameter is missing, `unsupported_grant_type` for an unknown
    ///   grant type, `invalid_scope` for a malformed scope.
    public init(form: Form) throws(OAuthError) {
        let grantType = GrantType(try form.required("grant_type"))
        switch grantType {
        case .authorizationCode:
            self = .authorizationCode(
                AuthorizationCode(revealing: try form.required("code")),
                redirectURI: form["redirect_uri"],
                verifier: try form.parsed("code_verifier") { CodeVerifier(parsing: $0) }
            )
        case .deviceCode:
            let code = DeviceCode(revealing: try form.required("device_code"))
            self = .deviceCode(code, over: try NearbyLinks(form: form))
        case .refreshToken:
            self = .refresh(RefreshToken(revealing: try form.required("refresh_token")), scope: try form.scope())
        case .clientCredentials: self = .clientCredentials(scope: try form.scope())
        case .tokenExchange: self = .tokenExchange(try TokenExchangeRequest(form: form))
        case .backchannelAuthentication:
            self = .backchannelAuthentication(AuthenticationRequestID(revealing: try form.required("auth_req_id")))
        case .preAuthorizedCode:
            // Standard: OpenID for Verifiable Credential Issuance 1.0 §6.3.
            guard form["tx_code"] == nil else {
                throw OAuthError(.invalidRequest, "no tx_code was asked for", because: "an unexpected tx_code")
            }
            self = .preAuthorizedCode(EnrollmentTicket(revealing: try form.required("pre-authorized_code")))
        default: throw OAuthError(.unsupportedGrantType, because: "unknown grant type")
        }
    }

    /// The grant type of the request.
    public var grantType: GrantType {
        switch self {
        case .authorizationCode: .authorizationCode
        case .deviceCode: .deviceCode
        case .refresh: .refreshToken
        case .clientCredentials: .clientCredentials
        case .tokenExchange: .tokenExchange
        case .backchannelAuthentication: .backchannelAuthentication
        case .preAuthorizedCode: .preAuthorizedCode
        }
    }

    /// The form that a client sends, without its credentials.
    public var form: Form {
        var form = Form()
        form["grant_type"] = grantType.rawValue
        switch self {
        case .authorizationCode(let code, let redirectURI, let verifier):
            form["code"] = code.revealed
            form["redirect_uri"] = redirectURI
            form["code_verifier"] = verifier?.revealed
        case .deviceCode(let code, over: let links):
            form["device_code"] = code.revealed
            form[NearbyLinks.parameter] = links.description
        case .refresh(let token, let scope):
            form["refresh_token"] = token.revealed
            form["scope"] = scope.description
        case .clientCredentials(let scope): form["scope"] = scope.description
        case .tokenExchange(let request): request.write(to: &form)
        case .backchannelAuthentication(let id): form["auth_req_id"] = id.revealed
        case .preAuthorizedCode(let ticket): form["pre-authorized_code"] = ticket.revealed
        }
        return form
    }
}
