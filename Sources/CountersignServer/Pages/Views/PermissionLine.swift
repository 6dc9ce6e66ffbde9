/// A scope value with its meaning.
struct PermissionLine: Sendable, Equatable {
    /// The value on the wire.
    let word: String
    /// The meaning: the resulting abilities of the client.
    let meaning: LocalizedText

    /// Creates a permission with its configured meaning, or that of its standard.
    init(_ word: ScopeWord, meaning: LocalizedText? = nil) {
        self.word = word.rawValue
        self.meaning = meaning ?? .text(Self.standard[word] ?? .permissionUnknown)
    }

    /// Creates the permission of a token for a domain: use of the service, which learns the person's identifier and
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
