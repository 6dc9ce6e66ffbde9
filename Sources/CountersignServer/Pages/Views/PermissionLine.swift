internal import Countersign

/// One word of a scope, with what it means in plain language.
struct PermissionLine: Sendable, Equatable {
    /// The word on the wire.
    let word: String
    /// The meaning of the word: what the client will be able to do with it.
    let meaning: LocalizedText

    /// A word with its configured meaning, or else the meaning of its standard.
    init(_ word: ScopeWord, meaning: LocalizedText? = nil) {
        self.word = word.rawValue
        self.meaning = meaning ?? .text(Self.standard[word] ?? .permissionUnknown)
    }

    /// The permission that a token for a domain gives: to use the service, which learns the person's identifier and
    /// name.
    ///
    /// Standard: ETSI TS 103 407 §9.3.
    init(using domain: ServiceDomain) {
        word = domain.name.rawValue
        meaning = .text(.permissionUseService, ["service": .isolated(domain.displayName)])
    }

    /// Standard: OpenID Connect Core 1.0 §3.1.2.1, §5.4 and §11.
    private static let standard: [ScopeWord: TextKey] = [
        .openid: .permissionOpenid,
        .profile: .permissionProfile,
        .email: .permissionEmail,
        .nearbyApprove: .permissionNearbyApprove,
        .offlineAccess: .permissionOfflineAccess,
        ScopeWord(rawValue: "address"): .permissionAddress,
        ScopeWord(rawValue: "phone"): .permissionPhone,
    ]
}
