internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The requests of browsers at pages of this server: starts, finds, redeems and cancels them.
///
/// A browser has one request, whatever it asks for.
struct BrowserSignIns: Sendable {
    let services: FlowServices
    let browsers: BrowserSessions
    /// The thing that the browsers ask for.
    var purpose = BrowserSignInTerms.Purpose.session

    /// A browser that sends a request.
    struct Sender: Sendable {
        /// Its session cookie, whether a person is signed in by it or not.
        let browser: BrowserCookie
        /// Its request; `nil` for none.
        let asked: BrowserRequestCookie?
        /// Its network address; `nil` when the server sees none.
        let address: String?

        /// - Parameters:
        ///   - visitor: The browser.
        ///   - asked: The cookie of its request; `nil` for none.
        ///   - address: Its network address; `nil` when the server sees none.
        init(_ visitor: Visitor, asked: String?, address: String?) {
            browser = visitor.cookie
            self.asked = asked.flatMap { BrowserRequestCookie($0) }
            self.address = address
        }
    }

    // MARK: Starting

    /// Starts a request of a browser, and cancels its earlier one.
    ///
    /// - Parameters:
    ///   - typed: The code that a person typed there; `nil`, the default, for none.
    ///   - software: The header `User-Agent` of the browser; `nil` for none.
    ///   - known: The cookie of earlier sign-ins in the browser; `nil` for none.
    /// - Returns: The cookie of the request, and the lifetime of the request in seconds.
    /// - Throws: ``RateLimitError``; ``StoreUnavailableError``; ``WrongPersonCodeError``; ``PageError/unavailable`` when
    ///   no code is free.
    func start(
        for sender: Sender,
        by typed: PersonCode? = nil,
        software: String?,
        knownBy known: KnownBrowserCookie?
    ) async throws -> (cookie: BrowserRequestCookie, lifetime: TimeInterval) {
        var asked = SignInStartRequest(
            client: purpose == .session ? .signInPage : .passwordPage,
            provenance: .verified,
            scope: .none,
            address: sender.address,
            software: BrowserName.shown(software)
        )
        asked.isOfVisitor = true
        asked.showsNumber = true
        asked.renewsLink = true
        asked.browser = BrowserSignInTerms(
            of: sender.browser.digest, for: purpose, earlierVisits: known?.visits ?? [])
        asked.personCode = typed
        let outcome = try await services.starts.start(asked)
        if case .wrongPersonCode = outcome { throw WrongPersonCodeError() }
        guard case .started(let started) = outcome, case .code(let code) = started.way else {
            throw PageError.unavailable
        }
        try await cancel(for: sender)
        return (BrowserRequestCookie(started.deviceCode, code), started.lifetime)
    }

    /// The code that a person typed is wrong, used or expired.
    struct WrongPersonCodeError: Error {}

    // MARK: Finding

    /// The state of a browser's request right now.
    func state(for sender: Sender) async throws -> BrowserSignInState {
        guard sender.asked != nil else { return .absent }
        let keys = try await services.keys.current()
        return try await services.store.read { try state(for: sender, under: keys, in: $0) }
    }

    private func state(
        for sender: Sender, under keys: Keys, in repositories: any Repositories
    ) throws -> BrowserSignInState {
        guard let asked = sender.asked else { return .absent }
        // Requests are removed some time after they are over.
        guard try repositories.exchanges.find(asked.code.digest) != nil else { return .expired }
        guard let stored = try find(sender, under: keys, in: repositories), stored.method.browser?.purpose == purpose
        else { return .absent }
        let now = services.clock.now()
        switch stored.exchange.state {
        case .cancelled: return .cancelled
        case .denied: return .denied
        case .redeemed: return .redeemed
        case .open, .taken, .approved:
            guard now < stored.exchange.request.deadline else { return .expired }
        }
        guard let grant = stored.exchange.grant else { return .waiting(stored) }
        do {
            try authorize(grant, at: now, in: repositories)
        } catch is Policy.ViolationError {
            return .denied
        }
        guard let person = try repositories.people.find(grant.subject) else { return .denied }
        return .approved(BrowserSignInState.Approval(stored: stored, grant: grant, person: person))
    }

    /// Waits for another state of the page of a request that waits, until a time is over; `nil` when there is none.
    ///
    /// - Parameters:
    ///   - stored: The request.
    ///   - tag: The entity tag of the page that the browser shows.
    ///   - wait: The time that the browser wants to wait.
    func news(
        about stored: SignInExchangeRecord,
        beside tag: String,
        _ wait: WaitPreference,
        for sender: Sender,
        in context: ServerRequestContext
    ) async throws -> BrowserSignInState? {
        let clock = services.clock
        let deadline = stored.exchange.request.deadline
        let change = min(deadline, stored.terms.freshLink?.next(after: clock.now()) ?? deadline)
        let held = HeldRequest(
            waiters: services.tokens.waits, topic: .signIn(stored.id), address: sender.address,
            end: services.end(of: wait, orAt: change))
        return try await held.news(in: context) { () -> BrowserSignInState? in
            let state = try await state(for: sender)
            // The link may be another one now.
            if case .waiting(let found) = state, found.pageTag(at: clock.now()) == tag { return nil }
            return state
        }
    }

    /// The request of a browser; `nil` for one of another browser, or of another method.
    private func find(
        _ sender: Sender, under keys: Keys, in repositories: any Repositories
    ) throws -> SignInExchangeRecord? {
        guard let asked = sender.asked, let stored = try repositories.exchanges.find(asked.code.digest),
            case .browserSession(let userCode, let terms) = stored.method,
            terms.isAsked(by: sender.browser.digest), userCode == keys.digest(of: asked.userCode)
        else { return nil }
        return stored
    }

    private func authorize(_ grant: Grant, at now: Date, in repositories: any Repositories) throws {
        try services.policy.authorize(
            .redemption,
            client: grant.client,
            subject: grant.subject,
            evidence: grant.evidence,
            at: now,
            in: repositories
        )
    }

    // MARK: Redeeming

    /// A session that a browser got.
    struct OpenedSession: Sendable {
        let cookie: BrowserCookie
        let subject: Subject
    }

    /// Redeems an approval for a session of the browser that asked, which gets a new cookie; `nil` when there is no
    /// approval to redeem, and then the state of the request says why.
    func redeem(for sender: Sender) async throws -> OpenedSession? {
        let keys = try await services.keys.current()
        guard case .approved(let approval) = try await state(for: sender) else {
            try await bar(sender)
            return nil
        }
        let opening = SessionOpening(
            approval.grant, of: approval.stored.exchange.request, answered: approval.stored.terms.answer)
        do {
            let cookie = try await browsers.signIn(
                approval.person, approvedBy: opening, replacing: sender.browser, from: sender.address
            ) { repositories in
                let now = services.clock.now()
                let current = try redeem(approval, for: sender, under: keys, at: now, in: repositories)
                try Audit(repositories).record(
                    AuditEntry.Facts(
                        at: now, .signedIn, by: .client, subject: current.grant.subject, client: current.grant.client,
                        request: current.stored.id, address: sender.address))
            }
            return OpenedSession(cookie: cookie, subject: approval.person.subject)
        } catch is NotApprovedError {
            return nil
        } catch is PersonChangedError {
            return nil
        }
    }

    /// Redeems an approval for a new password of its person, which nobody can undo.
    ///
    /// - Parameters:
    ///   - password: The new password.
    ///   - approval: The approval that the browser was shown.
    ///   - sender: The browser.
    /// - Returns: Whether the approval was still there; if not, the state of the request says why.
    func setPassword(
        _ password: PasswordHash, by approval: BrowserSignInState.Approval, for sender: Sender
    ) async throws -> Bool {
        let keys = try await services.keys.current()
        do {
            try await PasswordService(core: services.core).reset(
                to: password, from: sender.address, noting: "approved on a device"
            ) { repositories, now in
                var stored = try redeem(approval, for: sender, under: keys, at: now, in: repositories).stored
                stored.terms.delivered = now
                try repositories.exchanges.update(stored)
                return approval.grant.subject
            }
            return true
        } catch is NotApprovedError {
            return false
        } catch is PersonChangedError {
            return false
        }
    }

    /// Redeems an approval in the change that does what it permits.
    ///
    /// - Throws: ``NotApprovedError``.
    private func redeem(
        _ approval: BrowserSignInState.Approval,
        for sender: Sender,
        under keys: Keys,
        at now: Date,
        in repositories: any Repositories
    ) throws -> BrowserSignInState.Approval {
        guard case .approved(let current) = try state(for: sender, under: keys, in: repositories),
            current.grant == approval.grant
        else { throw NotApprovedError() }
        var stored = current.stored
        guard case .granted = stored.exchange.redeem(at: now) else { throw NotApprovedError() }
        try repositories.exchanges.update(stored)
        return BrowserSignInState.Approval(stored: stored, grant: current.grant, person: current.person)
    }

    /// The approval was redeemed, withdrawn or cancelled meanwhile.
    private struct NotApprovedError: Error {}

    /// Denies an approved request for good, because its person may not sign in.
    func bar(_ sender: Sender) async throws {
        let keys = try await services.keys.current()
        try await services.store.change { repositories in
            let now = services.clock.now()
            guard let stored = try find(sender, under: keys, in: repositories),
                now < stored.exchange.request.deadline,
                case .approved(let grant, by: _, over: _) = stored.exchange.state
            else { return }
            do {
                try authorize(grant, at: now, in: repositories)
            } catch is Policy.ViolationError {
                _ = try ApprovalService.bar(stored, at: now, in: repositories)
            }
        }
    }

    // MARK: Cancelling

    /// Ends the request of a browser, decided or not; does nothing to one that was redeemed.
    func cancel(for sender: Sender) async throws {
        guard sender.asked != nil else { return }
        let keys = try await services.keys.current()
        try await services.store.change { repositories in
            let now = services.clock.now()
            guard let stored = try find(sender, under: keys, in: repositories), now < stored.exchange.request.deadline
            else { return }
            try Revocation(repositories).giveUp(stored, by: services.mint, at: now)
        }
    }
}
