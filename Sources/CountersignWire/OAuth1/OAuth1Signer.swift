internal import FoundationEssentialsCompat

/// Signs requests of OAuth 1.
///
/// ```swift
/// let signer = OAuth1Signer(as: client, for: token, clock: .system, drawingFrom: .system)
/// let signed = try signer.sign(OAuth1Request(.get, "https://api.example.com/photos?size=original"))
/// fields[.authorization] = signed.header
/// ```
///
/// Standard: RFC 5849 §3.
public struct OAuth1Signer: Sendable {
    /// The way requests are signed, with the key that this needs.
    public enum Signing: Sendable {
        /// HMAC-SHA1 with the shared secrets.
        case hmacSHA1
        /// HMAC-SHA256 with the shared secrets.
        case hmacSHA256
        /// RSA-SHA1 with the client's key.
        case rsaSHA1(OAuth1SigningKey)
        /// RSA-SHA256 with the client's key.
        case rsaSHA256(OAuth1SigningKey)
        /// The shared secrets themselves, over https only.
        case plaintext

        /// The method's name on the wire.
        public var method: OAuth1SignatureMethod {
            switch self {
            case .hmacSHA1: .hmacSHA1
            case .hmacSHA256: .hmacSHA256
            case .rsaSHA1: .rsaSHA1
            case .rsaSHA256: .rsaSHA256
            case .plaintext: .plaintext
            }
        }
    }

    private let client: ClientCredentials
    private let token: TokenCredentials?
    private let signing: Signing
    private let clock: TimeSource
    private let random: RandomSource

    /// Prepares a signer.
    ///
    /// - Parameters:
    ///   - client: The credentials of the app.
    ///   - token: The credentials of the person's permission; `nil` for requests that need none.
    ///   - signing: The way requests are signed; HMAC-SHA1, which every provider knows, by default.
    ///   - clock: The source of timestamps.
    ///   - random: The source of nonces.
    public init(
        as client: ClientCredentials,
        for token: TokenCredentials? = nil,
        by signing: Signing = .hmacSHA1,
        clock: TimeSource,
        drawingFrom random: RandomSource
    ) {
        self.client = client
        self.token = token
        self.signing = signing
        self.clock = clock
        self.random = random
    }

    /// Signs a request with the time of now and a new nonce.
    ///
    /// - Parameters:
    ///   - request: Method, address and form of the request.
    ///   - realm: The realm of the request; `nil` for no such parameter.
    ///   - extra: Additional protocol parameters, such as ``OAuth1Parameter/callback(_:)``.
    /// - Returns: The request's parameters with its signature.
    /// - Throws: ``OAuth1Error`` `unsupported` for PLAINTEXT without https, or a key that cannot sign.
    ///
    /// Standard: RFC 5849 §3.1.
    public func sign(
        _ request: OAuth1Request,
        realm: String? = nil,
        adding extra: [OAuth1Parameter] = []
    ) throws(OAuth1Error) -> SignedOAuth1Request {
        // Twelve bytes as digits: some servers take only letters and digits, and no more than 30.
        let nonce = HexadecimalText.encode(random.bytes(12))
        let now = Int(clock.now().timeIntervalSince1970)
        return try sign(request, realm: realm, stamped: now, nonce: nonce, adding: extra + [.version])
    }

    /// Signs a request with a given time and nonce, and without `oauth_version` unless it is among `extra`.
    ///
    /// - Parameters:
    ///   - request: Method, address and form of the request.
    ///   - realm: The realm of the request; `nil` for no such parameter.
    ///   - timestamp: Seconds since 1970.
    ///   - nonce: A value that no other request of that time has.
    ///   - extra: Additional protocol parameters.
    /// - Returns: The request's parameters with its signature.
    /// - Throws: ``OAuth1Error`` `unsupported` for PLAINTEXT without https, or a key that cannot sign.
    ///
    /// Standard: RFC 5849 §3.1, §3.3.
    public func sign(
        _ request: OAuth1Request,
        realm: String? = nil,
        stamped timestamp: Int,
        nonce: String,
        adding extra: [OAuth1Parameter] = []
    ) throws(OAuth1Error) -> SignedOAuth1Request {
        var parameters = [OAuth1Parameter("oauth_consumer_key", client.client.rawValue)]
        if let token { parameters.append(OAuth1Parameter("oauth_token", token.token.rawValue)) }
        parameters += [
            OAuth1Parameter("oauth_signature_method", signing.method.rawValue),
            OAuth1Parameter("oauth_timestamp", String(timestamp)),
            OAuth1Parameter("oauth_nonce", nonce),
        ]
        parameters += extra
        let base = SignatureBaseString(of: request, header: parameters)
        parameters.append(OAuth1Parameter("oauth_signature", try signature(of: request, over: base)))
        return SignedOAuth1Request(request: request, realm: realm, parameters: parameters, baseString: base)
    }

    private func signature(of request: OAuth1Request, over base: SignatureBaseString) throws(OAuth1Error) -> String {
        let shared = OAuth1SignatureMethod.sharedKey(client.secret, token?.secret)
        let bytes: [UInt8]?
        switch signing {
        case .plaintext:
            guard request.isSecure else {
                throw OAuth1Error(.unsupported, because: "PLAINTEXT would show the secrets on the way")
            }
            return String(decoding: shared, as: UTF8.self)
        case .hmacSHA1, .hmacSHA256: bytes = signing.method.digest(over: base.bytes, by: shared)
        case .rsaSHA1(let key), .rsaSHA256(let key): bytes = key.signature(over: base.bytes, by: signing.method)
        }
        guard let bytes else { throw OAuth1Error(.unsupported, because: "the key cannot sign") }
        return Base64.encode(bytes)
    }
}

extension OAuth1Parameter {
    /// `oauth_version`, which has one value.
    ///
    /// Standard: RFC 5849 §3.1.
    public static let version = OAuth1Parameter("oauth_version", "1.0")

    /// The address that the person is sent back to; `oob` for a program without an address.
    ///
    /// - Parameter address: An absolute address, or `oob`.
    ///
    /// Standard: RFC 5849 §2.1.
    public static func callback(_ address: String) -> OAuth1Parameter { OAuth1Parameter("oauth_callback", address) }

    /// The code that the provider gave the person.
    ///
    /// - Parameter code: The value of `oauth_verifier`, or what the person typed.
    ///
    /// Standard: RFC 5849 §2.3.
    public static func verifier(_ code: String) -> OAuth1Parameter { OAuth1Parameter("oauth_verifier", code) }
}
