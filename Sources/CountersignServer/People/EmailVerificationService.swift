internal import FoundationEssentialsCompat

/// Verifies the e-mail addresses of people by codes in mails.
///
/// The earlier address stays until the code of another one was used, and is told of the change, and so are the
/// devices of the person.
struct EmailVerificationService: Sendable {
    let core: ServerCore

    private var budget: MessageBudget { MessageBudget(limits: core.limits) }

    /// Sends a code and a link to an address, which replace those of an earlier one.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - visitor: The person at their browser.
    ///   - language: The language of the page.
    ///   - network: The network address of the browser.
    /// - Throws: ``RateLimitError`` for too many mails, or too soon after the last one; ``LimitedBrowserError``;
    ///   ``SessionEndedError``; ``StoreUnavailableError``.
    func send(
        to address: EmailAddress, of visitor: SignedInVisitor, in language: PageLanguage, from network: String?
    ) async throws {
        let keys = try await core.keys.current()
        let code = core.mint.digits(EmailAddress.codeDigits)
        let now = core.clock.now()
        let subject = visitor.person.subject
        let verification = SentCode(
            Self.digest(of: code, subject, address, by: keys), to: address, sent: now)
        var message = MailMessage(.addressVerification, to: address, of: subject, language: language.tag)
        message.isCounted = true
        let secret = MailSecret(link: "\(core.issuer.text)/account/email?code=\(code)", code: code, of: subject)
        try await core.store.changeWays(of: visitor, at: now) { [budget, message, mint = core.mint] repositories in
            try budget.spend(on: address, by: subject, from: network, in: repositories)
            guard var person = try repositories.people.find(subject) else { return }
            person.emailVerification = verification
            try repositories.people.update(person)
            try MailQueue(repositories, by: mint, at: now)
                .send(message, secret, until: now + EmailAddress.codeLifetime, sealedBy: keys)
        }
    }

    /// Verifies a code, and gives the person its address.
    ///
    /// - Parameters:
    ///   - text: The typed code, in any grouping and script of its digits.
    ///   - visitor: The person at their browser.
    ///   - network: The network address of the browser.
    /// - Returns: The result of the code.
    /// - Throws: ``RateLimitError`` after too many wrong codes from one network address; ``LimitedBrowserError``;
    ///   ``SessionEndedError``; ``StoreUnavailableError``.
    func verify(
        _ text: String, of visitor: SignedInVisitor, from network: String?
    ) async throws -> SentCode<EmailAddress>.Answer {
        let keys = try await core.keys.current()
        let now = core.clock.now()
        let subject = visitor.person.subject
        return try await core.store.changeWays(of: visitor, at: now) { [core, budget] repositories in
            let guesses = [RateLimitKey.address(.guessPerAddress, network)]
            try core.limits.admit(guesses, in: repositories)
            guard var person = try repositories.people.find(subject), var verification = person.emailVerification else {
                return .notExpected
            }
            let typed = Self.digest(of: TypedText.folded(text), subject, verification.address, by: keys)
            let answer = verification.answer(typed, at: now)
            switch answer {
            case .right(let address):
                let earlier = person
                person.changeEmail(to: address.rawValue, isVerified: true)
                person.profile.updated = now
                person.emailVerification = nil
                try core.notices.tellOfAddress(of: person, after: earlier, at: now, in: repositories)
                try People(repositories).update(person, from: earlier)
                try budget.noteUsed(address, from: network, in: repositories)
                try Audit(repositories).record(
                    AuditEntry.Facts(at: now, .emailVerified, by: .person, subject: subject, address: network))
            case .wrong:
                person.emailVerification = verification
                try repositories.people.update(person)
                try core.limits.count(guesses, in: repositories)
            case .notExpected:
                break
            }
            return answer
        }
    }

    /// The keyed digest of a code; a plain digest could be reversed.
    static func digest(
        of code: String, _ subject: Subject, _ address: EmailAddress, by keys: Keys
    ) -> SecretDigest {
        SecretDigest(
            of: keys.authenticationCode(
                for: "\(subject)\n\(address.rawValue)\n\(code)", use: "code for an e-mail address"))
    }
}
