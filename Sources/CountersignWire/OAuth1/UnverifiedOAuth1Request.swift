/// A request with the parameters of OAuth 1, as it came: nothing in it is verified.
///
/// ```swift
/// let unverified = try UnverifiedOAuth1Request(request, authorization: fields[.authorization])
/// let verified = try unverified.verified(by: keys, accepting: [.hmacSHA256], at: now)
/// ```
///
/// Standard: RFC 5849 §3.1, §3.5.
public struct UnverifiedOAuth1Request: Sendable {
    /// The place of the protocol's parameters in a request.
    public enum Placement: Sendable, Hashable, CaseIterable {
        /// The `Authorization` header.
        case header
        /// The body, which is a form.
        case form
        case query
    }

    /// The request.
    public let request: OAuth1Request
    /// The place of the protocol's parameters.
    public let placement: Placement
    /// The `realm` of the header; `nil` when there is none.
    public let realm: String?
    /// The client that the request names as its sender (`oauth_consumer_key`).
    public let client: ClientID
    /// The token that it presents (`oauth_token`); `nil` for none.
    public let token: OAuth1Token?
    /// The signature method (`oauth_signature_method`).
    public let method: OAuth1SignatureMethod
    /// The address that the person is to be sent to (`oauth_callback`).
    public let callback: String?
    /// The code that the person got (`oauth_verifier`).
    public let verifier: String?
    /// The creation time (`oauth_timestamp`), in seconds since 1970, and a value that no other request of that time has
    /// (`oauth_nonce`); PLAINTEXT may do without.
    let stamp: (timestamp: Int, nonce: String)?
    /// The signature as text, in UTF-8 (`oauth_signature`).
    let signature: [UInt8]
    /// All parameters of the header but `realm`.
    let headerParameters: EncodedParameters

    /// The longest nonce that is read, in bytes.
    static let longestNonce = 256

    /// Finds the parameters of the protocol in a request.
    ///
    /// - Parameters:
    ///   - request: The request with its query and its form.
    ///   - authorization: The value of its `Authorization` header; `nil` when there is none. Another scheme is not
    ///     read.
    /// - Throws: ``OAuth1Error`` `malformed` when parameters are missing, malformed, repeated, or in two places;
    ///   `unsupported` for another version or an unknown signature method.
    public init(_ request: OAuth1Request, authorization: String?) throws(OAuth1Error) {
        let header = try authorization.flatMap { OAuth1Header.isScheme(of: $0) ? $0 : nil }
            .map { value throws(OAuth1Error) in try OAuth1Header(parsing: value) }
        let headerParameters = header?.encoded ?? .none
        var values = ProtocolParameters()
        try values.find(in: headerParameters, of: .header)
        try values.find(in: request.encodedForm, of: .form)
        try values.find(in: request.encodedQuery, of: .query)
        guard let placement = values.placement else {
            throw OAuth1Error(.malformed, because: "the request is not signed")
        }
        guard values[.version] ?? "1.0" == "1.0" else { throw OAuth1Error(.unsupported, because: "another version") }
        guard let client = values[.client], !client.isEmpty, let signature = values.bytes(of: .signature),
            let named = values[.method]
        else { throw OAuth1Error(.malformed, because: "client, method or signature is missing") }
        guard let method = OAuth1SignatureMethod(rawValue: named) else {
            throw OAuth1Error(.unsupported, because: "an unknown signature method")
        }
        let stamp = try Self.stamp(in: values, isNeeded: method != .plaintext)
        // Nothing throws below, so that the parts are moved and not copied.
        self.request = request
        self.headerParameters = headerParameters
        self.placement = placement
        realm = header?.realm
        self.client = ClientID(client)
        token = values[.token].flatMap { $0.isEmpty ? nil : OAuth1Token($0) }
        self.method = method
        self.signature = signature
        callback = values[.callback]
        verifier = values[.verifier]
        self.stamp = stamp
    }

    /// The base string that the signature must cover.
    package var baseString: SignatureBaseString { request.baseString(with: headerParameters) }

    /// Standard: RFC 5849 §3.3.
    private static func stamp(
        in values: ProtocolParameters,
        isNeeded: Bool
    ) throws(OAuth1Error) -> (timestamp: Int, nonce: String)? {
        switch (values[.timestamp], values[.nonce]) {
        case (nil, nil) where !isNeeded: return nil
        case (let time?, let nonce?):
            guard (1...15).contains(time.utf8.count), time.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let seconds = Int(time), seconds > 0, (1...longestNonce).contains(nonce.utf8.count)
            else { throw OAuth1Error(.malformed, because: "timestamp or nonce is malformed") }
            return (seconds, nonce)
        default: throw OAuth1Error(.malformed, because: "timestamp or nonce is missing")
        }
    }
}
