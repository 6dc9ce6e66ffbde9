internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `/activate/result`: the outcome of a request that the visitor decided, or took before it ended otherwise.
///
/// While an approval can be undone, a script asks for the page again, and is held until the screen, or the person at
/// another place, undoes it.
/// Standard: RFC 9110 §13.1.2 (`If-None-Match`); RFC 7240 for `Prefer: wait`.
struct ResultPage: Sendable {
    let pages: PageRoutes
    let services: FlowServices
    /// The requests that are held open.
    let waiters: ChangeWaiters

    /// The path of the page about a request.
    static func address(of request: SignInRequest.ID) -> String { "/activate/result?request=\(request)" }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("activate/result", [.get: show], on: router)
    }

    /// The contents of the page.
    private struct Result: Sendable {
        let outcome: ResultView.Outcome
        /// The place where the person answered; `nil` for this browser.
        let place: AnswerPlace?
        /// The approval that can be undone, and until when; `nil` for none.
        let undoable: (grant: Grant.ID, until: Date)?

        /// The entity tag of the page while it waits; `nil` for a page that does not change.
        var tag: String? { undoable.map { "\"\($0.grant)\"" } }
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.person(visiting: request)
        guard let id = request.uri.queryParameters["request"].map({ SignInRequest.ID(String($0)) }),
            var result = try await result(of: id, for: visitor)
        else { throw PageError.notFound }
        if let tag = result.tag, request.headers[.ifNoneMatch] == tag {
            guard let wait = WaitPreference(parsing: request.headers[values: .prefer]),
                let changed = try await held(
                    result, of: id, for: visitor, wait, from: context.address(of: request, by: services.addresses),
                    in: context)
            else { return pages.unchanged(tag) }
            result = changed
        }
        var page = ResultView(
            personName: visitor.person.name, formToken: visitor.formToken.revealed, outcome: result.outcome)
        page.answered = result.place?.words(at: services.clock.now())
        page.historyID = id.rawValue
        page.tag = result.tag
        let response = try pages.html(page)
        return result.tag == nil ? response : response.runningWaitScript()
    }

    private func result(of id: SignInRequest.ID, for visitor: SignedInVisitor) async throws -> Result? {
        let (subject, now) = (visitor.person.subject, services.clock.now())
        return try await services.store.read { repositories in
            guard let stored = try repositories.exchanges.find(id),
                let outcome = try self.outcome(of: stored, for: subject, in: repositories)
            else { return nil }
            var place: AnswerPlace?
            switch stored.terms.answer?.place {
            case .browser(visitor.session.id, name: _): break
            default: place = try AnswerPlace(of: stored, toldTo: subject, in: repositories)
            }
            var undoable: (grant: Grant.ID, until: Date)?
            if case .offered = outcome.undo, let grant = stored.exchange.grant,
                case .open(until: let end) = stored.undoWindow(of: grant, at: now)
            {
                undoable = (grant.id, end)
            }
            return Result(outcome: outcome, place: place, undoable: undoable)
        }
    }

    /// Holds a request of the script until the approval ends, or the time is over.
    ///
    /// - Returns: The new result; `nil` for an unchanged one.
    private func held(
        _ known: Result,
        of id: SignInRequest.ID,
        for visitor: SignedInVisitor,
        _ wait: WaitPreference,
        from address: String?,
        in context: ServerRequestContext
    ) async throws -> Result? {
        guard let undoable = known.undoable else { return nil }
        let held = HeldRequest(
            waiters: waiters, topic: .grant(undoable.grant), address: address,
            end: services.end(of: wait, orAt: undoable.until))
        return try await held.news(in: context) {
            let now = try await result(of: id, for: visitor)
            return now?.tag == known.tag ? nil : now
        }
    }

    /// The outcome of a request; `nil` when `subject` neither decided it nor took it before it ended.
    private func outcome(
        of stored: SignInExchangeRecord,
        for subject: Subject,
        in repositories: any Repositories
    ) throws -> ResultView.Outcome? {
        let exchange = stored.exchange
        switch exchange.state {
        case .open:
            return nil
        case .taken:
            return exchange.taker == subject && stored.status(at: services.clock.now()) != .open ? .expired : nil
        case .cancelled:
            return exchange.taker == subject ? .cancelled : nil
        case .denied(by: let approver):
            guard approver.subject == subject else { return nil }
            return try end(of: stored.id, for: subject, in: repositories).map { .undone($0) } ?? .denied
        case .approved(let grant, by: _, over: _), .redeemed(let grant, at: _):
            guard grant.subject == subject else { return nil }
            if try repositories.signIns.find(grant.id)?.revoked != nil {
                return .undone(try end(of: stored.id, for: subject, in: repositories))
            }
            if stored.method.browser != nil { return try outcome(ofBrowser: stored, grant, in: repositories) }
            let app = try repositories.clients.find(grant.client)?.shownName ?? grant.client.rawValue
            let domain = try Domains(repositories).asked(by: exchange.request)
            let use = stored.use(of: grant, for: domain, at: services.clock.now())
            return .approved(app: app, for: use, undo: offer(stored, grant))
        }
    }

    /// The outcome of an approval for a browser, which is undone once the browser is signed out.
    private func outcome(
        ofBrowser stored: SignInExchangeRecord, _ grant: Grant, in repositories: any Repositories
    ) throws -> ResultView.Outcome {
        let now = services.clock.now()
        if case .redeemed = stored.exchange.state,
            try Sessions(repositories).opened(by: grant.id, of: grant.subject, at: now) == nil
        {
            return .undone(try end(of: stored.id, for: grant.subject, in: repositories))
        }
        return .approvedBrowser(undo: offer(stored, grant))
    }

    /// The event that ended an approval, with its time; `nil` when no approval ended.
    private func end(
        of id: SignInRequest.ID,
        for subject: Subject,
        in repositories: any Repositories
    ) throws -> LocalizedText? {
        let now = services.clock.now()
        guard let records = try RequestRecords(of: id, in: repositories),
            let end = RequestHistory(records, to: subject, at: now).end
        else { return nil }
        return .history(
            .when, ["event": end.words, "clock": TimeDisplay(end.at, at: now).clock])
    }

    private func offer(_ stored: SignInExchangeRecord, _ grant: Grant) -> ResultView.UndoOffer {
        let now = services.clock.now()
        switch stored.undoWindow(of: grant, at: now) {
        case .open(until: let end):
            return .offered(UndoView(grant: grant.id.rawValue, until: end, at: now))
        case .delivered: return .delivered
        case .over: return .over
        }
    }
}

extension SignInExchangeRecord {
    /// The use of its approval, as pages say it.
    ///
    /// - Parameter domain: The service that the request names; `nil` for none.
    func use(of grant: Grant?, for domain: ServiceDomain?, at now: Date) -> ResultView.Use {
        if let service = exchange.request.service?.value {
            let end = TimeDisplay(grant?.ends ?? service.ends, at: now)
            return .program(purpose: FactLine.claim(service.purpose), until: end.text)
        }
        if let domain { return .domain(domain.displayName) }
        return method.isNamedByClient ? .named : .screen
    }
}
