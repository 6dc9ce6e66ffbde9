internal import FoundationEssentialsCompat

/// The check of queued mails by the rules for the use of their links and codes.
struct MailSecretCheck: MailSecretChecking {
    func isLive(
        _ secret: MailSecret, in message: MailMessage, at now: Date, under keys: Keys, by repositories: any Repositories
    ) throws -> Bool {
        switch message.kind {
        case .passwordReset, .invitation:
            guard let secret = secret.link.flatMap({ ActionLinkSecret(pasted: $0) }) else { return false }
            do {
                _ = try ActionLinks(repositories).open(secret, at: now)
                return true
            } catch is ActionLinks.UselessLinkError {
                return false
            }
        case .addressVerification:
            // A mail that an earlier version queued names no person.
            guard let subject = secret.subject, let code = secret.code else { return true }
            guard let verification = try repositories.people.find(subject)?.emailVerification else { return false }
            let digest = EmailVerificationService.digest(of: code, subject, message.address, by: keys)
            return verification.isLive(at: now) && verification.digest == digest
        case .newDevice, .passwordChanged, .addressChanged, .passkeyRemoved, .oneTimePasswordsRemoved, .factorsRemoved,
            .accountRemoval, .accountKept:
            return true
        }
    }
}
