internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `/activate`, and `/cpa/verify`, which is the same page: a person enters the code that a screen shows, by typing it
/// or with a link, or opens a request that is addressed to them.
///
/// Opening it does nothing; only the forms on it take a request.
/// Standard: RFC 8628 §3.3, §3.3.1; ETSI TS 103 407 §8.3 for the second address.
struct ActivatePage: Sendable {
    let pages: PageRoutes
    let services: FlowServices

    /// The page's addresses.
    static let paths = ["activate", "cpa/verify"]
    /// Some apps append a slash to the address that they were given. A text that is no code is left out.
    static let returns = ReturnPage(
        paths: ["/activate", "/activate/code", "/activate/confirm", "/cpa/verify", "/cpa/verify/"],
        root: "/activate",
        behind: { form in RequestReference({ form[$0] })?.entrance },
        keepsQuery: { query in query["user_code"].map { UserCode(parsing: $0) != nil } ?? true }
    )

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        for path in Self.paths { pages.mount(path, [.get: show, .post: take], on: router) }
    }

    // MARK: Showing

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let arrived = try await arrival(by: request)
        var response: Response
        if let visitor = try await pages.visitor(of: request).signedIn {
            response = try await show(request, to: visitor)
        } else {
            response = pages.signIn(returningTo: request.uri.string)
        }
        if let arrived { response.headers.append(HTTPField(name: .setCookie, value: arrived)) }
        return response
    }

    /// The cookie for a browser that opens a link while its mark counts, since the person may take longer to sign in;
    /// `nil` for every other visit, whatever is wrong with it.
    private func arrival(by request: Request) async throws -> String? {
        let query = request.uri.queryParameters
        guard let mark = query[LinkMark.parameter[...]].map(String.init),
            let code = query["user_code"].flatMap({ UserCode(parsing: String($0)) })
        else { return nil }
        let digest = try await services.keys.current().digest(of: code)
        let now = services.clock.now()
        let found = try await services.store.read { repositories -> (FreshLink, Date)? in
            guard let stored = try repositories.exchanges.find(digest), let link = stored.terms.freshLink else {
                return nil
            }
            return (link, stored.exchange.request.deadline)
        }
        guard let (link, deadline) = found, now < deadline, link.accepts(mark, at: now) else { return nil }
        return pages.jar.give(arrival: link.arrival, for: deadline.timeIntervalSince(now))
    }

    private func show(_ request: Request, to visitor: SignedInVisitor) async throws -> Response {
        let query = request.uri.queryParameters
        let asked = query[UnverifiedReturnAddress.field[...]].map(String.init)
        var arrival = Arrival(returning: UnverifiedReturnAddress(parameter: asked))
        if query["not_mine"] != nil {
            arrival.notice = CodeEntryView.notMyScreen
            return try await entry(for: visitor, arrival)
        }
        // A plus in a query means a space.
        guard let text = query["user_code"].map({ String($0).replacing("+", with: " ") }),
            !text.allSatisfy(\.isWhitespace)
        else { return try await entry(for: visitor, arrival) }
        // A code of a link never stands in the field for typed ones: the link alone would be enough then.
        guard let code = UserCode(parsing: text) else {
            arrival.problem = Self.unreadable
            return try await entry(for: visitor, arrival)
        }
        return try pages.html(
            LinkArrivalView(
                personName: visitor.person.name,
                formToken: visitor.formToken.revealed,
                userCode: code.description,
                returning: arrival.returning
            )
        )
    }

    /// The browser's arrival at the page.
    private struct Arrival: Sendable {
        var returning: UnverifiedReturnAddress?
        var typed = ""
        var notice: LocalizedText?
        var problem: LocalizedText?
        /// Whether the code that is typed belongs to the link that named `returning`.
        var isCodeOfLink = false
    }

    /// The most characters of typed text that are shown again. None is shortened: that could make a code of it.
    private static let longestShown = 40

    private static let unreadable = LocalizedText.text(.codeEntryUnreadable)
    private static let unknown = LocalizedText.text(.codeEntryUnknown)
    private static let linkIsNotEnough = LocalizedText.text(.codeEntryLinkIsNotEnough)
    private static let gone = LocalizedText.text(.codeEntryGone)

    /// The form for a code, below the requests that wait for the person.
    private func entry(
        for visitor: SignedInVisitor,
        _ arrival: Arrival,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let now = services.clock.now()
        let subject = visitor.person.subject
        let (question, confirmations) = try await services.store.read { repositories in
            let question = try BackchannelQuestion(for: subject, in: repositories, at: now)
            let confirmations = try RequestInbox(repositories).shown(to: subject, at: now).reversed().compactMap {
                stored -> WaitingConfirmation? in
                let request = stored.exchange.request
                guard let client = try ClientRegistrations(repositories).requester(request.client.value) else {
                    return nil
                }
                if stored.terms.isStartedByCode { return WaitingConfirmation(request, of: client, at: now) }
                guard case .singleSignOn = stored.method, let domain = try Domains(repositories).asked(by: request)
                else { return nil }
                return WaitingConfirmation(request, of: client, for: domain, at: now)
            }
            return (question, confirmations)
        }
        let view = CodeEntryView(
            personName: visitor.person.name,
            formToken: visitor.formToken.revealed,
            userCode: arrival.typed,
            notice: arrival.notice,
            problem: arrival.problem,
            confirmations: confirmations,
            question: question,
            returning: arrival.returning,
            isCodeOfLink: arrival.isCodeOfLink
        )
        return try pages.html(view, status: status)
    }

    // MARK: Taking

    /// The time after a sign-in until a browser counts as one that the person used before, in seconds: an hour.
    private static let knownAfter: TimeInterval = 3600

    private enum Outcome: Sendable {
        case taken, codeWanted, unknown, strayReturn
        /// The person answered the request before, here or at another place.
        case answered(SignInRequest.ID)
    }

    private func take(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        guard let named = RequestReference({ form[$0] }) else {
            let typed = form["user_code"] ?? ""
            let arrival = Arrival(typed: typed.count <= Self.longestShown ? typed : "", problem: Self.unreadable)
            return try await entry(for: visitor, arrival, status: .unprocessableContent)
        }
        let link = form["by_link"].map { _ in ActivationLink(arrival: pages.jar.arrival(in: request)) }
        let now = services.clock.now()
        let browser = try await pages.knownBrowser(of: request, as: visitor.person.subject)
        let known = browser.flatMap { now >= $0.since + Self.knownAfter ? $0 : nil }
        let isOwn = browser.map { now >= $0.first + Self.knownAfter } ?? false
        let address = context.address(of: request, by: services.addresses)
        switch try await take(named, by: link, for: visitor, in: known, isOwn: isOwn, from: address) {
        case .taken:
            return pages.redirect(to: "/activate/confirm?\(named.query)")
        case .codeWanted:
            let arrival = Arrival(returning: named.returning, problem: Self.linkIsNotEnough, isCodeOfLink: true)
            return try await entry(for: visitor, arrival, status: .unprocessableContent)
        case .strayReturn:
            throw PageError.strayReturn
        case .answered(let id):
            return pages.redirect(to: ResultPage.address(of: id))
        case .unknown:
            let arrival: Arrival =
                switch named.name {
                case .code(let code): Arrival(typed: link == nil ? code.description : "", problem: Self.unknown)
                case .addressed: Arrival(problem: Self.gone)
                }
            return try await entry(for: visitor, arrival, status: .unprocessableContent)
        }
    }

    /// The proof that a person gives by finding a request.
    private static func proof(
        of stored: SignInExchangeRecord,
        named: RequestReference,
        isByLink: Bool
    ) -> Evidence.Proof {
        switch named.name {
        case .code where named.returns(toScreenOf: stored): .redirected
        case .code: isByLink ? .linkOpened : .codeTyped
        case .addressed: stored.proofOfAddressee
        }
    }

    /// The keys that count a wrong code which a person typed, or opened and went on with.
    ///
    /// A browser that the person used before counts for itself: others at the same address cannot use up its attempts,
    /// whatever they are signed in to. The limit of the account bounds the odds of guessing.
    private static func rateKeys(
        of subject: Subject,
        in known: KnownBrowser?,
        from address: String?
    ) -> [RateLimitKey] {
        let perPlace: RateLimitKey
        if let known {
            perPlace = RateLimitKey(rule: .guessPerAddress, whom: "user code \(known.nonce)", subject: subject)
        } else {
            perPlace = .address(.guessPerAddress, address)
                .sparing("\(CountedAddress.text(of: address)) \(subject)")
        }
        let perPerson = RateLimitKey(rule: .codePerAccount, whom: "user code \(subject)", subject: subject)
        return [perPlace, perPerson, .overall(.userCodeOverall)]
    }

    /// The keys that count a wrong code in an address with which the system opened an app of the person.
    ///
    /// Any page of the web can open such addresses, without the person. So these codes have counts of their own, which
    /// use up none of the person's attempts; when they are reached, the app leaves such addresses to the browser.
    static func rateKeys(ofAddressesOpenedFor subject: Subject) -> [RateLimitKey] {
        [
            RateLimitKey(rule: .codePerAccount, whom: "opened user code \(subject)", subject: subject),
            RateLimitKey(rule: .userCodeOverall, whom: "opened user code"),
        ]
    }

    /// A link that a person opened.
    private struct ActivationLink: Sendable {
        /// The browser's record of the last link that it opened in time.
        let arrival: String?

        /// - Throws: ``StaleLinkError``.
        func require(_ link: FreshLink?) throws {
            guard let link else { return }
            guard let arrival, ConstantTime.areSame(arrival, link.arrival) else { throw StaleLinkError() }
        }

        /// The link is an older one than the screen shows.
        struct StaleLinkError: Error {}
    }

    /// Takes the request for the visitor, and returns whether there is one. Wrong, expired and used codes look alike.
    ///
    /// - Parameter isOwn: Whether the person signed in in the browser before they came with this request.
    private func take(
        _ named: RequestReference,
        by link: ActivationLink?,
        for visitor: SignedInVisitor,
        in known: KnownBrowser?,
        isOwn: Bool,
        from address: String?
    ) async throws -> Outcome {
        let key = named.key(by: try await services.keys.current())
        let guesses: [RateLimitKey]
        switch named.name {
        case .code:
            guesses = Self.rateKeys(of: visitor.person.subject, in: known, from: address)
        case .addressed:
            // An identifier cannot be guessed, and is of no use to another person.
            guesses = []
        }
        return try await services.approvals.deciding { repositories, step in
            try services.limits.admit(guesses, in: repositories)
            guard let stored = try key.find(for: visitor.person.subject, in: repositories) else {
                try services.limits.count(guesses, in: repositories)
                return .unknown
            }
            do {
                let outcome = try step.take(
                    stored,
                    by: visitor,
                    proving: Evidence(
                        [Self.proof(of: stored, named: named, isByLink: link != nil)]
                            + (isOwn && link != nil ? [.knownBrowser] : [])
                    ),
                    from: address
                ) {
                    if !named.returns(toScreenOf: stored) { try link?.require(stored.terms.freshLink) }
                    _ = try ReturnAddress(named.returning, for: stored, in: repositories)
                    let perCode = RateLimitKey(rule: .takingPerCode, whom: stored.id.rawValue)
                    try services.limits.admitAndCount([perCode], in: repositories)
                }
                switch outcome {
                case .taken: return .taken
                case .codeWanted: return .codeWanted
                case .refused: break
                }
                // A person who enters the code of a request that they decided themselves has not guessed.
                if stored.exchange.decider == visitor.person.subject { return .answered(stored.id) }
                try services.limits.count(guesses, in: repositories)
                return .unknown
            } catch is ActivationLink.StaleLinkError {
                return .codeWanted
            } catch PageError.strayReturn {
                // This answer reveals that the code was right, so it counts as a guess.
                try services.limits.count(guesses, in: repositories)
                return .strayReturn
            }
        }
    }
}
