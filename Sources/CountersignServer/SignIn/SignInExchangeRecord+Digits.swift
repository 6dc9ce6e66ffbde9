internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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
    /// - Parameter isTaker: Whether the person's browser or app holds the request. The number that the asking screen
    ///   shows is for the one who took it by a link; another, as a phone nearby, proves more by itself.
    mutating func match(_ typed: DigitsCode?, isTaker: Bool, at now: Date) -> Match {
        if isTaker, var number = terms.number, number.shown != nil {
            defer { terms.number = number }
            return Self.result(number.match(typed), proving: .numberMatched)
        }
        if var number = authenticator?.number {
            defer { authenticator?.number = number }
            return Self.result(number.match(typed), proving: .numberMatched)
        }
        if var password = authenticator?.password {
            defer { authenticator?.password = password }
            return Self.result(password.match(typed), proving: .possession(.deliveredPassword, at: now))
        }
        return .notAsked
    }

    private static func result(_ match: DigitsMatch, proving proof: Evidence.Proof) -> Match {
        switch match {
        case .matched: .matched(proof)
        case .missed: .missed
        case .spent: .spent
        }
    }
}
