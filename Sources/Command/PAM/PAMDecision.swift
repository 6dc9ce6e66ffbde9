internal import Countersign
internal import CountersignRequester

/// The decision about a person who approved, by verified facts alone.
enum PAMDecision: Sendable, Equatable {
    case accepted
    /// The sentence for the log.
    case refused(String)

    /// Decides.
    ///
    /// - Parameters:
    ///   - identity: The person of the verified ID token; `nil` without one.
    ///   - claims: The claims of the server about the same person.
    ///   - expected: The person who has to approve.
    ///   - rule: The rule of the service.
    init(
        about identity: VerifiedIdentity?,
        _ claims: UserInfoClaims,
        expecting expected: PeopleMapping.Expectation,
        by rule: PAMServiceRule
    ) {
        guard let identity, claims.subject == identity.subject else {
            self = .refused("The server's claims are about another person than its ID token.")
            return
        }
        let name = identity.displayName
        guard expected.isMet(by: claims) else {
            self = .refused("\(name) approved, and is not the person of this user.")
            return
        }
        let isProved = rule.evidence.contains { identity.evidence?.reaches($0) ?? false }
        guard rule.evidence.isEmpty || isProved else {
            self = .refused("\(name) approved without the evidence that this service demands.")
            return
        }
        guard rule.admits(claims) else {
            self = .refused("\(name) approved, and is in none of the groups that this service demands.")
            return
        }
        self = .accepted
    }
}

extension PeopleMapping.Expectation {
    /// Whether the claims are those of the person.
    func isMet(by claims: UserInfoClaims) -> Bool {
        switch self {
        case .usernames(let names): claims.text("preferred_username").map(names.contains) ?? false
        case .claim(let name, let value): claims.text(name) == value
        case .nobody: false
        }
    }
}

extension PAMServiceRule {
    /// Whether the person is in one of the groups, where some are demanded.
    func admits(_ claims: UserInfoClaims) -> Bool {
        groups.isEmpty || !groups.isDisjoint(with: claims.list("groups"))
    }
}

extension PAMVerdict {
    /// The verdict where the configuration is not there, or has mistakes: nobody at the host itself is locked out by a
    /// typing mistake, and no rule is evaded from another host.
    init(withoutRulesFor head: PAMHead) { self = head.host == nil ? .unknown : .failed }

    /// The verdict about a sign-in that failed.
    init(_ error: SignInError, by rule: PAMServiceRule) {
        self =
            switch error.code {
            // Strangers who ask often must not be able to choose the fallback.
            case .denied, .expired, .anotherPerson, .notMe, .cancelled, .strongerWayNeeded, .signedOut, .accountLocked,
                .tooFast:
                .denied
            case .notReachable, .notTrusted, .serverFailure:
                rule.fallback == .stack ? .unavailable : .denied
            case _ where error.providerCode == "unknown_user_id": rule.unknown == .stack ? .unknown : .denied
            default: .failed
            }
    }
}
