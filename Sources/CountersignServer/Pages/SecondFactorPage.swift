internal import HTTPTypes
internal import Hummingbird
internal import FoundationEssentialsCompat

/// `/login/code`: the second factor after a right password.
///
/// Nothing is stored in between: the form contains a sealed ticket with the person and the time.
/// Standard: RFC 6238 §5.2 for passwords that are used once; NIST SP 800-63B §3.2.2 for limits.
struct SecondFactorPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore
    let accounts: AccountServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("login/code", [.post: finish], on: router)
    }

    /// The maximum time between a password and the second factor, in seconds.
    private static let longest: TimeInterval = 300

    /// A sign-in that waits for the second factor.
    private struct Pending: Codable {
        let subject: Subject
        let proved: Date
        /// The digest of the password's hash, so that the ticket ends with the password.
        let password: String

        init(_ person: Person, at now: Date) {
            subject = person.subject
            proved = now
            password = Self.digest(of: person)
        }

        func isCurrent(for person: Person) -> Bool { password == Self.digest(of: person) }

        private static func digest(of person: Person) -> String {
            URLSafeText.encode(SecretDigest(of: person.password?.text ?? "").bytes)
        }
    }

    /// Shows the page.
    func ask(_ person: Person, at visitor: Visitor, target: String) async throws -> Response {
        let pending = try JSONEncoder.wire.encode(Pending(person, at: core.clock.now()))
        let sealed = try await core.keys.current().seal.sealed(
            Array(pending), for: .pendingSignIn(in: visitor.cookie))
        let record = try await core.store.read { try $0.oneTimePasswords.find(person.subject) }
        return try await page(
            visitor, target, URLSafeText.encode(sealed), countsUses: record?.movingFactor == .counter)
    }

    private func pending(_ ticket: String?, of visitor: Visitor) async throws -> Pending? {
        guard let ticket, ticket.utf8.count <= 2048, let sealed = URLSafeText.decode(ticket),
            let bytes = try await core.keys.current().seal.opened(sealed, for: .pendingSignIn(in: visitor.cookie)),
            let pending = try? JSONDecoder().decode(Pending.self, from: Data(bytes)),
            (0...Self.longest).contains(core.clock.now().timeIntervalSince(pending.proved))
        else { return nil }
        return pending
    }

    private func finish(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.anonymousSubmission(by: request)
        let target = pages.returnTarget(form["return_to"])
        guard let pending = try await pending(form["ticket"], of: visitor), let ticket = form["ticket"],
            let person = try await core.store.read({ try $0.people.find(pending.subject) }),
            person.maySignIn, pending.isCurrent(for: person)
        else { throw PageError.formExpired }
        let address = context.address(of: request, by: core.addresses)
        let presented = presented(in: form)
        let rateKeys = try await counted(presented, of: person.subject, by: request, from: address)
        let seal = try await core.keys.current().seal
        do {
            guard let presented else { throw SecondFactorError(wasUsed: false) }
            let cookie = try await pages.browsers.signIn(
                person, replacing: visitor.cookie, at: BrowserDetails(of: request, from: address),
                by: .passwordAnd(presented.kind)
            ) { repositories in
                try accounts.oneTimePasswords.accept(presented, of: person.subject, by: seal, in: repositories)
                try core.limits.takeBack(rateKeys, in: repositories)
            }
            return try await pages.arrive(at: target, with: cookie, of: person.subject, in: request)
        } catch let wrong as SecondFactorError {
            if case .recoveryCode? = presented { try await core.wrongProofs.refuse(from: address) }
            try await noteRefusal(of: person, rateKeys, wasUsed: wrong.wasUsed, from: address)
            let refusal = SecondFactorView.Refusal(kind: kind(of: form), wasUsed: wrong.wasUsed)
            return try await page(visitor, target, ticket, refusing: refusal)
        } catch is PersonChangedError {
            throw PageError.formExpired
        }
    }

    /// Counts a one-time password before its verification, so that concurrent ones cannot exceed the limit. This step
    /// needs the password, so strangers without it cause no delay. Recovery codes cannot be guessed.
    ///
    /// - Returns: The keys that count it.
    /// - Throws: ``RateLimitError``; ``StoreUnavailableError``.
    private func counted(
        _ presented: FactorInput?, of subject: Subject, by request: Request, from address: String?
    ) async throws -> [RateLimitKey] {
        if case .recoveryCode? = presented { return [] }
        return try await core.guesses.admit(
            Guess(
                rule: .codePerAccount, name: "second factor \(subject)", subject: subject,
                browser: try await pages.knownBrowser(of: request, as: subject), address: address)
        )
    }

    private func presented(in form: Form) -> FactorInput? {
        if let code = form["recovery_code"] { return RecoveryCode(parsing: code).map { .recoveryCode($0) } }
        let typed = form["code"] ?? ""
        if let password = OneTimePassword(parsing: typed) {
            guard let text = form["next_code"] else { return .oneTimePassword(password) }
            return OneTimePassword(parsing: text).map { .oneTimePassword(password, then: $0) }
        }
        // A recovery code is also accepted in the field for the code.
        return RecoveryCode(parsing: typed).map { .recoveryCode($0) }
    }

    /// The submitted form of the page.
    private func kind(of form: Form) -> SecondFactorView.Kind {
        if form["recovery_code"] != nil { return .recoveryCode }
        return form["next_code"] == nil ? .code : .pair
    }

    private func noteRefusal(
        of person: Person, _ rateKeys: [RateLimitKey], wasUsed: Bool, from address: String?
    ) async throws {
        let facts = AuditEntry.Facts(
            at: core.clock.now(), .secondFactorRefused, by: .stranger, subject: person.subject, address: address,
            detail: wasUsed ? "used before" : nil)
        try await core.store.change { repositories in
            try Audit(repositories).record(facts)
            try core.limits.recordReached(rateKeys, in: repositories)
        }
    }

    private func page(
        _ visitor: Visitor, _ target: String, _ ticket: String, countsUses: Bool = false,
        refusing refusal: SecondFactorView.Refusal? = nil
    ) async throws -> Response {
        let app = try await pages.askingApp(behind: target)
        let view = SecondFactorView(
            formToken: visitor.formToken.revealed, returnTo: target, ticket: ticket, countsUses: countsUses,
            refusing: refusal)
        return try pages.html(
            view, status: refusal == nil ? .ok : .forbidden, formsLeadingTo: app?.formSources, in: app?.language)
    }
}
