internal import CountersignWire

/// The claims about people that clients get, for ID tokens, `/userinfo`, access tokens and introspection.
struct PersonClaims {
    private let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// The claims about `person` that `scope` gives a client.
    ///
    /// `openid` alone includes the name: a requester shows it in "Continue as Anna?".
    /// Standard: OpenID Connect Core 1.0 §5.1, §5.4.
    func about(_ person: Person, allowing scope: Scope) throws -> UserInfo {
        var claims = UserInfo(subject: person.subject)
        let profile = person.profile
        if scope.contains(.openid) || scope.contains(.profile) { claims.name = person.name }
        if scope.contains(.profile) {
            claims.preferredUsername = person.username.rawValue
            claims.locale = profile.locale
            claims.zoneInfo = profile.zoneInfo
            claims.updated = (profile.updated ?? person.created).numericDate
        }
        if scope.contains(.email), let email = person.email {
            claims.email = email
            claims.emailVerified = person.isEmailVerified
        }
        claims.additional = try additional(of: person, allowing: scope)
        return claims
    }

    /// The groups of `person`, and the claims that the operator declared, as far as `scope` gives them.
    ///
    /// Standard: OpenID Connect Core 1.0 §5.1.2; RFC 9068 §2.2.3.1.
    func additional(of person: Person, allowing scope: Scope) throws -> AdditionalClaims {
        let mappings = try repositories.claimMappings.all().filter { scope.contains($0.scope) }
        let needsGroups = scope.contains(.groups) || mappings.contains(where: \.isFromGroups)
        let groups = needsGroups ? try Groups(repositories).names(of: person.subject) : []
        var claims = AdditionalClaims()
        if scope.contains(.groups) { claims[.groups] = .texts(groups.map(\.rawValue).sorted()) }
        for mapping in mappings {
            let values = mapping.values(of: person, in: groups)
            switch mapping.form {
            case .list: claims[mapping.claim] = .texts(values)
            case .text: claims[mapping.claim] = values.first.map { .text($0) }
            }
        }
        return claims
    }
}

extension ClaimMapping {
    fileprivate var isFromGroups: Bool {
        switch source {
        case .groups: true
        case .attribute: false
        }
    }

    /// The values for a person who is in `groups`, in the order of the declaration, each once.
    fileprivate func values(of person: Person, in groups: Set<GroupName>) -> [String] {
        switch source {
        case .attribute(let name): return [person.profile.attributes[name]].compactMap(\.self)
        case .groups(let values) where values.isEmpty: return groups.map(\.rawValue).sorted()
        case .groups(let values):
            var found: [String] = []
            for value in values where groups.contains(value.group) && !found.contains(value.value) {
                found.append(value.value)
            }
            return found
        }
    }
}
