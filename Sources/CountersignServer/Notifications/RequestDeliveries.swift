internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Queues the messages about a request of a site: push and text to the person, and the webhook with its
/// outcome to the site.
struct RequestDeliveries {
    let repositories: any Repositories
    let budget: MessageBudget
    let mint: CodeMint
    let keys: Keys
    let issuer: Issuer
    /// The language of texts to people whose devices name none.
    let language: PageLanguage
    let now: Date

    /// Tells the devices of a person by push, or their telephone by a text where the site wants that or no
    /// device can be reached.
    ///
    /// A person who wants to be left alone gets no push message; the request waits for them all the same. A text that
    /// the site wants in any case (`sms`) may be sent, as its budget said before. A request that is
    /// silent waits for them without any message.
    ///
    /// - Parameters:
    ///   - stored: The request.
    ///   - environment: The site that asks.
    ///   - number: The number that it named.
    ///   - password: The one-time password, for a text.
    ///   - takesLegacyDevices: Whether devices of the older dialect are answered at all.
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

    /// Tells the telephone of a person by a text, once no push message reached them, where the site left the way
    /// to the server.
    ///
    /// - Returns: Whether a text is on its way.
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
                words.text(message, from: environment.name),
                to: number,
                id: mint.identifier(),
                for: environment.id,
                about: stored.id,
                made: now,
                expires: stored.exchange.request.deadline,
                sealedBy: keys
            )
        )
    }

    /// Has the server of a site told what became of a request: when it is decided, and at the latest when its
    /// time is over.
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

/// The webhook calls that tell the servers of customers of decisions: with the token that browsers get, too.
struct CustomerSiteWebhooks: WebhookSource {
    let store: any Store
    let keys: KeyRing
    let clock: TimeSource

    func message(
        to environment: CustomerSiteID,
        about request: AuthenticationRequest.ID
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
