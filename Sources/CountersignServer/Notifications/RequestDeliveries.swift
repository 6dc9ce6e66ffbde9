internal import FoundationEssentialsCompat

/// Queues the messages about a request of a site: push and text messages to the person, and the webhook call
/// with the outcome.
struct RequestDeliveries {
    let repositories: any Repositories
    let budget: MessageBudget
    let mint: CodeMint
    let keys: Keys
    let issuer: Issuer
    /// The language of texts to people whose devices state none.
    let language: PageLanguage
    let now: Date

    /// Queues push messages to the devices of a person, or a text if the site demands it or no device can be
    /// reached.
    ///
    /// In the quiet time of the person, and for a silent request, there is no message; the request waits in the inbox.
    /// The budget of a text that the site demands (`sms`) was checked before.
    ///
    /// - Parameters:
    ///   - stored: The request.
    ///   - environment: The site of the request.
    ///   - number: The number in the request.
    ///   - password: The one-time password, for a text.
    ///   - takesLegacyDevices: Whether devices with the older SDK are enabled.
    func tell(
        of stored: SignInExchangeRecord,
        by environment: CustomerSite,
        at number: PhoneNumber,
        password: String?,
        takesLegacyDevices: Bool
    ) throws {
        guard let subject = stored.exchange.request.addressee, case .customerSite(let terms) = stored.method else {
            return
        }
        let isReached = try Announcements(repositories).announce(
            stored, takingLegacyDevices: takesLegacyDevices, by: mint, at: now)
        guard terms.messageType == .sms || (terms.messageType == .automatic && !isReached),
            !stored.terms.isSilent, try !EnrolledDevices(repositories).wantsQuiet(subject, at: now)
        else { return }
        guard
            try terms.messageType == .sms
                || budget.maySend(
                    to: number, of: subject, for: terms.address, by: environment, in: repositories)
        else { return }
        try text(stored, to: number, of: environment, password: password)
    }

    /// Queues a text after all push messages failed, if the site left the kind of message to the server.
    ///
    /// - Returns: Whether a text was queued.
    func tellByText(_ stored: SignInExchangeRecord) throws -> Bool {
        guard stored.status(at: now) == .open, !stored.terms.isSilent,
            let subject = stored.exchange.request.addressee, case .customerSite(let terms) = stored.method,
            terms.messageType == .automatic, let number = terms.phoneNumber,
            let environment = try repositories.environments.find(terms.environment),
            try People(repositories).owner(of: number) == subject,
            try !EnrolledDevices(repositories).wantsQuiet(subject, at: now),
            try !repositories.deliveries.all(about: stored.id).contains(where: \.isText)
        else { return false }
        let password = terms.revealedPassword(of: stored.id, with: keys)
        guard terms.kind == .instant || password != nil,
            try budget.maySend(to: number, of: subject, for: terms.address, by: environment, in: repositories)
        else { return false }
        try text(stored, to: number, of: environment, password: password)
        return true
    }

    private func text(
        _ stored: SignInExchangeRecord,
        to number: PhoneNumber,
        of environment: CustomerSite,
        password: String?
    ) throws {
        try budget.spend(on: stored, by: environment, in: repositories)
        let subject = stored.exchange.request.addressee
        let words = MessageWords(
            language: try subject.flatMap { try PageLanguage(of: $0, in: repositories) } ?? language)
        let message: MessageWords.Message =
            password.map { .password($0) } ?? .question(link: keys.link(to: stored.id).address(at: issuer))
        try repositories.deliveries.insert(
            .text(
                words.text(message, from: environment.name), to: number, id: mint.identifier(), for: environment.id,
                about: stored.id, made: now, expires: stored.exchange.request.deadline, sealedBy: keys)
        )
    }

    /// Queues the webhook call with the outcome of a request, due at the decision, and at the latest at the deadline.
    func announce(_ stored: SignInExchangeRecord, to environment: CustomerSite) throws {
        guard environment.webhook != nil else { return }
        let deadline = stored.exchange.request.deadline
        try repositories.deliveries.insert(
            Delivery(
                id: mint.identifier(),
                .webhook(environment.id, AuthenticationRequest.ID(stored.id.rawValue)),
                for: environment.id,
                about: stored.id,
                made: now,
                expires: deadline + DeliveryTimes.webhookLifetime,
                due: stored.status(at: now) == .open ? deadline : now
            )
        )
    }
}

/// The webhook calls to the servers of customers, with the same status token that browsers receive.
struct CustomerSiteWebhooks: WebhookSource {
    let store: any Store
    let keys: KeyRing
    let clock: TimeSource

    func message(
        to environment: CustomerSiteID, about request: AuthenticationRequest.ID
    ) async throws -> WebhookMessage? {
        let keys = try await keys.current()
        let now = clock.now()
        guard try await store.read({ try $0.environments.find(environment)?.webhook }) != nil,
            let stored = try await store.delivering(SignInRequest.ID(request.rawValue), at: now),
            stored.method.environment == environment
        else { return nil }
        return try await store.read { repositories in
            guard let address = try repositories.environments.find(environment)?.webhook,
                let token = try stored.statusToken(under: keys, at: now, in: repositories)
            else { return nil }
            return WebhookMessage(address: address, token: token)
        }
    }
}
