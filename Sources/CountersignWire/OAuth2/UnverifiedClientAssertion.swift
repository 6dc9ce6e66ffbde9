public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A signed statement with which a client authenticates, before any of it is trusted.
///
/// Standard: RFC 7523 §2.2, §3; OpenID Connect Core 1.0 §9 (`private_key_jwt`).
public struct UnverifiedClientAssertion: Sendable {
    /// The value of `client_assertion_type`.
    public static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    /// The algorithms that are accepted, by their registered names.
    public static let algorithms = accepted.map(\.rawValue)
    /// For how many seconds an assertion may be valid from now on: the hour that common libraries choose, and a minute for
    /// clocks that differ.
    public static let longestLife: TimeInterval = 3660
    /// By how much the two clocks may differ, in seconds.
    static let leeway: TimeInterval = 30
    /// The longest assertion that is read, in bytes.
    static let longest = 4096
    private static let accepted: [SigningAlgorithm] = [.es256, .rs256]

    private struct Claims: Decodable {
        let issuer: String
        let subject: String
        /// One text: a list would let another receiver replay the assertion.
        let audience: String
        let id: String
        let expires: TimeInterval
        let issued: TimeInterval?
        let notBefore: TimeInterval?

        enum CodingKeys: String, CodingKey {
            case issuer = "iss"
            case subject = "sub"
            case audience = "aud"
            case id = "jti"
            case expires = "exp"
            case issued = "iat"
            case notBefore = "nbf"
        }
    }

    /// The client that the assertion names.
    public let client: ClientID
    private let claims: Claims
    private let algorithm: SigningAlgorithm
    private let keyID: JSONWebKey.ID?
    private let parts: CompactJWS

    /// Splits an assertion. Nothing is verified.
    ///
    /// - Parameter text: A compact JWS of at most 4,096 bytes.
    /// - Throws: ``OAuthError`` `invalid_client` when it is no assertion of this form.
    public init(_ text: String) throws(OAuthError) {
        guard text.utf8.count <= Self.longest, let parts = CompactJWS(text),
            let header = try? JSONDecoder().decode(CompactJWS.Header.self, from: Data(parts.headerBytes)),
            header.critical == nil, Self.types.contains(header.type?.lowercased()),
            let algorithm = Self.accepted.first(where: { $0.rawValue == header.algorithm }),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(parts.payload)),
            claims.issuer == claims.subject, !claims.subject.isEmpty, (1...256).contains(claims.id.utf8.count)
        else {
            throw OAuthError(.invalidClient, "the client assertion is malformed", because: "malformed assertion")
        }
        client = ClientID(claims.subject)
        self.claims = claims
        self.algorithm = algorithm
        keyID = header.keyID
        self.parts = parts
    }

    /// Reads the assertion of a request.
    ///
    /// - Parameter form: The body of the request; `nil` is returned when it has no `client_assertion`.
    /// - Throws: ``OAuthError`` `invalid_client` for another `client_assertion_type`, and for a malformed assertion.
    public init?(form: Form) throws(OAuthError) {
        let (type, text) = (form["client_assertion_type"], form["client_assertion"])
        if type == nil, text == nil { return nil }
        guard type == Self.type, let text else {
            throw OAuthError(
                .invalidClient,
                "the type of the client assertion is not known",
                because: "client_assertion and its type do not go together"
            )
        }
        try self.init(text)
    }

    /// The types that the header may name; another kind of token of the same key must not pass.
    private static let types: Set<String?> = [nil, "jwt", "client-authentication+jwt"]

    /// Verifies the assertion.
    ///
    /// - Parameters:
    ///   - keys: The keys that the client registered.
    ///   - audiences: The names of the receiver, one of which the assertion must hold.
    ///   - now: The current time.
    /// - Returns: The assertion. The receiver must still refuse it when it received it before.
    /// - Throws: ``OAuthError`` `invalid_client`, the same for every fault.
    public func verified(
        by keys: JSONWebKeySet,
        for audiences: [String],
        at now: Date
    ) throws(OAuthError) -> VerifiedClientAssertion {
        func refusal(_ reason: String) -> OAuthError {
            OAuthError(.invalidClient, "client authentication failed", because: reason)
        }
        guard let key = keys.key(for: algorithm, named: keyID), let thumbprint = KeyThumbprint(of: key) else {
            throw refusal("no registered key fits the assertion")
        }
        guard algorithm.verifies(parts.signature, over: parts.signedBytes, by: key) else {
            throw refusal("the signature of the assertion is wrong")
        }
        guard audiences.contains(claims.audience) else { throw refusal("the assertion is for another server") }
        let seconds = now.timeIntervalSince1970
        guard claims.expires > seconds - Self.leeway else { throw refusal("the assertion has expired") }
        guard claims.expires <= seconds + Self.longestLife else { throw refusal("the assertion is valid for too long") }
        guard max(claims.issued ?? seconds, claims.notBefore ?? seconds) <= seconds + Self.leeway else {
            throw refusal("the assertion is not valid yet")
        }
        return VerifiedClientAssertion(
            client,
            by: thumbprint,
            id: claims.id,
            made: Date(timeIntervalSince1970: claims.issued ?? claims.expires - Self.longestLife) - Self.leeway
        )
    }
}

/// An assertion that one of the client's registered keys signed; made by ``UnverifiedClientAssertion`` alone.
public struct VerifiedClientAssertion: Sendable, Hashable {
    /// The client that authenticated.
    public let client: ClientID
    /// The key that signed.
    public let thumbprint: KeyThumbprint
    /// From when on it can have been sent at the earliest, by the receiver's clock.
    public let made: Date
    /// Tells the assertion from all others of all clients.
    public let digest: SecretDigest

    fileprivate init(_ client: ClientID, by thumbprint: KeyThumbprint, id: String, made: Date) {
        self.client = client
        self.thumbprint = thumbprint
        self.made = made
        digest = SecretDigest(of: "\(SecretDigest(of: client.rawValue).bytes) \(id)")
    }
}

/// Compares the signed texts in constant time.
extension UnverifiedClientAssertion: Equatable {
    /// Whether both are the same text.
    public static func == (left: UnverifiedClientAssertion, right: UnverifiedClientAssertion) -> Bool {
        left.textDigest == right.textDigest
    }

    private var textDigest: SecretDigest {
        SecretDigest(of: String(decoding: parts.signedBytes, as: UTF8.self) + "." + URLSafeText.encode(parts.signature))
    }
}

/// Prints as redacted, because any party that has the text can send it while it is valid.
extension UnverifiedClientAssertion: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `UnverifiedClientAssertion(redacted)`: an assertion is never printed.
    public var description: String { "UnverifiedClientAssertion(redacted)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror that shows nothing of the assertion.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
