internal import FoundationEssentialsCompat

/// The second factor that a person typed.
enum FactorInput: Sendable {
    /// A password of the app or device; with the next one for resynchronization.
    case oneTimePassword(OneTimePassword, then: OneTimePassword? = nil)
    case recoveryCode(RecoveryCode)

    /// Its kind, for evidence.
    var kind: SecondFactor {
        switch self {
        case .oneTimePassword: .oneTimePassword
        case .recoveryCode: .recoveryCode
        }
    }
}

/// The second factor is wrong, or was used before.
struct SecondFactorError: Error {
    /// Whether it was valid before its use.
    let wasUsed: Bool
}

/// Sets up the one-time passwords of people, and verifies them.
struct OneTimePasswordService: Sendable {
    let store: any Store
    let keys: KeyRing
    let random: RandomSource
    let clock: TimeSource
    let issuer: Issuer
    let notices: AccountNotices

    // MARK: Setting up

    /// A new secret for a page, and its sealed form, which the form carries until it is confirmed.
    func proposal(to visitor: SignedInVisitor, in cookie: BrowserCookie) async throws -> (SharedSecret, sealed: String)
    {
        let secret = SharedSecret(drawingFrom: random)
        let sealed = try await keys.current().seal
            .sealed(secret.bytes, for: .enrolling(visitor.person.subject, in: cookie))
        return (secret, URLSafeText.encode(sealed))
    }

    /// The secret in a form; `nil` for another person or browser.
    func proposed(
        _ sealed: String, to visitor: SignedInVisitor, in cookie: BrowserCookie
    ) async throws -> SharedSecret? {
        guard sealed.utf8.count <= 512, let bytes = URLSafeText.decode(sealed) else { return nil }
        return try await keys.current().seal.opened(bytes, for: .enrolling(visitor.person.subject, in: cookie))
            .flatMap { SharedSecret(bytes: $0) }
    }

    /// The link for a QR code.
    func link(_ secret: SharedSecret, by factor: MovingFactor, for person: Person) -> OneTimePasswordLink {
        OneTimePasswordLink(
            factor == .time ? .totp(TOTP(HOTP(secret: secret))) : .hotp(HOTP(secret: secret), counter: 0),
            issuer: issuer.url.host() ?? "Countersign", account: person.username.rawValue)
    }

    /// Sets up the one-time passwords of the person who is signed in, and makes their recovery codes.
    ///
    /// - Parameters:
    ///   - secret: The secret from the page.
    ///   - factor: The moving factor of the passwords.
    ///   - password: The first password of the app or device.
    /// - Returns: The recovery codes, which are shown once; `nil` when the password is wrong.
    /// - Throws: ``SessionEndedError``; ``StoreUnavailableError``.
    func enroll(
        _ secret: SharedSecret,
        by factor: MovingFactor,
        confirmedBy password: OneTimePassword,
        of visitor: SignedInVisitor,
        from address: String?
    ) async throws -> [RecoveryCode]? {
        let now = clock.now()
        let subject = visitor.person.subject
        let sealed = try await keys.current().seal.sealed(secret.bytes, for: .stored(of: subject))
        var enrolled = OneTimePasswordRecord(
            subject: subject, sealedSecret: sealed, movingFactor: factor, enrolled: now)
        guard case .accepted = enrolled.verify(password, by: secret, at: now) else { return nil }
        let record = enrolled
        let (codes, kept) = RecoveryCodeSet.mint(for: subject, drawingFrom: random)
        try await store.changeWays(of: visitor, at: now) { repositories in
            try repositories.oneTimePasswords.keep(record)
            try repositories.recoveryCodes.keep(kept)
            try Audit(repositories).record(
                AuditEntry.Facts(
                    at: now, .oneTimePasswordsEnrolled, by: .person, subject: subject, address: address)
            )
        }
        return codes
    }

    /// Replaces the recovery codes of the person who is signed in.
    ///
    /// - Returns: The codes, which are shown once; `nil` for a person without one-time passwords.
    func renewRecoveryCodes(of visitor: SignedInVisitor, from address: String?) async throws -> [RecoveryCode]? {
        let now = clock.now()
        let subject = visitor.person.subject
        let (codes, kept) = RecoveryCodeSet.mint(for: subject, drawingFrom: random)
        return try await store.changeWays(of: visitor, at: now) { repositories -> [RecoveryCode]? in
            guard try repositories.oneTimePasswords.find(subject) != nil else { return nil }
            try repositories.recoveryCodes.keep(kept)
            try Audit(repositories).record(
                AuditEntry.Facts(at: now, .recoveryCodesRenewed, by: .person, subject: subject, address: address)
            )
            return codes
        }
    }

    /// Removes the one-time passwords and recovery codes of the person who is signed in; returns whether there were
    /// any.
    func remove(of visitor: SignedInVisitor, from address: String?) async throws -> Bool {
        let now = clock.now()
        let subject = visitor.person.subject
        return try await store.changeWays(of: visitor, at: now) { [notices] repositories in
            guard try repositories.oneTimePasswords.remove(subject) else { return false }
            _ = try repositories.recoveryCodes.remove(subject)
            try notices.tell(.oneTimePasswordsRemoved, to: subject, at: now, in: repositories)
            try Audit(repositories).record(
                AuditEntry.Facts(
                    at: now, .oneTimePasswordsRemoved, by: .person, subject: subject, address: address)
            )
            return true
        }
    }

    // MARK: Verifying

    /// Whether a person has a second factor.
    func isEnrolled(_ subject: Subject) async throws -> Bool {
        try await store.read { try $0.oneTimePasswords.find(subject) != nil }
    }

    /// Accepts a second factor once, in the change that depends on it.
    ///
    /// - Throws: ``SecondFactorError``.
    func accept(
        _ presented: FactorInput, of subject: Subject, by seal: SecretSeal, in repositories: any Repositories
    ) throws {
        switch presented {
        case .oneTimePassword(let password, then: let next):
            guard var record = try repositories.oneTimePasswords.find(subject),
                let secret = seal.opened(record.sealedSecret, for: .stored(of: subject))
                    .flatMap({ SharedSecret(bytes: $0) })
            else { throw SecondFactorError(wasUsed: false) }
            switch record.verify(password, then: next, by: secret, at: clock.now()) {
            case .accepted: try repositories.oneTimePasswords.keep(record)
            case .alreadyUsed: throw SecondFactorError(wasUsed: true)
            case .wrong: throw SecondFactorError(wasUsed: false)
            }
        case .recoveryCode(let code):
            guard var codes = try repositories.recoveryCodes.find(subject),
                try repositories.oneTimePasswords.find(subject) != nil,
                case .accepted(left: let left) = codes.redeem(code)
            else { throw SecondFactorError(wasUsed: false) }
            try repositories.recoveryCodes.keep(codes)
            try Audit(repositories).record(
                AuditEntry.Facts(
                    at: clock.now(), .recoveryCodeUsed, by: .person, subject: subject, detail: "\(left) left")
            )
        }
    }
}

extension OneTimePasswordRecord {
    /// Verifies a password of six digits by SHA-1, with time steps of 30 seconds or a counter, and notes the step and
    /// the drift.
    ///
    /// - Parameters:
    ///   - password: The typed password.
    ///   - next: The next password of the app or device, which widens the window.
    ///   - secret: The shared secret of the app or device.
    ///   - now: The current time.
    /// Standard: RFC 4226 §7.2 to §7.4; RFC 6238 §5.2, §6.
    mutating func verify(
        _ password: OneTimePassword, then next: OneTimePassword? = nil, by secret: SharedSecret, at now: Date
    ) -> OneTimePasswordVerdict {
        let hotp = HOTP(secret: secret)
        let verdict: OneTimePasswordVerdict
        switch movingFactor {
        case .time:
            var verifier = TOTPVerifier(TOTP(hotp), lastStep: last, drift: drift)
            if let next {
                verdict = verifier.resynchronize(with: password, then: next, at: now)
            } else {
                verdict = verifier.verify(password, at: now)
            }
            (last, drift) = (verifier.lastStep, verifier.drift)
        case .counter:
            var verifier = HOTPVerifier(hotp, counter: last.map { $0 + 1 } ?? 0)
            if let next {
                verdict = verifier.resynchronize(with: password, then: next)
            } else {
                verdict = verifier.verify(password)
            }
            last = verifier.counter == 0 ? nil : verifier.counter - 1
        }
        return verdict
    }
}
