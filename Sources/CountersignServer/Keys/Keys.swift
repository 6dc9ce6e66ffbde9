internal import Crypto
internal import NIOConcurrencyHelpers
internal import FoundationEssentialsCompat

/// The server's keys at one moment, ready for use.
struct Keys: Sendable {
    private struct Signer: Sendable {
        let stored: ServerKey
        let key: SigningKey
        /// The first part of every access token that the key signs.
        let tokenHeader: String

        init(_ stored: ServerKey, _ key: SigningKey) {
            self.stored = stored
            self.key = key
            tokenHeader = URLSafeText.encode(key.header(.accessToken, id: stored.id))
        }
    }

    /// The encoded public keys, and the time of their validity.
    private struct Publication: Sendable {
        let bytes: [UInt8]
        let span: Range<Date>
    }

    private let signers: [Signer]
    /// The signers that are not retired, ordered by activation.
    private let inUse: [Signer]
    /// The public halves of keys that are no longer published.
    let hintKeys: [JSONWebKey]
    private let publication = NIOLockedValueBox<Publication?>(nil)
    private let userCodeKey: SymmetricKey
    private let formKey: SymmetricKey
    /// The seal for the secrets of notices; its key is derived from that of the forms.
    let noticeSeal: SecretSeal
    /// The seal for secrets that the server reads again.
    let seal: SecretSeal
    /// The key of long-lived codes, derived from the key of the seal, which is never replaced.
    private let lastingKey: SymmetricKey
    /// The key that identifies the server to the services of Web Push.
    let applicationServerKey: ApplicationServerKey
    /// The nonces for DPoP proofs; their key is derived from that of the forms.
    let nonces: DPoPNonces
    /// The nonces for token exchange; their key is derived from that of the forms, too.
    let exchangeNonces: TokenExchangeNonces

    /// A required key is missing or cannot be read.
    struct UnusableKeyError: Error {
        let purpose: ServerKey.Purpose
    }

    /// Reads stored keys; those in `before` are not parsed again.
    init(_ stored: [ServerKey], knowing before: Keys?) throws {
        func bytes(_ purpose: ServerKey.Purpose) throws -> SymmetricKey {
            guard let key = stored.last(where: { $0.purpose == purpose }) else {
                throw UnusableKeyError(purpose: purpose)
            }
            return SymmetricKey(data: key.secretBytes)
        }
        userCodeKey = try bytes(.userCodes)
        formKey = try bytes(.forms)
        let sealing = try bytes(.secondFactors)
        seal = SecretSeal(sealing)
        lastingKey = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: sealing, info: Array("countersign codes that are good for years".utf8),
            outputByteCount: 32)
        applicationServerKey = try ApplicationServerKey(derivedFrom: sealing)
        nonces = DPoPNonces(derivedFrom: formKey)
        exchangeNonces = TokenExchangeNonces(derivedFrom: formKey)
        noticeSeal = SecretSeal(
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: formKey, info: Array("countersign notices to clients".utf8), outputByteCount: 32)
        )
        signers = try stored.compactMap { one in
            guard let algorithm = SigningKey.Algorithm(of: one.purpose) else { return nil }
            if let known = before?.signers.first(where: { $0.stored.id == one.id }) {
                return Signer(one, known.key)
            }
            return Signer(one, try SigningKey(restoring: one.secretBytes, for: algorithm))
        }
        hintKeys = stored.filter { $0.purpose == .verifyHints }.compactMap { key in
            try? JSONDecoder().decode(JSONWebKey.self, from: Data(key.secretBytes))
        }
        inUse = signers.filter { $0.stored.retired == nil }.sorted { $0.stored.activates < $1.stored.activates }
    }

    /// The key that signs with `algorithm` now: the youngest active one.
    ///
    /// If none is active yet, because the clock was set back, the first one signs.
    func signer(_ algorithm: SigningKey.Algorithm, at now: Date) -> (id: JSONWebKey.ID, key: SigningKey)? {
        var chosen: Signer?
        for signer in inUse where signer.key.algorithm == algorithm {
            if chosen == nil || signer.stored.activates <= now { chosen = signer }
        }
        return chosen.map { ($0.stored.id, $0.key) }
    }

    /// The public keys to publish: of signers past, present and to come.
    func published(at now: Date) throws -> JSONWebKeySet {
        let wanted = signers.filter { KeyRotation.isPublished($0.stored, at: now) }
        return JSONWebKeySet(keys: try wanted.map { try $0.key.publicKey(id: $0.stored.id) })
    }

    /// The same, encoded and cached until the set changes.
    func publishedBytes(at now: Date) throws -> [UInt8] {
        if let kept = publication.withLockedValue({ $0 }), kept.span.contains(now) { return kept.bytes }
        let bytes = Array(try JSONEncoder.wire.encode(try published(at: now)))
        let ends = signers.compactMap { $0.stored.retired?.addingTimeInterval(KeyRotation.overlap) }.filter { now < $0 }
        let kept = Publication(bytes: bytes, span: now..<(ends.min() ?? .distantFuture))
        publication.withLockedValue { $0 = kept }
        return bytes
    }

    /// Whether an access token is opaque, or has the header of one of these keys.
    ///
    /// The server finds its tokens by their digests, so the header suffices to identify the key.
    func trust(_ token: AccessToken) -> Bool {
        let text = token.revealed.utf8
        guard let dot = text.firstIndex(of: UInt8(ascii: ".")) else { return true }
        let header = text[..<dot]
        return signers.contains { $0.tokenHeader.utf8.elementsEqual(header) }
    }

    /// The digest of a user code in the store.
    func digest(of code: UserCode) -> UserCodeDigest {
        UserCodeDigest(
            restoring: Array(HMAC<SHA256>.authenticationCode(for: Array(code.characters.utf8), using: userCodeKey))
        )
    }

    /// The HMAC of `text` for one use: 43 characters of base64url. Its key changes when the keys are replaced after a
    /// compromise.
    func authenticationCode(for text: String, use: StaticString) -> String {
        Self.authenticationCode(for: text, use: use, by: formKey)
    }

    /// The same under a key that never changes, for long-lived data.
    func lastingAuthenticationCode(for text: String, use: StaticString) -> String {
        Self.authenticationCode(for: text, use: use, by: lastingKey)
    }

    private static func authenticationCode(for text: String, use: StaticString, by key: SymmetricKey) -> String {
        URLSafeText.encode(HMAC<SHA256>.authenticationCode(for: Array("\(use)\n\(text)".utf8), using: key))
    }

    /// The form token for the browser with this cookie.
    func formToken(for cookie: BrowserCookie) -> FormToken {
        let code = HMAC<SHA256>.authenticationCode(for: Array(cookie.revealed.utf8), using: formKey)
        return FormToken(revealing: URLSafeText.encode(code))
    }
}

/// The proof that this server made a form for its browser (CSRF token).
struct FormToken: Secret {
    let revealed: String
    init(revealing text: String) { revealed = text }
}
