internal import Countersign

/// One word of a scope, with what it means in plain language.
struct ShownPermission: Sendable, Equatable {
    /// The word on the wire.
    let word: String
    /// What the client will be able to do with it.
    let meaning: String

    /// A word with its configured meaning, or else the meaning of its standard.
    init(_ word: ScopeWord, meaning: String? = nil) {
        self.word = word.rawValue
        self.meaning = meaning ?? Self.standard[word] ?? "Something that has no description here"
    }

    /// What a token for a domain allows: to use the service, which learns the person's identifier and name.
    ///
    /// Standard: ETSI TS 103 407 §9.3.
    init(using domain: ServiceDomain) {
        word = domain.name.rawValue
        meaning = "Use \u{2068}\(domain.displayName)\u{2069} as you. The service learns your name."
    }

    /// Standard: OpenID Connect Core 1.0 §3.1.2.1, §5.4 and §11.
    private static let standard: [ScopeWord: String] = [
        .openid: "Know that it is you, by your name and your account’s identifier",
        .profile: "See your name",
        .email: "See your e-mail address",
        .nearbyApprove: "Sign in screens near you and apps on this device, in your name, when you say so in this app",
        .offlineAccess: "Stay signed in until you sign it out",
        ScopeWord(rawValue: "address"): "See your postal address",
        ScopeWord(rawValue: "phone"): "See your phone number",
    ]
}
