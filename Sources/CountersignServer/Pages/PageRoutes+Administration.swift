internal import Countersign
internal import FoundationEssentialsCompat
internal import Hummingbird

/// The pages of administrators: each asks here for the right to its act.
extension PageRoutes {
    /// The maximum age of a sign-in for an act of an administrator, in seconds: a quarter of an hour.
    static let recentAdministration: TimeInterval = 900

    /// The administrator of a read-only request. An approval on another device is no sign-in of an administrator: the
    /// browser may not be theirs. A browser that is signed in until a chosen time is not theirs.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - act: The act that the page is for: one that changes something needs what its form needs.
    /// - Throws: ``NotSignedInError``, ``PageError/administratorsOnly``, ``PageError/secondFactorNeeded``,
    ///   ``LimitedBrowserError``.
    func administrator(visiting request: Request, to act: AdminAct) async throws -> SignedInVisitor {
        let visitor = try await person(visiting: request)
        guard visitor.person.role.permits(act) else { throw PageError.administratorsOnly }
        try visitor.requireLasting()
        guard visitor.session.authentication != .crossDevice else {
            throw NotSignedInError(target: request.uri.string, reason: .administration)
        }
        if case .read = act { return visitor }
        try await requireTwoFactors(of: visitor, before: request.uri.string)
        return visitor
    }

    /// The administrator and the form of a submission.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - act: The act of the form.
    /// - Throws: As ``submission(by:)``; ``NotSignedInError``, ``PageError/administratorsOnly``,
    ///   ``PageError/secondFactorNeeded``, ``LimitedBrowserError``.
    func administratorSubmission(
        by request: Request, to act: AdminAct
    ) async throws -> (visitor: SignedInVisitor, form: Form) {
        let (visitor, form) = try await submission(by: request)
        guard visitor.person.role.permits(act), visitor.session.authentication != .crossDevice else {
            throw PageError.administratorsOnly
        }
        try visitor.requireLasting()
        try await requireTwoFactors(of: visitor, before: Self.current ?? "/admin")
        return (visitor, form)
    }

    /// Sends an administrator to the sign-in, and then to a page, unless they have just proved two factors.
    ///
    /// - Throws: ``NotSignedInError``; ``PageError/secondFactorNeeded`` for an account without a second factor.
    private func requireTwoFactors(of visitor: SignedInVisitor, before path: String) async throws {
        let age = browsers.clock.now().timeIntervalSince(visitor.session.authenticated)
        if visitor.session.authentication.hasTwoFactors, (0...Self.recentAdministration).contains(age) { return }
        guard try await hasSecondFactor(visitor.person.subject) else { throw PageError.secondFactorNeeded }
        throw NotSignedInError(target: path, reason: .stepUp)
    }

    /// Whether a person has a passkey or one-time passwords.
    func hasSecondFactor(_ subject: Subject) async throws -> Bool {
        try await browsers.store.read { repositories in
            try !repositories.passkeys.all(of: subject).isEmpty
                || repositories.oneTimePasswords.find(subject) != nil
        }
    }
}
