package import Countersign
internal import FoundationEssentialsCompat

/// Queues mails with links, each in the change that stores its link.
package struct ActionLinkMail: Sendable {
    private let mint: CodeMint
    private let issuer: Issuer
    private let keys: Keys
    /// Whether the requests for its mails are counted.
    private let isCounted: Bool

    init(from issuer: Issuer, by mint: CodeMint, sealedBy keys: Keys, isCounted: Bool) {
        self.issuer = issuer
        self.mint = mint
        self.keys = keys
        self.isCounted = isCounted
    }

    /// Reads the keys of the server, for a command beside it.
    ///
    /// - Parameters:
    ///   - issuer: The base URL of the server, where the links lead.
    ///   - store: The store of the server, which has its keys.
    ///   - mint: The source of identifiers.
    ///   - clock: The time.
    /// - Throws: ``StoreUnavailableError``.
    package init(from issuer: Issuer, in store: any Store, by mint: CodeMint, at clock: TimeSource) async throws {
        self.init(
            from: issuer, by: mint, sealedBy: try await KeyRing(store: store, mint: mint, clock: clock).current(),
            isCounted: false)
    }

    /// Queues the mail with a link.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - secret: Its secret.
    ///   - address: The address of the receiver.
    ///   - person: The receiver; `nil`, the default, for one without an account.
    ///   - language: The language of the mail; `nil`, the default, for that of the receiver.
    ///   - repositories: The repositories of the change.
    package func send(
        _ link: ActionLink,
        _ secret: ActionLinkSecret,
        to address: EmailAddress,
        of person: Person? = nil,
        in language: PageLanguage? = nil,
        by repositories: any Repositories
    ) throws {
        let kind: MailMessage.Kind = if case .passwordReset = link.act { .passwordReset } else { .invitation }
        let preferred = try language ?? person.flatMap { try PageLanguage(of: $0.subject, in: repositories) }
        var message = MailMessage(
            kind, to: address, of: link.subject, name: person?.name, language: preferred?.tag)
        message.isCounted = isCounted
        try MailQueue(repositories, by: mint, at: link.created).send(
            message, MailSecret(link: secret.address(at: issuer)), until: link.expires, sealedBy: keys)
    }
}

/// The mails to people who forgot their passwords.
struct ForgottenPasswordService: Sendable {
    let core: ServerCore

    /// The lifetime of a link in a mail that a stranger can cause, in seconds: half an hour.
    static let lifetime: TimeInterval = 1800

    /// Mails a link to the person with a name, if they have a password and a verified address. The caller learns
    /// nothing of that, and no refusal depends on it. A link that an operator made, which a stranger must not end,
    /// stays in its place.
    ///
    /// - Parameters:
    ///   - name: The user name or e-mail address, as it was typed.
    ///   - language: The language of the page.
    ///   - network: The network address of the browser.
    /// - Throws: ``RateLimitError`` for too many requests of one network, or of all; ``StoreUnavailableError``.
    func mailLink(toPersonNamed name: String, in language: PageLanguage, from network: String?) async throws {
        let keys = try await core.keys.current()
        let mail = ActionLinkMail(from: core.issuer, by: core.mint, sealedBy: keys, isCounted: true)
        let now = core.clock.now()
        let secret: ActionLinkSecret = core.mint.secret()
        let budget = MessageBudget(limits: core.limits)
        try await core.store.change { repositories in
            var person = try PersonName(name).find(in: repositories)
            if person?.isActive != true || person?.password == nil { person = nil }
            if let found = person, try Self.hasLongerLink(found, at: now, in: repositories) { person = nil }
            let address = person?.verifiedEmail
            guard try budget.spend(onAccountAt: address, from: network, in: repositories), let person, let address
            else { return }
            let link = ActionLink(
                digest: secret.digest, to: .passwordReset, for: person.subject, created: now,
                expires: now + Self.lifetime)
            try ActionLinks(repositories).add(link, by: .stranger, from: network)
            try mail.send(link, secret, to: address, of: person, in: language, by: repositories)
        }
    }

    /// Whether a person has a link to use that was made to last longer than one of this kind.
    private static func hasLongerLink(
        _ person: Person, at now: Date, in repositories: any Repositories
    ) throws -> Bool {
        guard let link = try repositories.actionLinks.find(of: person.subject) else { return false }
        // Stored times are rounded.
        return link.used == nil && link.expires > now && link.expires > link.created + lifetime + 1
    }
}
