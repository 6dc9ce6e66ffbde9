public import CountersignWire

/// The result of redeeming a code: tokens, the provider's refusal, or neither, with advice whether to try again.
///
/// ```swift
/// switch completion {
/// case .signedIn(let signedIn): app.start(with: signedIn)
/// case .refused(let error): log("the provider says \(error.code)")
/// case .failed(let error, let advice): screen.show(error.sentence, offeringAnotherTry: advice == .signInAgain)
/// }
/// ```
public enum CodeCompletion: Sendable, Equatable {
    /// The tokens, already stored.
    case signedIn(CompletedSignIn)
    /// The provider answered with an error; trying again is of no use before its cause is removed.
    case refused(OAuthError)
    /// The provider did not answer, or its answer could not be read, verified or stored.
    case failed(SignInError, RetryAdvice)

    /// Whether trying again may help.
    public enum RetryAdvice: Sendable, Hashable {
        /// It may: start a new sign-in. The code is of no use any more, for it may have been redeemed.
        case signInAgain
        /// It does not: the same would happen again.
        case no
    }

    /// The tokens, if there are any.
    public var signedIn: CompletedSignIn? {
        if case .signedIn(let signedIn) = self { signedIn } else { nil }
    }

    /// Whether the provider gave an answer that was understood. If not, only ``advice`` has a value.
    public var isCompleted: Bool {
        switch self {
        case .signedIn, .refused: true
        case .failed: false
        }
    }

    /// The provider's error; `nil` when there is none.
    public var error: OAuthError? {
        if case .refused(let error) = self { error } else { nil }
    }

    /// Whether trying again may help.
    public var advice: RetryAdvice {
        switch self {
        case .signedIn: .no
        case .refused(let error): error.code == .invalidGrant ? .signInAgain : .no
        case .failed(_, let advice): advice
        }
    }
}
