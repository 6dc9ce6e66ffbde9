internal import Countersign
internal import CountersignWire

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

    /// Whether a standard or this server gives a value its meaning.
    static func isKnown(_ word: ScopeWord) -> Bool { standard[word] != nil }

    /// Standard: OpenID Connect Core 1.0 §3.1.2.1, §5.4 and §11.
    private static let standard: [ScopeWord: TextKey] = [
        .openid: .permissionOpenid,
        .profile: .permissionProfile,
        .email: .permissionEmail,
        .groups: .permissionGroups,
        .nearbyApprove: .permissionNearbyApprove,
        .offlineAccess: .permissionOfflineAccess,
        ScopeWord(rawValue: "address"): .permissionAddress,
        ScopeWord(rawValue: "phone"): .permissionPhone,
    ]
}

extension Scope {
    /// Its permissions, with their meanings.
    ///
    /// - Parameter claims: The claims that the operator declared, which are the meaning of a word of their own.
    func permissions(giving claims: [ClaimMapping]) -> [PermissionLine] {
        words.map { word in
            let names = claims.filter { $0.scope == word }.map(\.claim.rawValue)
            guard !names.isEmpty, !PermissionLine.isKnown(word) else { return PermissionLine(word) }
            let shown = names.joined(separator: ", ")
            return PermissionLine(word, meaning: .text(.permissionClaims, ["claims": .isolated(shown)]))
        }
    }
}
