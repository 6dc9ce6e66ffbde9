internal import FoundationEssentialsCompat

/// The unverified metadata of a registration request; unknown members are ignored.
///
/// A member that is omitted, or is `null`, is `nil`. Standard: RFC 7591 §2; OpenID Connect Dynamic Client Registration
/// 1.0 §2; RFC 8705 §2.1.2, §3.4; RFC 9126 §6; RFC 9449 §5.2; OpenID Connect RP-Initiated Logout 1.0 §3.1; OpenID
/// Connect Back-Channel Logout 1.0 §2.2; OpenID CIBA Core 1.0 §4.
package struct ClientMetadata: Sendable, Equatable, Codable {
    /// The addresses for answers to its authorization requests.
    package var redirectURIs: [String]?
    /// The method of its authentication, such as `client_secret_basic`.
    package var tokenEndpointAuthMethod: String?
    package var grantTypes: [GrantType]?
    /// The types of responses that it asks of the authorization endpoint: `code`.
    package var responseTypes: [String]?
    /// Whether it is a web site or page (`web`, also where it is omitted) or a program on a device (`native`).
    ///
    /// Standard: OpenID Connect Dynamic Client Registration 1.0 §2.
    package var applicationType: String?
    package var clientName: String?
    /// The words that it may ask for, with spaces between.
    package var scope: String?
    /// The public keys that verify its signatures.
    package var keys: SubmittedKeySet?
    /// The address of its public keys (`jwks_uri`).
    package var keysURI: String?
    /// The addresses that a browser may be sent to after its person was signed out.
    package var postLogoutRedirectURIs: [String]?
    package var idTokenSignedResponseAlg: String?
    /// Whether its authorization requests have to be stored beforehand.
    package var requirePushedAuthorizationRequests: Bool?
    /// Whether its authorization requests have to be signed. Standard: RFC 9101 §10.5.
    package var requireSignedRequestObject: Bool?
    /// Whether its tokens are bound to a key.
    package var dpopBoundAccessTokens: Bool?
    /// Whether its tokens are bound to the certificate of its connection. Standard: RFC 8705 §3.4.
    package var tlsClientCertificateBoundAccessTokens: Bool?
    /// The subject of the certificate that it authenticates by. Standard: RFC 8705 §2.1.2.
    package var tlsClientAuthSubjectDN: String?
    /// A DNS name of that certificate.
    package var tlsClientAuthSANDNS: String?
    /// A URI of that certificate.
    package var tlsClientAuthSANURI: String?
    /// An IP address of that certificate.
    package var tlsClientAuthSANIP: String?
    /// A mail address of that certificate.
    package var tlsClientAuthSANEmail: String?
    /// The endpoint of the client that takes logout tokens. Standard: OpenID Connect Back-Channel Logout 1.0 §2.2.
    package var backChannelLogoutURI: String?
    /// Whether the client needs the session in logout tokens.
    package var backChannelLogoutSessionRequired: Bool?
    /// The way it learns of decisions over the back channel: `poll`, `ping`, `push`. Standard: OpenID CIBA Core 1.0 §4.
    package var backchannelTokenDeliveryMode: String?
    /// The endpoint that is notified of them.
    package var backchannelClientNotificationEndpoint: String?
    /// The algorithm that signs its requests over the back channel.
    package var backchannelAuthenticationRequestSigningAlg: String?
    /// Whether it can send the code that a person has for requests over the back channel.
    package var backchannelUserCodeParameter: Bool?
    /// The software, by an identifier that all of its installations share.
    package var softwareID: String?
    /// The version of the software, in any form.
    package var softwareVersion: String?

    /// The longest body that is read, in bytes, so that a registration takes little room.
    package static let longest = 16_384

    /// Creates empty metadata.
    package init() {}

    /// Reads the body of a request.
    ///
    /// - Throws: ``OAuthError`` `invalid_client_metadata` when it is no JSON object or longer than ``longest``, or a
    ///   member has another type.
    package init(parsing bytes: some Collection<UInt8>) throws(OAuthError) {
        guard bytes.count <= Self.longest else {
            throw OAuthError(
                .invalidClientMetadata,
                "the metadata is longer than \(Self.longest) bytes",
                because: "\(bytes.count) bytes of metadata"
            )
        }
        do {
            self = try JSONDecoder().decode(ClientMetadata.self, from: Data(bytes))
        } catch {
            throw OAuthError(
                .invalidClientMetadata, Self.description(of: error), because: "metadata that cannot be read")
        }
    }

    /// A sentence with the member that has another type; the names are ours, not the client's.
    private static func description(of error: any Error) -> String {
        let path: [any CodingKey]? =
            switch error {
            case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
                DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context):
                context.codingPath
            default: nil
            }
        guard let name = path?.first?.stringValue, let known = CodingKeys(stringValue: name) else {
            return "the body must be a JSON object"
        }
        return "the member \(known.stringValue) has another form"
    }

    enum CodingKeys: String, SnakeCaseKey {
        case tokenEndpointAuthMethod, grantTypes, responseTypes, applicationType, clientName, scope,
            idTokenSignedResponseAlg, requirePushedAuthorizationRequests, requireSignedRequestObject,
            dpopBoundAccessTokens, tlsClientCertificateBoundAccessTokens, tlsClientAuthSubjectDN,
            tlsClientAuthSANEmail, backchannelTokenDeliveryMode, backchannelClientNotificationEndpoint,
            backchannelAuthenticationRequestSigningAlg, backchannelUserCodeParameter, softwareID, softwareVersion
        case redirectURIs = "redirect_uris"
        case keys = "jwks"
        case keysURI = "jwks_uri"
        case postLogoutRedirectURIs = "post_logout_redirect_uris"
        case backChannelLogoutURI = "backchannel_logout_uri"
        case backChannelLogoutSessionRequired = "backchannel_logout_session_required"
        case tlsClientAuthSANDNS = "tls_client_auth_san_dns"
        case tlsClientAuthSANURI = "tls_client_auth_san_uri"
        case tlsClientAuthSANIP = "tls_client_auth_san_ip"
    }
}
