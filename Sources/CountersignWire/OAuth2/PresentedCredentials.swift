/// The credentials that name a client in a request, before any of them is trusted.
///
/// Standard: RFC 6749 §2.3, OpenID Connect Core 1.0 §9.
public struct PresentedCredentials: Sendable, Equatable {
    /// The way the client authenticates.
    public enum Method: String, Sendable, CaseIterable {
        /// Its secret in the `Authorization` header, scheme Basic.
        case clientSecretBasic = "client_secret_basic"
        /// Its secret in the form.
        case clientSecretPost = "client_secret_post"
        /// A signed assertion in the form. Standard: RFC 7523 §2.2.
        case privateKeyJWT = "private_key_jwt"
        /// A certificate of an authority, proved in the TLS handshake.
        ///
        /// Standard: RFC 8705 §2.1.
        case tlsClientAuth = "tls_client_auth"
        /// A registered self-signed certificate, proved in the same way. Standard: RFC 8705 §2.2.
        case selfSignedTLSClientAuth = "self_signed_tls_client_auth"
        /// Not at all: a public client only names itself.
        case none

        /// Whether the client proves itself by a certificate.
        package var isByCertificate: Bool { self == .tlsClientAuth || self == .selfSignedTLSClientAuth }
    }

    /// The client that the request names.
    public let client: ClientID
    /// Its secret; `nil` for a client that presents none.
    public let secret: ClientSecret?
    /// The statement that it signed; `nil` for a client that presents none.
    public let assertion: UnverifiedClientAssertion?
    /// The client's authentication method in the request; a client with a certificate only identifies itself.
    public let method: Method

    /// Creates credentials.
    public init(client: ClientID, secret: ClientSecret?, method: Method) {
        self.client = client
        self.secret = secret
        assertion = nil
        self.method = method
    }

    /// Creates credentials from a signed statement, which names the client.
    ///
    /// Standard: RFC 7523 §2.2.
    public init(assertion: UnverifiedClientAssertion) {
        client = assertion.client
        secret = nil
        self.assertion = assertion
        method = .privateKeyJWT
    }

    /// Whether anything is presented that may be wrong: a secret or a signed statement.
    package var isProof: Bool { secret != nil || assertion != nil }

    /// Reads the credentials of a request from its `Authorization` header and its form.
    ///
    /// - Parameters:
    ///   - authorization: The value of the header; `nil` when there is none.
    ///   - form: The body, which may have `client_id`, `client_secret` and `client_assertion`.
    /// - Throws: ``OAuthError`` `invalid_client` when there are none or the header cannot be read, `invalid_request`
    ///   when two methods are used at once.
    public init(authorization: String?, form: Form) throws(OAuthError) {
        let named = form["client_id"].map { ClientID($0) }
        let posted = form["client_secret"].map { ClientSecret(revealing: $0) }
        if let assertion = try UnverifiedClientAssertion(form: form) {
            guard authorization == nil, posted == nil else {
                throw OAuthError(.invalidRequest, "more than one way of client authentication", because: "two methods")
            }
            guard named == nil || named == assertion.client else {
                throw OAuthError(.invalidClient, "the assertion is another client's", because: "another client_id")
            }
            self.init(assertion: assertion)
            return
        }
        guard let authorization else {
            guard let named else {
                throw OAuthError(.invalidClient, "no client is named", because: "no client credentials")
            }
            self.init(client: named, secret: posted, method: posted == nil ? .none : .clientSecretPost)
            return
        }
        let basic = try Self.basic(authorization)
        guard posted == nil, named == nil || named == basic.client else {
            throw OAuthError(.invalidRequest, "more than one way of client authentication", because: "two methods")
        }
        self = basic
    }

    /// Returns the value of the `Authorization` header that authenticates a confidential client.
    ///
    /// Standard: RFC 6749 §2.3.1.
    ///
    /// - Parameters:
    ///   - client: The client that authenticates.
    ///   - secret: The secret that the server minted for this client.
    public static func basicHeader(client: ClientID, secret: ClientSecret) -> String {
        let pair = "\(Form.encode(client.rawValue)):\(Form.encode(secret.revealed))"
        return "Basic \(Base64.encode(Array(pair.utf8)))"
    }

    private static func basic(_ header: String) throws(OAuthError) -> PresentedCredentials {
        let unreadable = OAuthError(.invalidClient, "the Authorization header is malformed", because: "not Basic")
        let parts = header.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard parts.count == 2, Substring(parts[0]).lowercased() == "basic",
            let bytes = Base64.decode(trimmed(Substring(parts[1]))),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { throw unreadable }
        do {
            let secret = try Form.decode(bytes[(colon + 1)...])
            return PresentedCredentials(
                client: ClientID(try Form.decode(bytes[..<colon])),
                // RFC 6749 §2.3.1: an empty secret counts as omitted.
                secret: secret.isEmpty ? nil : ClientSecret(revealing: secret),
                method: secret.isEmpty ? .none : .clientSecretBasic
            )
        } catch {
            throw unreadable
        }
    }
}
