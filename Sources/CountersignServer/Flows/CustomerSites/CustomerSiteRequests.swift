internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes

/// A person at a customer's site who typed the one-time password of a request; made by ``CustomerSiteRequests`` alone.
struct PasswordHolder: Sendable {
    /// The addressee of the request.
    let subject: Subject

    fileprivate init(_ subject: Subject) {
        self.subject = subject
    }
}

/// Opens the requests of sites, reads and awaits their results, and checks one-time passwords.
final class CustomerSiteRequests: Sendable {
    let services: FlowServices
    /// Authenticates the servers of customers.
    let authentication: CustomerSiteAuthentication
    /// The callers that wait for decisions.
    let watchers: ChangeWaiters
    /// The language of texts to people whose devices name none.
    private let language: PageLanguage
    /// Whether devices of the older dialect are served.
    private let takesLegacyDevices: Bool

    init(_ services: FlowServices, language: PageLanguage, takesLegacyDevices: Bool) {
        self.services = services
        self.language = language
        self.takesLegacyDevices = takesLegacyDevices
        authentication = CustomerSiteAuthentication(services: services)
        watchers = ChangeWaiters(in: services.memory, mostOfOne: 8, timer: services.timer)
        services.store.observe(watchers.storeChanged)
    }

    static let unknown = CustomerSiteAPIError.missing("There is no such request.")

    /// A request and its site; the caller gets nothing of it before the site is authenticated.
    struct OwnedRequest: Sendable {
        let id: SignInRequest.ID
        let environment: CustomerSiteID
    }

    /// Finds a request of a kind.
    ///
    /// - Throws: ``CustomerSiteAPIError`` of status 404; ``StoreUnavailableError``.
    func find(_ id: SignInRequest.ID, _ kind: AuthenticationRequest.Kind) async throws -> OwnedRequest {
        let method = try await services.store.find { try $0.exchanges.find(id)?.method }
        guard case .customerSite(let terms) = method, terms.kind == kind else { throw Self.unknown }
        return OwnedRequest(id: id, environment: terms.environment)
    }

    /// Whether there is such a request of a site.
    func isKnown(_ id: SignInRequest.ID) async throws -> Bool {
        let method = try await services.store.find { try $0.exchanges.find(id)?.method }
        return if case .customerSite = method { true } else { false }
    }

    // MARK: Opening

    /// Opens a request.
    ///
    /// - Throws: ``CustomerSiteAPIError`` of status 403 when policy refuses; ``RateLimitError``;
    ///   ``StoreUnavailableError``.
    func open(
        _ asked: AuthenticationRequestOpening,
        _ kind: AuthenticationRequest.Kind,
        to number: PhoneNumber,
        by environment: AuthenticatedCustomerSite,
        from address: String?
    ) async throws -> AuthenticationRequest {
        let outcome = try await services.starts.start(
            SignInStartService.CustomerSiteStart(
                environment: environment,
                kind: kind,
                number: number,
                opening: asked,
                address: address,
                takesLegacyDevices: takesLegacyDevices,
                issuer: services.issuer,
                language: language
            )
        )
        switch outcome {
        case .started(let stored, let started):
            var request = AuthenticationRequest(stored, at: services.clock.now())
            request.number = started.number
            if started.isInviting { request.invitation = invitationAddress(of: stored.id, kind) }
            return request
        case .refused(let refusal):
            throw CustomerSiteAPIError(
                .forbidden, "This environment may not ask.", because: "policy: \(refusal)")
        }
    }

    // MARK: Reading

    /// A request as its site reads it, without the one-time password, which the person enters at the site.
    ///
    /// - Throws: ``CustomerSiteAPIError`` of status 404 for a request of another site; ``StoreUnavailableError``.
    func shown(
        _ id: SignInRequest.ID,
        to environment: AuthenticatedCustomerSite
    ) async throws -> AuthenticationRequest {
        let keys = try await services.keys.current()
        let (found, ticket) = try await services.store.find { repositories in
            (
                try repositories.exchanges.find(id)?.method,
                try repositories.enrollmentTickets.find(keys.ticket(of: id).digest)
            )
        }
        guard case .customerSite(let terms) = found, terms.environment == environment.environment.id,
            let stored = try await services.store.delivering(id, at: services.clock.now())
        else { throw Self.unknown }
        var request = AuthenticationRequest(stored, at: services.clock.now())
        if let ticket, ticket.use == nil, request.status == .open {
            request.invitation = invitationAddress(of: id, terms.kind)
        }
        return request
    }

    private func invitationAddress(of id: SignInRequest.ID, _ kind: AuthenticationRequest.Kind) -> String {
        services.issuer.appending("\(CustomerSitesFlow.bases[0])/\(kind.rawValue)/\(id)/qr")
    }

    /// The site of an open request, and the invitation in the QR code for its person's device; `nil` for none.
    func invitation(
        of id: SignInRequest.ID
    ) async throws -> (CustomerSite, CustomerSiteInvitation)? {
        let keys = try await services.keys.current()
        let now = services.clock.now()
        let ticket = keys.ticket(of: id)
        let found = try await services.store.read { repositories in
            let environment = try repositories.exchanges.find(id)?.method.environment
            return (
                try environment.flatMap { try repositories.environments.find($0) },
                try repositories.enrollmentTickets.find(ticket.digest)
            )
        }
        guard let environment = found.0, let record = found.1, record.use == nil, now < record.expires else {
            return nil
        }
        guard record.sealedSecret != nil else {
            return (environment, .ticket(issuer: services.issuer.text, ticket))
        }
        return keys.opened(record).map { (environment, .shared(environment.id, $0)) }
    }

    // MARK: Waiting

    /// Waits until a request is not open any more, the preferred time is over, or the client has left.
    ///
    /// - Parameter address: The address of the client, if it can be seen.
    func wait(
        for id: SignInRequest.ID,
        atMost preference: WaitPreference,
        from address: String?,
        presence: ClientPresence
    ) async {
        let clock = services.clock
        let longest = clock.instant() + .seconds(preference.seconds)
        while let waiting = watchers.begin(.signIn(id), from: address, presence: presence) {
            defer { watchers.end(waiting, for: .signIn(id)) }
            guard !presence.hasLeft, let stored = try? await services.store.read({ try $0.exchanges.find(id) }),
                stored.status(at: clock.now()) == .open
            else { return }
            let rest = stored.exchange.request.deadline.timeIntervalSince(clock.now())
            let end = min(longest, clock.instant() + .seconds(max(0, rest)))
            guard await waiting.end(until: end) == .changed else { return }
        }
    }

    /// The token with the result of a request, for its site; `nil` while it is open.
    func statusToken(of id: SignInRequest.ID) async throws -> String? {
        let keys = try await services.keys.current()
        let now = services.clock.now()
        guard let stored = try await services.store.delivering(id, at: now) else { return nil }
        return try await services.store.read { try stored.statusToken(under: keys, at: now, in: $0) }
    }

    // MARK: One-time passwords

    /// The outcome of one try: approved, denied, or no answer to the request.
    private typealias Check = Result<AuthenticationRequest.Status, CustomerSiteAPIError>

    /// Checks a one-time password. The first right one approves the request; the last wrong one denies it.
    ///
    /// - Returns: The request as its site reads it, approved or denied as far as this password goes: the request
    ///   itself stays open until the last try.
    /// - Throws: ``CustomerSiteAPIError`` of status 409 for a request that is decided, 410 for one that is over, 403
    ///   when policy refuses; ``RateLimitError``; ``StoreUnavailableError``.
    func check(
        _ pin: String,
        of id: SignInRequest.ID,
        by environment: AuthenticatedCustomerSite,
        from address: String?
    ) async throws -> AuthenticationRequest {
        let keys = try await services.keys.current()
        let typed = DigitsCode(of: TypedText.folded(pin), for: id, under: keys)
        let (asked, terms) = try await services.store.read { [self] in
            try tried(id, by: environment, in: $0)
        }
        let rateKeys = try await services.guesses.admit(
            Guess(
                rule: .codePerAccount,
                name: "password \(environment.client.id) \(asked.exchange.request.addressee?.rawValue ?? "")",
                subject: asked.exchange.request.addressee,
                address: terms.address,
                isAddressAsserted: true
            )
        )
        let (check, stored) = try await services.approvals.deciding {
            [self, limits = services.limits] repositories, step -> (Check, SignInExchangeRecord) in
            let (stored, terms) = try tried(id, by: environment, in: repositories)
            guard try stored.hasAskedNumber(under: keys, in: repositories) else {
                try limits.takeBack(rateKeys, in: repositories)
                return (.failure(.over), stored)
            }
            let check = try outcome(of: typed, for: stored, from: terms.address ?? address, in: repositories, step)
            if check == .success(.denied) {
                try limits.recordReached(rateKeys, in: repositories)
            } else {
                try limits.takeBack(rateKeys, in: repositories)
            }
            return (check, stored)
        }
        var answer = AuthenticationRequest(stored, at: services.clock.now())
        answer.status = try check.get()
        return answer
    }

    /// The request of this site that a password is tried for.
    private func tried(
        _ id: SignInRequest.ID,
        by environment: AuthenticatedCustomerSite,
        in repositories: any Repositories
    ) throws -> (SignInExchangeRecord, CustomerSiteTerms) {
        guard let stored = try repositories.exchanges.find(id), case .customerSite(let terms) = stored.method,
            terms.kind == .oneTimePassword, stored.exchange.request.client.value == environment.client.id
        else { throw Self.unknown }
        return (stored, terms)
    }

    private func outcome(
        of typed: DigitsCode,
        for stored: SignInExchangeRecord,
        from address: String?,
        in repositories: any Repositories,
        _ step: ApprovalService.Step
    ) throws -> Check {
        guard let subject = stored.exchange.request.addressee else { throw Self.unknown }
        if let failure = CustomerSiteAPIError(answering: stored.status(at: step.now)) { return .failure(failure) }
        let outcome = try step.decide(
            ProposedDecision(
                answer: .approve,
                stored: stored,
                requestState: .open,
                party: .passwordHolder(PasswordHolder(subject)),
                evidence: Evidence([.namedByClient]),
                address: address,
                typed: typed
            )
        )
        switch outcome {
        case .decided:
            try Approvals(repositories).noteDelivery(of: stored.id, at: step.now)
            return .success(.approved)
        case .wrongDigits:
            return .success(.denied)
        default:
            return .failure(CustomerSiteAPIError(outcome, refusedAs: "The approval is not allowed.") ?? .decided)
        }
    }
}

extension AuthenticationRequest {
    /// A request as its site and devices of the older dialect read it.
    init(_ stored: SignInExchangeRecord, at now: Date) {
        let request = stored.exchange.request
        self.init(
            id: AuthenticationRequest.ID(stored.id.rawValue),
            kind: stored.method.kind,
            expiry: request.deadline.numericDate - request.asked.value.numericDate,
            created: request.asked.value
        )
        status = stored.status(at: now)
        guard case .customerSite(let terms) = stored.method else { return }
        address = terms.address
        place = terms.place
    }
}

extension DecidingParty {
    /// A person who typed at the customer's site the one-time password of a request, right or wrong.
    static func passwordHolder(_ holder: PasswordHolder) -> DecidingParty {
        DecidingParty(approver: ApproverIdentity(subject: holder.subject, id: ApproverID("one-time-password")))
    }
}
