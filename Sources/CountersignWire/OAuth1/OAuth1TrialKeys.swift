/// The secrets and the key for verifying a signature: those of the client, and placeholders for missing ones.
///
/// A request of an unknown client, or of one without a key of the method's kind, costs as much as any other, so that
/// response times do not reveal which clients exist.
///
/// Standard: RFC 5849 §4.
struct OAuth1TrialKeys: Sendable {
    let secret: OAuth1Secret
    /// The secret of the token; `nil` when the request names none.
    let tokenSecret: OAuth1Secret?
    let key: VerificationKey
    /// Whether all that the method needs is the client's and the token's own: nothing is accepted otherwise.
    let areKnown: Bool

    /// Chooses what a request is tried on.
    ///
    /// - Parameter keys: The keys and secrets of client and token; `nil` for an unknown client.
    static func chosen(
        from keys: OAuth1VerificationKeys?,
        for request: UnverifiedOAuth1Request,
        with signature: [UInt8],
        insteadOfMissing standIns: OAuth1StandIns = .fixed
    ) -> OAuth1TrialKeys {
        let usesKeyPair = request.method.usesKeyPair
        let isTokenKnown = request.token == nil || keys?.tokenSecret != nil
        let known = usesKeyPair ? keys?.key(fitting: signature) : nil
        return OAuth1TrialKeys(
            secret: keys?.clientSecret ?? standIns.secret,
            tokenSecret: request.token == nil ? nil : keys?.tokenSecret ?? standIns.secret,
            key: known ?? standIns.key(of: signature.count),
            areKnown: isTokenKnown && (usesKeyPair ? known != nil : keys?.clientSecret != nil)
        )
    }
}

/// A secret and RSA keys that belong to no client.
struct OAuth1StandIns: Sendable {
    let secret: OAuth1Secret
    /// A key for each usual length of signatures, in bytes.
    private let keys: [Int: VerificationKey]
    private let other: VerificationKey

    /// Stand-ins with a key for each usual length of signatures.
    init(secret: OAuth1Secret, keys: [Int: VerificationKey], other: VerificationKey) {
        self.secret = secret
        self.keys = keys
        self.other = other
    }

    /// The ones that are used. No signature is too large for a modulus of ones alone, so that each is raised to its
    /// power.
    static let fixed: OAuth1StandIns = {
        let made = { (count: Int) in
            VerificationKey(
                .rsa(
                    id: JSONWebKey.ID("stand-in"), modulus: Array(repeating: 0xFF, count: count),
                    exponent: [1, 0, 1]))
        }
        let smallest = made(256)
        return OAuth1StandIns(
            secret: OAuth1Secret(revealing: "stand-in"),
            keys: [256: smallest, 384: made(384), 512: made(512), 1024: made(1024)],
            other: smallest
        )
    }()

    /// The key whose signatures have this many bytes.
    func key(of length: Int) -> VerificationKey { keys[length] ?? other }
}
