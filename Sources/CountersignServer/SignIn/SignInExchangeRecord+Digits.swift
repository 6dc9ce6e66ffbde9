internal import Countersign
internal import FoundationEssentialsCompat

extension SignInExchangeRecord {
    /// The result of comparing the typed digits.
    enum Match: Sendable, Equatable {
        /// The request wants none.
        case notAsked
        /// They are right, which proves this.
        case matched(Evidence.Proof)
        /// They are wrong or missing, and another try is left.
        case missed
        /// They are wrong, and it was the last try: the request has to be denied.
        case spent
    }

    /// Compares what a person typed with the number that the asking screen shows, or with the number or the password
    /// that the asking side was told at the start, and counts a miss.
    ///
    /// - Parameters:
    ///   - typed: The code of the digits; `nil` when none were typed.
    ///   - isTaker: Whether the person's browser or app holds the request. The number that the asking screen shows is
    ///     for the one who took it by a link; another, as a phone nearby, proves more by itself.
    ///   - typesNumber: Whether the person types that number without holding the request, as one whom the screen
    ///     remembers; not by default.
    ///   - now: The current time.
    mutating func match(_ typed: DigitsCode?, isTaker: Bool, typesNumber: Bool = false, at now: Date) -> Match {
        if var number = terms.number, typesNumber || isTaker && number.shown != nil {
            defer { terms.number = number }
            return Match(number.match(typed), proving: .numberMatched)
        }
        return method.match(typed, at: now)
    }
}

extension SignInMethod {
    /// Compares what a person typed with the digits that the asking side was told at the start, and counts a miss.
    fileprivate mutating func match(_ typed: DigitsCode?, at now: Date) -> SignInExchangeRecord.Match {
        switch self {
        case .backchannel(var terms):
            guard var number = terms.number else { return .notAsked }
            let match = number.match(typed)
            terms.number = number
            self = .backchannel(terms)
            return SignInExchangeRecord.Match(match, proving: .numberMatched)
        case .customerSite(var terms):
            defer { self = .customerSite(terms) }
            switch terms.digits {
            case .number(var number):
                defer { terms.digits = .number(number) }
                return SignInExchangeRecord.Match(number.match(typed), proving: .numberMatched)
            case .password(var password):
                defer { terms.digits = .password(password) }
                let proof = Evidence.Proof.possession(.deliveredPassword, at: now)
                return SignInExchangeRecord.Match(password.match(typed), proving: proof)
            }
        case .deviceCode, .singleSignOn, .authorizationCode, .browserSession, .immediateGrant: return .notAsked
        }
    }
}

extension SignInExchangeRecord.Match {
    fileprivate init(_ match: DigitsMatch, proving proof: Evidence.Proof) {
        self =
            switch match {
            case .matched: .matched(proof)
            case .missed: .missed
            case .spent: .spent
            }
    }
}
