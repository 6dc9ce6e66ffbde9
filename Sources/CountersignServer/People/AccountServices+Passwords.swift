/// An attempt at a password; made by ``AccountServices/attempt(_:at:counting:)`` alone.
struct PasswordAttempt: Sendable {
    /// Whether the password is the person's, and the hash that replaces one of another system.
    let verification: PasswordVerification
    /// The keys that counted it, to take back after a right one.
    let rateKeys: [RateLimitKey]

    fileprivate init(_ verification: PasswordVerification, rateKeys: [RateLimitKey]) {
        self.verification = verification
        self.rateKeys = rateKeys
    }
}

/// The verification of passwords, at the sign-in and before a change.
extension AccountServices {
    /// Counts an attempt, and verifies its password.
    ///
    /// - Parameters:
    ///   - password: The typed password.
    ///   - stored: The hash of the account; `nil` for an unknown one, which takes the same time.
    ///   - guess: The account, the browser and the network of the attempt.
    /// - Throws: ``RateLimitError``; ``StoreUnavailableError``.
    func attempt(
        _ password: Password, at stored: PasswordHash?, counting guess: Guess
    ) async throws -> PasswordAttempt {
        // Counted before the verification, so that concurrent attempts cannot exceed the limit.
        let rateKeys = try await core.guesses.admit(guess)
        do {
            let verification = try await passwords.verify(
                password, stored, from: guess.address, inKnownBrowserOf: guess.browser == nil ? nil : guess.subject)
            return PasswordAttempt(verification, rateKeys: rateKeys)
        } catch {
            // An unverified password does not count as wrong.
            try await core.store.change { [core] in try core.limits.takeBack(rateKeys, in: $0) }
            throw error
        }
    }

    /// Records a refused sign-in, or a refused attempt at the password of a signed-in person.
    ///
    /// The typed name is not recorded: it may be a password.
    ///
    /// - Parameters:
    ///   - person: The person of the account; `nil` for an unknown one.
    ///   - rateKeys: The keys that counted the attempt.
    ///   - address: The network address of the browser.
    ///   - detail: The detail of the audit entry; `nil`, the default, for that of the account.
    ///   - also: Runs in the same change.
    func noteRefusal(
        of person: Person?,
        _ rateKeys: [RateLimitKey],
        from address: String?,
        because detail: String? = nil,
        also: @escaping @Sendable (any Repositories) throws -> Void = { _ in }
    ) async throws {
        let facts = AuditEntry.Facts(
            at: core.clock.now(), .loginFailed, by: .stranger, subject: person?.subject, address: address,
            detail: detail ?? (person?.maySignIn == false ? "locked" : nil))
        try await core.store.change { [core] repositories in
            try Audit(repositories).record(facts)
            try core.limits.recordReached(rateKeys, in: repositories)
            try also(repositories)
        }
    }
}
