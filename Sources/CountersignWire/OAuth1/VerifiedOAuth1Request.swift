public import FoundationEssentialsCompat

/// The keys and secrets that a server knows of the client and the token that a request names.
///
/// Standard: RFC 5849 §3.2.
public struct OAuth1VerificationKeys: Sendable {
    /// The secret that is shared with the client; `nil` when the client signs by RSA only.
    public let clientSecret: OAuth1Secret?
    /// The client's RSA key; `nil` when it signs by shared secrets only.
    public let publicKey: JSONWebKey?
    /// The same key, ready to verify.
    private let prepared: VerificationKey?
    /// The modulus of the key, without zeros in front.
    private let modulus: [UInt8]
    /// The secret of the token; `nil` when the request names none, or none that is known.
    public let tokenSecret: OAuth1Secret?

    /// The keys and secrets of client and token.
    public init(clientSecret: OAuth1Secret? = nil, publicKey: JSONWebKey? = nil, tokenSecret: OAuth1Secret? = nil) {
        self.clientSecret = clientSecret
        self.publicKey = publicKey
        prepared = publicKey.map(VerificationKey.init)
        modulus = Array((publicKey?.modulus.flatMap(URLSafeText.decode) ?? []).drop { $0 == 0 })
        self.tokenSecret = tokenSecret
    }

    /// The client's key, if it can have made a signature of this length and size: any other is refused without work.
    func key(fitting signature: [UInt8]) -> VerificationKey? {
        guard signature.count == modulus.count, signature.lexicographicallyPrecedes(modulus) else { return nil }
        return prepared?.rsa == nil ? nil : prepared
    }
}

/// A request whose signature was verified: the client sent it, with the token that it names.
///
/// Made by ``UnverifiedOAuth1Request/verified(by:accepting:window:at:)`` alone. The receiver must still refuse it when
/// it received it before, which ``OAuth1NonceMemory`` and ``OAuth1Verifier`` do.
///
/// Standard: RFC 5849 §3.2.
public struct VerifiedOAuth1Request: Sendable {
    /// The client that sent it.
    public let client: ClientID
    /// The token that it was sent with; `nil` for none.
    public let token: OAuth1Token?
    /// The signature method.
    public let method: OAuth1SignatureMethod
    /// The address that the person is to be sent to (`oauth_callback`).
    public let callback: String?
    /// The code that the person got (`oauth_verifier`).
    public let verifier: String?
    /// The creation time and the nonce; `nil` for PLAINTEXT without them.
    private let stamp: (timestamp: Int, nonce: String)?
    /// The greatest difference between that time and the receiver's, in seconds.
    private let window: TimeInterval

    fileprivate init(_ request: UnverifiedOAuth1Request, window: TimeInterval) {
        client = request.client
        token = request.token
        method = request.method
        callback = request.callback
        verifier = request.verifier
        stamp = request.stamp
        self.window = window
    }

    /// The record that identifies the request, for an ``OAuth1NonceStore``; `nil` for PLAINTEXT without a nonce. It is
    /// created on demand.
    public var nonce: OAuth1NonceUse? {
        guard let stamp else { return nil }
        let made = Date(named: stamp.timestamp)
        return OAuth1NonceUse(
            digest: Self.digest(client.rawValue, token?.rawValue ?? "", stamp),
            earliest: made - window,
            expires: made + window
        )
    }

    /// Identifies a request. Each text has its length in front, so that no two requests give the same bytes.
    private static func digest(
        _ client: String,
        _ token: String,
        _ stamp: (timestamp: Int, nonce: String)
    ) -> SecretDigest {
        var (client, token, nonce) = (client, token, stamp.nonce)
        return client.withUTF8 { client in
            token.withUTF8 { token in
                nonce.withUTF8 { nonce in
                    let lengths = (Int64(stamp.timestamp), Int64(client.count), Int64(token.count), Int64(nonce.count))
                    return withUnsafeBytes(of: lengths) { lengths in
                        let count = lengths.count + client.count + token.count + nonce.count
                        return SecretDigest(
                            of: [UInt8](unsafeUninitializedCapacity: count) { bytes, end in
                                var room = UnsafeMutableRawBufferPointer(bytes)
                                for part in [lengths, .init(client), .init(token), .init(nonce)] {
                                    room.copyMemory(from: part)
                                    room = UnsafeMutableRawBufferPointer(rebasing: room[part.count...])
                                }
                                end = count
                            })
                    }
                }
            }
        }
    }
}

extension UnverifiedOAuth1Request {
    /// Verifies signature and time.
    ///
    /// - Parameters:
    ///   - keys: The keys and secrets of client and token; `nil` when the client is unknown. A wrong signature, an
    ///     unknown client and one without a key of the method's kind take the same time.
    ///   - methods: The signature methods that are accepted. PLAINTEXT is accepted over https only, even if it is
    ///     named.
    ///   - window: The greatest difference between the time in the request and `now`, in seconds; 300 by default.
    ///   - now: The current time.
    /// - Returns: The request. The receiver must still refuse it when it received it before.
    /// - Throws: ``OAuth1Error`` `unsupported`, `unauthorized` or `staleTimestamp`.
    public func verified(
        by keys: OAuth1VerificationKeys?,
        accepting methods: Set<OAuth1SignatureMethod>,
        window: TimeInterval = 300,
        at now: Date
    ) throws(OAuth1Error) -> VerifiedOAuth1Request {
        guard methods.contains(method), method != .plaintext || request.isSecure else {
            throw OAuth1Error(.unsupported, because: "the signature method is not accepted here")
        }
        guard let presented = method == .plaintext ? signature : presentedBytes else {
            throw OAuth1Error(.unauthorized, because: "the signature is not encoded")
        }
        let trial = OAuth1TrialKeys.chosen(from: keys, for: self, with: presented)
        // Tried in any case: an unknown client must take as long as a wrong signature.
        let isSigned = isSigned(by: trial, presented)
        guard trial.areKnown, isSigned else {
            let reason = trial.areKnown ? "wrong signature" : "unknown client or token, or no key of this kind"
            throw OAuth1Error(.unauthorized, because: reason)
        }
        if let stamp {
            let age = now.timeIntervalSince1970 - Double(stamp.timestamp)
            guard abs(age) <= window else {
                throw OAuth1Error(.staleTimestamp, because: "the timestamp is \(Int(age)) s old")
            }
        }
        return VerifiedOAuth1Request(self, window: window)
    }

    /// Whether the signature is the one that these keys make; ``OAuth1TrialKeys/areKnown`` decides whether that counts.
    func isSigned(by keys: OAuth1TrialKeys, _ presented: [UInt8]) -> Bool {
        if method.usesKeyPair { return method.verifies(presented, over: baseString.bytes, by: keys.key) }
        let shared = OAuth1SignatureMethod.sharedKey(keys.secret, keys.tokenSecret)
        if method == .plaintext { return SecretDigest(of: presented) == SecretDigest(of: shared) }
        guard let expected = method.digest(over: baseString.bytes, by: shared) else { return false }
        return ConstantTime.areSame(presented, expected)
    }

    /// The signature as bytes, from text with its padding.
    var presentedBytes: [UInt8]? { signature.count % 4 == 0 ? Base64.decode(signature) : nil }
}
