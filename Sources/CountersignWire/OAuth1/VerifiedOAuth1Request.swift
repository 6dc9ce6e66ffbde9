public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a server knows of the client and the token that a request names.
///
/// Standard: RFC 5849 §3.2.
public struct OAuth1VerificationKeys: Sendable {
    /// The secret that is shared with the client; `nil` when the client signs by RSA only.
    public let clientSecret: OAuth1Secret?
    /// The client's RSA key; `nil` when it signs by shared secrets only.
    public let publicKey: JSONWebKey?
    /// The same key, ready to verify.
    let prepared: VerificationKey?
    /// The secret of the token; `nil` when the request names none, or none that is known.
    public let tokenSecret: OAuth1Secret?

    /// What is known of client and token.
    ///
    /// - Parameters:
    ///   - clientSecret: The secret that is shared with the client.
    ///   - publicKey: The client's RSA key.
    ///   - tokenSecret: The secret of the token, also for clients that sign by RSA: a token without one is unknown.
    public init(clientSecret: OAuth1Secret? = nil, publicKey: JSONWebKey? = nil, tokenSecret: OAuth1Secret? = nil) {
        self.clientSecret = clientSecret
        self.publicKey = publicKey
        prepared = publicKey.map(VerificationKey.init)
        self.tokenSecret = tokenSecret
    }
}

/// A request whose signature was verified: the client sent it, with the token that it names.
///
/// Made by ``UnverifiedOAuth1Request/verified(by:accepting:window:at:)`` alone. The receiver must still refuse it when it
/// received it before, which ``OAuth1NonceMemory`` and ``OAuth1Verifier`` do.
///
/// Standard: RFC 5849 §3.2.
public struct VerifiedOAuth1Request: Sendable {
    /// Who sent it.
    public let client: ClientID
    /// The token with which it was sent; `nil` for none.
    public let token: OAuth1Token?
    /// How it was signed.
    public let method: OAuth1SignatureMethod
    /// Where the person is to be sent (`oauth_callback`).
    public let callback: String?
    /// The code that the person got (`oauth_verifier`).
    public let verifier: String?
    /// Tells the request from all others, and from when on it can have been received at the earliest; `nil` for PLAINTEXT
    /// without a nonce.
    let replay: (digest: SecretDigest, earliest: Date)?

    fileprivate init(_ request: UnverifiedOAuth1Request, window: TimeInterval) {
        client = request.client
        token = request.token
        method = request.method
        callback = request.callback
        verifier = request.verifier
        guard let stamp = request.stamp else {
            replay = nil
            return
        }
        let earliest = Date(timeIntervalSince1970: Double(stamp.timestamp) - window)
        replay = (Self.digest(request.client.rawValue, request.token?.rawValue ?? "", stamp), earliest)
    }

    /// Tells a request from all others. Each text has its length in front, so that no two requests give the same bytes.
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
    ///   - keys: What is known of client and token; `nil` when the client is unknown. A wrong signature and an unknown
    ///     client take the same time.
    ///   - methods: The signature methods that are accepted. PLAINTEXT is accepted over https only, even if it is named.
    ///   - window: How far the time in the request may be from `now`, in seconds; 300 by default.
    ///   - now: The current time.
    /// - Returns: The request. The receiver must still refuse it when it received it before.
    /// - Throws: ``OAuth1Refusal`` `unsupported`, `unauthorized` or `staleTimestamp`.
    public func verified(
        by keys: OAuth1VerificationKeys?,
        accepting methods: Set<OAuth1SignatureMethod>,
        window: TimeInterval = 300,
        at now: Date
    ) throws(OAuth1Refusal) -> VerifiedOAuth1Request {
        guard methods.contains(method), method != .plaintext || request.isSecure else {
            throw OAuth1Refusal(.unsupported, because: "the signature method is not accepted here")
        }
        let isKnown: Bool
        let isSigned: Bool
        if let keys {
            isKnown = token == nil || keys.tokenSecret != nil
            isSigned = self.isSigned(by: keys)
        } else {
            isKnown = false
            isSigned = self.isSigned(by: OAuth1VerificationKeys(clientSecret: OAuth1Secret(revealing: "unknown")))
        }
        guard isKnown, isSigned else {
            throw OAuth1Refusal(.unauthorized, because: isKnown ? "wrong signature" : "unknown client or token")
        }
        if let stamp {
            let age = now.timeIntervalSince1970 - Double(stamp.timestamp)
            guard abs(age) <= window else {
                throw OAuth1Refusal(.staleTimestamp, because: "the timestamp is \(Int(age)) s old")
            }
        }
        return VerifiedOAuth1Request(self, window: window)
    }

    /// Whether the signature is the one that these keys make. A method needs the key of its own kind: a client with an RSA
    /// key alone has no secret, and not an empty one.
    private func isSigned(by keys: OAuth1VerificationKeys) -> Bool {
        if method.usesKeyPair {
            guard let key = keys.prepared, let bytes = presentedBytes else { return false }
            return method.verifies(bytes, over: baseString.bytes, by: key)
        }
        guard let secret = keys.clientSecret else { return false }
        let shared = OAuth1SignatureMethod.sharedKey(secret, token == nil ? nil : keys.tokenSecret)
        if method == .plaintext {
            return SecretDigest(of: signature) == SecretDigest(of: shared)
        }
        guard let expected = method.digest(over: baseString.bytes, by: shared), let presentedBytes else { return false }
        return ConstantTime.areSame(presentedBytes, expected)
    }

    /// The signature as bytes, from text with its padding.
    private var presentedBytes: [UInt8]? {
        signature.count % 4 == 0 ? Base64.decode(signature) : nil
    }
}
