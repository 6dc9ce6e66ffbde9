/// "Continue as Anna Example?", asked once at the screen, however the person was signed in.
///
/// ```swift
/// case .confirming(let question):
///     question.answer(await screen.ask("Continue as \(question.identity.displayName)?") ? .continue : .notMe)
/// ```
public struct IdentityQuestion: Sendable, Equatable {
    /// The person who was signed in.
    public let identity: VerifiedIdentity
    private let answers: AsyncStream<SignIn.Confirmation>.Continuation

    /// A question, and the answer to it, which the sequence gives once.
    static func about(_ identity: VerifiedIdentity) -> (Self, AsyncStream<SignIn.Confirmation>) {
        let (answers, continuation) = AsyncStream.makeStream(of: SignIn.Confirmation.self)
        return (Self(identity: identity, answers: continuation), answers)
    }

    /// Passes on the person's answer; the first one counts.
    ///
    /// - Parameter confirmation: The answer; with ``SignIn/Confirmation/notMe`` all tokens are revoked.
    public func answer(_ confirmation: SignIn.Confirmation) {
        answers.yield(confirmation)
        answers.finish()
    }

    /// Compares the persons.
    public static func == (left: Self, right: Self) -> Bool { left.identity == right.identity }
}
