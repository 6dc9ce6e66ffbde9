public import Countersign

/// A request with the parameters of OAuth 1, as it came: nothing in it is verified.
///
/// ```swift
/// let unverified = try UnverifiedOAuth1Request(request, authorization: fields[.authorization])
/// let verified = try unverified.verified(by: keys, accepting: [.hmacSHA256], at: now)
/// ```
///
/// Standard: RFC 5849 §3.1, §3.5.
public struct UnverifiedOAuth1Request: Sendable {
    /// The place in which the parameters of the protocol stand.
    public enum Placement: Sendable, Hashable, CaseIterable {
        /// In the `Authorization` header.
        case header
        /// In the body, which is a form.
        case form
        /// In the query.
        case query
    }

    /// The request.
    public let request: OAuth1Request
    /// Where the parameters of the protocol stand.
    public let placement: Placement
    /// The `realm` of the header; `nil` when there is none.
    public let realm: String?
    /// Who says to have sent it (`oauth_consumer_key`).
    public let client: ClientID
    /// The token that it presents (`oauth_token`); `nil` for none.
    public let token: OAuth1Token?
    /// How it is signed (`oauth_signature_method`).
    public let method: OAuth1SignatureMethod
    /// Where the person is to be sent (`oauth_callback`).
    public let callback: String?
    /// The code that the person got (`oauth_verifier`).
    public let verifier: String?
    /// When it was made (`oauth_timestamp`), in seconds since 1970, and what no other request of that time has
    /// (`oauth_nonce`); PLAINTEXT may do without.
    let stamp: (timestamp: Int, nonce: String)?
    let signature: String
    /// All parameters of the header but `realm`.
    let headerParameters: [OAuth1Parameter]

    /// The names that have a meaning in the standard; they stand in one place, once.
    static let names: Set<String> = [
        "oauth_consumer_key", "oauth_token", "oauth_signature_method", "oauth_signature", "oauth_timestamp",
        "oauth_nonce", "oauth_version", "oauth_callback", "oauth_verifier",
    ]
    /// The longest nonce that is read, in bytes.
    static let longestNonce = 256

    /// Finds the parameters of the protocol in a request.
    ///
    /// - Parameters:
    ///   - request: The request with its query and its form.
    ///   - authorization: The value of its `Authorization` header; `nil` when there is none. Another scheme is not read.
    /// - Throws: ``OAuth1Refusal`` `malformed` when parameters are missing, malformed, repeated, or stand in two places;
    ///   `unsupported` for another version or an unknown signature method.
    public init(_ request: OAuth1Request, authorization: String?) throws(OAuth1Refusal) {
        let header = try authorization.flatMap { OAuth1Header.isScheme(of: $0) ? $0 : nil }
            .map { value throws(OAuth1Refusal) in try OAuth1Header(parsing: value) }
        headerParameters = header?.parameters ?? []
        var found: [(placement: Placement, values: [String: String])] = []
        for (placement, parameters) in [
            (Placement.header, headerParameters), (.form, request.form), (.query, request.query),
        ] {
            let values = try Self.protocolValues(in: parameters)
            if !values.isEmpty { found.append((placement, values)) }
        }
        guard found.count == 1, let (placement, values) = found.first else {
            let reason = found.isEmpty ? "the request is not signed" : "the parameters stand in two places"
            throw OAuth1Refusal(.malformed, because: reason)
        }
        guard values["oauth_version"] ?? "1.0" == "1.0" else {
            throw OAuth1Refusal(.unsupported, because: "another version")
        }
        guard let client = values["oauth_consumer_key"], !client.isEmpty, let signature = values["oauth_signature"],
            let named = values["oauth_signature_method"]
        else { throw OAuth1Refusal(.malformed, because: "client, method or signature is missing") }
        guard let method = OAuth1SignatureMethod(rawValue: named) else {
            throw OAuth1Refusal(.unsupported, because: "an unknown signature method")
        }
        self.request = request
        self.placement = placement
        realm = header?.realm
        self.client = ClientID(client)
        token = values["oauth_token"].flatMap { $0.isEmpty ? nil : OAuth1Token($0) }
        self.method = method
        self.signature = signature
        callback = values["oauth_callback"]
        verifier = values["oauth_verifier"]
        stamp = try Self.stamp(in: values, isNeeded: method != .plaintext)
    }

    /// What the signature must cover.
    public var baseString: SignatureBaseString { SignatureBaseString(of: request, header: headerParameters) }

    private static func protocolValues(
        in parameters: [OAuth1Parameter]
    ) throws(OAuth1Refusal) -> [String: String] {
        var values: [String: String] = [:]
        for parameter in parameters where names.contains(parameter.name) {
            guard values.updateValue(parameter.value, forKey: parameter.name) == nil else {
                throw OAuth1Refusal(.malformed, because: "a parameter of the protocol is repeated")
            }
        }
        return values
    }

    /// Standard: RFC 5849 §3.3.
    private static func stamp(
        in values: [String: String],
        isNeeded: Bool
    ) throws(OAuth1Refusal) -> (timestamp: Int, nonce: String)? {
        switch (values["oauth_timestamp"], values["oauth_nonce"]) {
        case (nil, nil) where !isNeeded: return nil
        case (let time?, let nonce?):
            guard (1...15).contains(time.utf8.count), time.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let seconds = Int(time), seconds > 0, (1...longestNonce).contains(nonce.utf8.count)
            else { throw OAuth1Refusal(.malformed, because: "timestamp or nonce is malformed") }
            return (seconds, nonce)
        default: throw OAuth1Refusal(.malformed, because: "timestamp or nonce is missing")
        }
    }
}
