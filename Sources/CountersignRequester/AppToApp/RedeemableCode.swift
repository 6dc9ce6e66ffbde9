public import Countersign
internal import CountersignWire

/// A code that answers a request of this app, and all that is needed to redeem it once.
///
/// Only ``AppToAppSignIn/receive(_:)`` makes one, after it has verified `state` and `iss`. The app redeems it itself
/// (``AppToAppSignIn/redeem(_:)``), or sends ``handover`` to its backend, which holds the client secret.
public struct RedeemableCode: Sendable, Equatable {
    /// The request that was answered.
    let request: PendingSignIn
    /// The code.
    public let code: AuthorizationCode

    /// The client that asked.
    public var client: ClientID { request.client }
    /// The secret that proves that this app asked.
    public var verifier: CodeVerifier { request.verifier }
    /// The redirect URI of the request; the provider redeems the code with exactly this one.
    public var redirectURI: String { request.redirectURI }

    /// The values that a backend needs in order to redeem the code.
    public var handover: CodeHandover {
        CodeHandover(
            client: client, code: code, verifier: verifier, redirectURI: redirectURI, nonce: request.nonce?.revealed)
    }
}

/// A code on its way from an app to the app's own backend, which redeems it with the client secret.
///
/// Send it over TLS, in the body of a request that the backend accepts from its own app only:
///
/// ```swift
/// let body = try JSONEncoder().encode(code.handover)
/// ```
///
/// Standard: RFC 6749 §4.1.3, RFC 7636 §4.5: the members have the names of the token request.
public struct CodeHandover: Sendable, Equatable, Codable {
    /// The client that asked for the code.
    public let client: ClientID
    /// The code to redeem, once.
    public let code: AuthorizationCode
    /// The secret that belongs to the challenge of the request.
    public let verifier: CodeVerifier
    /// The redirect URI of the request.
    public let redirectURI: String
    /// The nonce that the ID token must repeat; `nil` when none was asked for.
    public let nonce: String?

    /// Puts together what a backend needs.
    init(client: ClientID, code: AuthorizationCode, verifier: CodeVerifier, redirectURI: String, nonce: String?) {
        self.client = client
        self.code = code
        self.verifier = verifier
        self.redirectURI = redirectURI
        self.nonce = nonce
    }

    private enum CodingKeys: String, CodingKey {
        case client = "client_id"
        case code
        case verifier = "code_verifier"
        case redirectURI = "redirect_uri"
        case nonce
    }

    /// Reads what an app sent.
    ///
    /// - Parameter decoder: The decoder of the message.
    /// - Throws: `DecodingError` when a member is missing or empty, or the verifier is malformed.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        client = try members.decode(ClientID.self, forKey: .client)
        code = AuthorizationCode(revealing: try members.decode(String.self, forKey: .code))
        redirectURI = try members.decode(String.self, forKey: .redirectURI)
        nonce = try members.decodeIfPresent(String.self, forKey: .nonce)
        guard let verifier = CodeVerifier(parsing: try members.decode(String.self, forKey: .verifier)),
            !code.revealed.isEmpty, !client.rawValue.isEmpty
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .verifier, in: members, debugDescription: "a member is empty or malformed")
        }
        self.verifier = verifier
    }

    /// Writes code and verifier in the clear: this is the message that carries them to the backend.
    ///
    /// - Parameter encoder: The encoder of the message.
    /// - Throws: `EncodingError` from the encoder.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(client, forKey: .client)
        try members.encode(code.revealed, forKey: .code)
        try members.encode(verifier.revealed, forKey: .verifier)
        try members.encode(redirectURI, forKey: .redirectURI)
        try members.encodeIfPresent(nonce, forKey: .nonce)
    }
}
