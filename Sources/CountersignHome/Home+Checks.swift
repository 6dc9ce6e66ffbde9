internal import Countersign
internal import CountersignServer
internal import CountersignTesting
internal import CountersignWire
internal import FoundationEssentialsCompat

extension Home {
    /// Checks the tokens that an answer gives.
    func checkTokens(_ tokens: TokenResponse, for request: HomeRequest) async throws {
        let digest = tokens.accessToken.digest
        let found = try await store.read { repositories -> (SignInRecord, AccessTokenRecord)? in
            guard let token = try repositories.accessTokens.find(digest), let grant = token.grant,
                let signIn = try repositories.signIns.find(grant)
            else { return nil }
            return (signIn, token)
        }
        guard let (record, token) = found, let person = HomePerson(record.grant.subject) else {
            throw HomeFault(.decided, "a token of no sign-in")
        }
        try checkEnd(of: token, in: record)
        guard !ledger.locked.contains(person) else { throw HomeFault(.locked, "\(person) got tokens") }
        guard hasDecided(person, record) else {
            throw HomeFault(.decided, "tokens of \(person) for \(record.grant.client) without their approval")
        }
        guard ledger.isDemandMet(of: record.request.id, by: person) else {
            throw HomeFault(.decided, "\(person) got tokens of a class that they did not reach")
        }
        let isNearby = record.grant.evidence.proofs.contains { proof in
            switch proof {
            case .nearby, .redirected: true
            default: false
            }
        }
        guard isNearby || !record.grant.scope.contains(HomeClient.vault) else {
            throw HomeFault(.decided, "\(HomeClient.vault) was granted to nobody nearby")
        }
        if request.address == HomeAddress.attacker, person != .mallory {
            let isOwnRequest = record.request.address?.value == HomeAddress.attacker
            guard isOwnRequest, ledger.isKnowing(person, of: record.request.id) else {
                throw HomeFault(.nothingStolen, "the attacker holds tokens of \(person)")
            }
        }
        try checkFamily(of: tokens, for: request)
    }

    /// Checks that the token of a service ends with it at the latest.
    private func checkEnd(of token: AccessTokenRecord, in record: SignInRecord) throws {
        guard let service = record.request.service?.value else { return }
        guard let end = record.grant.ends, end <= service.ends, token.issued < end, token.expires <= end,
            record.ends <= end
        else { throw HomeFault(.timed, "a service has tokens past \(service.ends.formatted(.iso8601))") }
    }

    /// Whether a person has decided what a sign-in gives.
    private func hasDecided(_ person: HomePerson, _ record: SignInRecord) -> Bool {
        if record.isFromTicket { return ledger.tickets.contains(person) }
        if record.grant.client == HomeClient.shop.id { return ledger.consents.contains(person) }
        return ledger.hasApproval(of: record.request.id, by: person)
    }

    /// A credential gives the same refresh token whenever its answer is repeated.
    private func checkFamily(of tokens: TokenResponse, for request: HomeRequest) throws {
        let form = try Form(parsing: request.body)
        let credentials = ["device_code", "auth_req_id", "code", "pre-authorized_code", "refresh_token"]
        guard let credential = credentials.lazy.compactMap({ form[$0] }).first,
            let token = tokens.refreshToken?.revealed
        else { return }
        guard ledger.given[credential, default: token] == token else {
            throw HomeFault(.oneFamily, "one credential gave two refresh tokens")
        }
        ledger.given[credential] = token
    }

    /// Checks the steps that requests took since the last check.
    func check() async throws {
        for id in watch.take() {
            guard let exchange = try await store.read({ try $0.exchanges.find(id)?.exchange }) else { continue }
            let later = HomeLedger.Decision(exchange)
            let earlier = ledger.decisions.updateValue(later, forKey: id)
            guard earlier != later else { continue }
            if let earlier, !HomeLedger.allows(earlier, later) {
                throw HomeFault(.oneDecision, "\(exchange.request.client.value) was \(earlier), and is \(later)")
            }
            try checkDecision(later, of: exchange, after: earlier ?? .open)
        }
    }

    private func checkDecision(
        _ decision: HomeLedger.Decision, of exchange: SignInExchange, after earlier: HomeLedger.Decision
    ) throws {
        let id = exchange.request.id
        switch decision {
        case .open, .redeemed: break
        case .cancelled:
            guard ledger.givenUp.contains(id) else {
                throw HomeFault(.decided, "\(exchange.request.client.value) is given up by nobody")
            }
        case .approved:
            guard let person = exchange.decider.flatMap(HomePerson.init),
                ledger.hasApproval(of: id, by: person)
                    || exchange.request.client.value == HomeClient.shop.id && ledger.consents.contains(person)
            else { throw HomeFault(.decided, "\(exchange.request.client.value) is approved by nobody") }
            guard !ledger.locked.contains(person) else { throw HomeFault(.locked, "\(person) approved") }
        case .denied:
            guard earlier == .open, !ledger.answered.contains(id) else { return }
            // A locked person, one whose devices were signed out, and one who takes an approval back give no answer.
            guard let person = exchange.decider.flatMap(HomePerson.init),
                [ledger.ended, ledger.locked, ledger.undone].contains(where: { $0.contains(person) })
            else {
                throw HomeFault(.decided, "\(exchange.request.client.value) is denied by nobody")
            }
        }
    }

    /// Whether the sign-in of a grant has ended, by itself too, or its person may not use it.
    func isEnded(_ grant: Grant) async throws -> Bool {
        if let person = HomePerson(grant.subject), ledger.locked.contains(person) { return true }
        if grant.hasEnded(at: clock.date) { return true }
        return try await store.read { try $0.signIns.find(grant.id)?.revoked != nil }
    }

    /// Whether the session that an approval gave to a browser has ended.
    private func hasLostSession(_ exchange: SignInExchange) async throws -> Bool {
        guard case .redeemed(let grant, at: _) = exchange.state else { return false }
        let now = clock.date
        return try await store.read { repositories in
            guard try repositories.signIns.find(grant.id) == nil else { return false }
            return try !repositories.browserSessions.opened(for: grant.subject).contains { session in
                session.opening?.grant.id == grant.id && now < session.expires
            }
        }
    }

    /// Checks that a screen shows what the server has.
    func checkOutcome(of signIn: RunningSignIn) async throws {
        guard signIn.endings == 1 else { throw HomeFault(.ends, "\(signIn.label) ends \(signIn.endings) times") }
        guard let exchange = try await exchange(of: signIn) else { return }
        let decision = HomeLedger.Decision(exchange)
        let isOver = clock.date >= exchange.request.deadline
        var isEnded = false
        if let grant = exchange.grant { isEnded = try await self.isEnded(grant) }
        let isRight =
            switch signIn.outcome {
            case .waiting: false
            case .signedIn(let person): exchange.decider == person.subject && exchange.grant != nil
            case .denied: decision == .denied || isEnded
            case .cancelled: decision == .cancelled || decision == .denied || isEnded
            case .expired: isEnded || isOver && (exchange.state.isUnredeemed || signIn.hasLostAnswers)
            // A person who cannot reach the class that a backend demands is told so, and the backend too.
            case .refused("unmet_authentication_requirements"):
                decision == .denied && ledger.demanded[exchange.request.id] != nil
            // A code of a denied request is no good.
            case .refused:
                isEnded || isOver || decision == .denied && signIn.screen.client == .shop
                    || signIn.hasLostAnswers && !exchange.state.isUnredeemed
            }
        guard isRight else {
            throw HomeFault(.sameOutcome, "\(signIn.label) shows \(signIn.outcome), and the server has \(decision)")
        }
    }

    /// Checks a session that a browser got by the approval on another device.
    func checkSession(of signIn: RunningSignIn, as person: HomePerson) async throws {
        guard let id = try await exchange(of: signIn)?.request.id else { return }
        guard !ledger.locked.contains(person) else { throw HomeFault(.locked, "\(person) got a session") }
        guard ledger.hasApproval(of: id, by: person) else {
            throw HomeFault(.decided, "\(signIn.label) is a session of \(person) without their approval")
        }
        guard !signIn.screen.isAttackers || person == .mallory || ledger.isKnowing(person, of: id) else {
            throw HomeFault(.nothingStolen, "the attacker has a session of \(person)")
        }
    }

    /// Checks that a request which a place shows as given up is that at the server.
    func checkShownCancelled(_ id: SignInRequest.ID, at place: String) async throws {
        guard let exchange = try await store.read({ try $0.exchanges.find(id)?.exchange }), !exchange.isCancelled
        else { return }
        throw HomeFault(
            .sameOutcome,
            "\(place) shows that the screen gave up, and the server has \(HomeLedger.Decision(exchange))")
    }

    /// Checks that an approval which a place shows as undone gives nothing any more.
    func checkUndone(_ id: SignInRequest.ID, at place: String) async throws {
        guard let exchange = try await store.read({ try $0.exchanges.find(id)?.exchange }), let grant = exchange.grant
        else { return }
        let isEnded = try await isEnded(grant)
        let hasLostSession = try await hasLostSession(exchange)
        guard isEnded || hasLostSession else {
            throw HomeFault(.sameOutcome, "\(place) shows an undo, and the approval counts")
        }
    }

    /// Checks that a place shows a decision as the server has it.
    func checkShown(_ isApproval: Bool, of id: SignInRequest.ID, to person: HomePerson, at place: String) async throws {
        guard let exchange = try await store.read({ try $0.exchanges.find(id)?.exchange }) else { return }
        var isApproved = exchange.grant?.subject == person.subject
        if let grant = exchange.grant {
            let isEnded = try await isEnded(grant)
            let hasLostSession = try await hasLostSession(exchange)
            if isEnded || hasLostSession { isApproved = isApproved && isApproval }
        }
        guard isApproved == isApproval else {
            throw HomeFault(
                .sameOutcome,
                "\(place) shows \(isApproval ? "an approval" : "no approval"), and the server has "
                    + "\(HomeLedger.Decision(exchange))")
        }
    }
}

extension SignInExchange.State {
    /// Whether nobody got the grant.
    fileprivate var isUnredeemed: Bool { if case .redeemed = self { false } else { true } }
}
