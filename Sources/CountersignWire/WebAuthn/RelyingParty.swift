internal import Crypto

/// The party that asks for passkeys: a domain, and the pages that may ask in its name.
///
/// Standard: Web Authentication Level 3 §4 (relying party identifier), §13.4.9.
public struct RelyingParty: Sendable, Equatable {
    /// Whether pages of the relying party may ask from within a frame of another site.
    public enum Embedding: Sendable, Equatable {
        /// They may not.
        case refused
        /// They may, in frames of any site.
        case anywhere
        /// They may, in frames of these sites, if the browser names the site.
        case within(Set<WebOrigin>)
    }

    /// The domain that passkeys are bound to: the host of the pages, or one above it.
    public let id: String
    /// The origin of the pages that ask.
    public let origin: WebOrigin
    /// The relying party's own apps, allowed in addition to its pages.
    public let apps: Set<AndroidAppOrigin>
    /// Whether pages may ask from within a frame.
    public let embedding: Embedding

    /// A relying party.
    public init(id: String, origin: WebOrigin, apps: Set<AndroidAppOrigin> = [], embedding: Embedding = .refused) {
        self.id = id
        self.origin = origin
        self.apps = apps
        self.embedding = embedding
    }

    /// The digest that authenticators sign.
    private var digest: [UInt8] { Array(SHA256.hash(data: Array(id.utf8))) }

    /// Verifies the conditions that hold for every ceremony.
    ///
    /// Standard: Web Authentication Level 3 §7.1 steps 7 to 17, §7.2 steps 10 to 19.
    func examine(
        _ client: CollectedClientData,
        _ authenticator: AuthenticatorData,
        type: String,
        challenge: CeremonyChallenge,
        userVerification: UserVerification
    ) throws(PasskeyError) {
        guard client.type == type else { throw PasskeyError(.wrongCeremony, because: "the type is another") }
        guard client.challenge == challenge else { throw PasskeyError(.wrongChallenge, because: "another challenge") }
        guard isOwn(client.origin) else { throw PasskeyError(.wrongOrigin, because: "the origin is another") }
        guard client.isCrossOrigin || client.topOrigin == nil else {
            throw PasskeyError(.wrongOrigin, because: "topOrigin without crossOrigin")
        }
        guard !client.isCrossOrigin || permits(client.topOrigin) else {
            throw PasskeyError(.wrongOrigin, because: "a frame of another site")
        }
        guard authenticator.relyingPartyDigest == digest else {
            throw PasskeyError(.wrongRelyingParty, because: "the digest of the relying party is another")
        }
        guard authenticator.flags.contains(.userPresent) else {
            throw PasskeyError(.userAbsent, because: "UP is not set")
        }
        guard userVerification != .required || authenticator.flags.contains(.userVerified) else {
            throw PasskeyError(.userNotVerified, because: "UV is not set")
        }
    }

    /// Whether an origin is that of the pages or of an own app, byte for byte.
    private func isOwn(_ text: String) -> Bool {
        text.utf8.elementsEqual(origin.rawValue.utf8)
            || apps.contains { $0.rawValue.utf8.elementsEqual(text.utf8) }
    }

    private func permits(_ topOrigin: String?) -> Bool {
        switch embedding {
        case .refused: false
        case .anywhere: true
        case .within(let origins): topOrigin.map { top in origins.contains { $0.rawValue == top } } ?? false
        }
    }
}

/// Whether the authenticator shall verify the person, by a PIN or a biometric.
///
/// Standard: Web Authentication Level 3 §5.8.6.
public enum UserVerification: String, Sendable, Hashable, Codable, CaseIterable {
    /// It must.
    case required
    /// It shall if it can; an answer without is accepted.
    case preferred
    /// It shall not; an answer with it is accepted.
    case discouraged
}
