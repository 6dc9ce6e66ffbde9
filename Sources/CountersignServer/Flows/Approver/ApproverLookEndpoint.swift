internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `POST /approver/look`: an app that approves reads a request of a screen nearby, of a screen or another app on its device,
/// or in its inbox.
///
/// A look does not take the request, and several apps may look at one. The answer is the same for an unknown request,
/// another person's, one whose turn has not come, one that is decided or over, and for a wrong verifier; only the person
/// who decided it learns where they did. The request of a screen on the same device is handed to the browser in all these
/// cases, where the page tells its person. A code that fits nothing counts, but not as a guess of the person: any page of
/// the web can open the app with an address.
struct ApproverLookEndpoint: Sendable {
    private let requests: ApproverRequests
    private let authorization: AppAuthorization
    private var services: FlowServices { requests.services }
    private static let path = "approver/look"

    /// The time to decide an authorization request after the look at it, in seconds.
    static let authorizationLifetime: TimeInterval = 300

    init(requests: ApproverRequests) {
        self.requests = requests
        authorization = AppAuthorization(requests.services)
    }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(Self.path, [.post: services.proofs.givingNonces(answer)])
    }

    /// A parsed look, with everything that was found out before the change that answers it.
    private enum Question: Sendable {
        case nearby(UserCodeDigest?, NearbyVerifier)
        case authorization(AppAuthorization.Step)
        case activation(RequestReference?)
        case inbox(SignInRequest.ID)

        /// Whether the system opened the app with an address.
        var isOpened: Bool {
            switch self {
            case .authorization, .activation: true
            case .nearby, .inbox: false
            }
        }
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await requests.answering(request, in: context, at: Self.path) { caller in
            // Refused before anything is read or written.
            _ = try await caller.key()
            let question: Question
            switch try ApproverLookRequest(form: try await request.form()) {
            case .nearby(let code, let verifier):
                question = .nearby(UserCode(parsing: code.rawValue).map(caller.keys.digest), verifier)
            case .authorization(let parameters):
                let app = try await services.store.read { try caller.app(in: $0) }
                question = .authorization(try await authorization.step(for: parameters, at: app))
            case .activation(let code, returningTo: let redirectURI):
                question = .activation(
                    UserCode(parsing: code.rawValue).map { code in
                        RequestReference(.code(code), BrowserReturn(to: redirectURI, state: nil))
                    })
            case .inbox(let id): question = .inbox(id)
            }
            switch try await look(question, for: caller) {
            case .shown(let bytes): return .json(bytes: bytes)
            case .answered(let place): return ApproverRequests.answered(at: place)
            case .nothing: throw ApproverRequests.noOpenRequest
            }
        }
    }

    /// The outcome of a look.
    private enum Outcome: Sendable {
        /// The encoded answer with what the app shows.
        case shown([UInt8])
        /// The same person answered the request before.
        case answered(AnswerPlace)
        /// The request cannot be looked at.
        case nothing

        init(_ shown: [UInt8]?) { self = shown.map { .shown($0) } ?? .nothing }
        init(_ place: AnswerPlace?) { self = place.map { .answered($0) } ?? .nothing }
    }

    private func look(_ question: Question, for caller: ApproverRequests.Caller) async throws -> Outcome {
        let nonce: DecisionNonce = services.mint.secret()
        let id: SignInRequest.ID = services.mint.identifier()
        let now = services.clock.now()
        return try await services.store.change { repositories in
            // Looks that find nothing count, too.
            let app = try caller.countedApp(isOpened: question.isOpened, in: repositories)
            let look = Look(nonce: nonce, app: app, now: now, repositories: repositories)
            switch question {
            case .nearby(let code, let verifier):
                guard let code, let found = try repositories.exchanges.find(code),
                    case .deviceCode(_, nearby: verifier.challenge, browser: _) = found.method
                else { return .nothing }
                guard try app.mayAnswer(found, in: repositories, at: now) else {
                    return Outcome(try app.placeOfAnswer(to: found, in: repositories))
                }
                let network = try services.addresses.samePlace(
                    found.exchange.request.address?.value, caller.address, in: repositories, at: now)
                try look.note(found, from: caller.address)
                var details = NearbyLook(address: found.address, sameNetwork: network)
                details.approval = try ApprovalPreview(of: found, nearby: network, by: app, at: now)
                    .conditions(under: services.policy, in: repositories)
                return Outcome(try look.keep(look.facts(of: found, details)))
            case .activation(let named): return try look.outcome(for: named, from: caller, with: services)
            case .inbox(let id):
                let device = try repositories.devices.find(app.signIn.grant.id)
                let listed = try RequestInbox(repositories).requests(of: app.person.subject, on: device, at: now)
                guard let stored = listed.first(where: { $0.id == id }) else {
                    return Outcome(try app.placeOfAnswer(to: repositories.exchanges.find(id), in: repositories))
                }
                try look.note(stored, from: caller.address)
                var details = try stored.inboxLook(trusting: caller.keys, in: repositories)
                if stored.method.kind == .instant {
                    details.approval = try ApprovalPreview(
                        inInbox: stored, by: app, under: services.policy, at: now
                    ).conditions(under: services.policy, in: repositories)
                }
                return Outcome(try look.keep(look.facts(of: stored, details)))
            case .authorization(let step):
                let response = try look.response(to: step, id: id, until: now + Self.authorizationLifetime)
                return Outcome(try look.keep(response))
            }
        }
    }

    /// The look of one app, inside the change that answers it.
    private struct Look {
        let nonce: DecisionNonce
        let app: ApprovingApp
        let now: Date
        let repositories: any Repositories

        /// The outcome for the request of a screen on the same device, which a code and a way back name; `nil` for text that
        /// is no code.
        func outcome(
            for named: RequestReference?,
            from caller: ApproverRequests.Caller,
            with services: FlowServices
        ) throws -> Outcome {
            let subject = app.person.subject
            let browser = Outcome(try keep(ApproverLookResponse<ActivationLook>.browser))
            let guesses = ActivatePage.rateKeys(ofAddressesOpenedFor: subject)
            guard try !services.limits.isReached(guesses, in: repositories) else { return browser }
            let found = try named?.key(by: caller.keys).find(for: subject, in: repositories)
            guard let found, let redirectURI = found.method.browserReturn?.redirectURI,
                named?.returns(toScreenOf: found) == true, try app.mayAnswer(found, in: repositories, at: now)
            else {
                if let place = try app.placeOfAnswer(to: found, in: repositories) { return .answered(place) }
                try services.limits.count(guesses, in: repositories)
                return browser
            }
            // There the person may sign in again, or use a passkey.
            let demands = found.demands(under: services.policy)
            guard demands.violation(by: app.evidenceOnSameDevice, at: now) == nil else { return browser }
            let request = found.exchange.request
            let details = ActivationLook(
                redirectURI: redirectURI.text, permissions: try permissions(of: request.scope.value),
                deviceName: request.deviceName?.value)
            // An approval is bound to the way back, so that no other client redeems it.
            let isAssured = RedirectURIRules.isClaimed(redirectURI.text)
            guard let shown = try facts(of: found, details, isAssured: isAssured) else { return browser }
            try note(found, from: caller.address)
            return Outcome(try keep(shown))
        }

        /// The facts of a stored request; `nil` when its client was removed.
        ///
        /// - Parameter isAssured: Whether no other client can redeem an approval, even one that claims to be this client.
        func facts<Details>(
            of stored: SignInExchangeRecord,
            _ details: Details,
            isAssured: Bool = false
        ) throws -> ApproverLookResponse<Details>? {
            let request = stored.exchange.request
            guard let client = try ClientRegistrations(repositories).requester(request.client.value) else { return nil }
            let provenance = isAssured ? Provenance.verified : request.client.provenance
            var look = ApproverLook(
                exchange: stored.id,
                nonce: nonce,
                client: Fact(request.client.value, provenance),
                clientName: Fact(client.name, client.provenanceOfName(provenance)),
                scope: request.scope.value,
                asked: request.asked.value.numericDate,
                expires: request.deadline.numericDate,
                serverTime: now.numericDate,
                accountName: app.person.name,
                details: details
            )
            look.service = request.service.map { LookService($0.value) }
            return .decide(look)
        }

        /// The answer about the authorization request of another app.
        func response(
            to step: AppAuthorization.Step,
            id: SignInRequest.ID,
            until expires: Date
        ) throws -> ApproverLookResponse<AuthorizationLook> {
            switch step {
            case .browser: return .browser
            case .unanswerable: return .unanswerable
            case .answer(let answer): return .answer(answer.location, redirectURI: answer.address.redirectURI)
            case .decide(let checked, let mustAsk, let isAllowedBefore):
                guard let challenge = checked.challenge else { return .browser }
                let provenance: Provenance = checked.isClientAssured ? .verified : .asserted
                var look = ApproverLook(
                    exchange: id,
                    nonce: nonce,
                    client: Fact(checked.client.id, provenance),
                    clientName: Fact(checked.client.name, checked.client.provenanceOfName(provenance)),
                    scope: checked.scope,
                    asked: now.numericDate,
                    expires: expires.numericDate,
                    serverTime: now.numericDate,
                    accountName: app.person.name,
                    details: AuthorizationLook(
                        redirectURI: checked.answering.redirectURI,
                        permissions: try permissions(of: checked.scope),
                        challenge: challenge,
                        isAllowedBefore: isAllowedBefore,
                        mustAsk: mustAsk
                    )
                )
                look.service = checked.request.service.map { LookService($0) }
                return .decide(look)
            }
        }

        /// The permissions of a scope, in words for people.
        private func permissions(of scope: Scope) throws -> [AuthorizationLook.Permission] {
            try zip(scope.words, scope.permissions(giving: repositories.claimMappings.all()))
                .map { AuthorizationLook.Permission($0, meaning: $1.meaning.english) }
        }

        /// Records that the app read a request, once for each app.
        func note(_ stored: SignInExchangeRecord, from address: String?) throws {
            let place = try ApproverPlace(of: app.signIn, in: repositories)
            try Audit(repositories).recordOnce(
                AuditEntry.Facts(
                    at: now, .seen, by: .person, subject: app.person.subject,
                    client: stored.exchange.request.client.value, request: stored.id, address: address,
                    detail: place.audited)
            )
        }

        /// Encodes the answer. For a request that can be decided it stores the nonce with a digest of the answer, so
        /// that a decision uses it once and about the same content.
        func keep<Details>(_ response: ApproverLookResponse<Details>?) throws -> [UInt8]? {
            guard let response else { return nil }
            let bytes = Array(try JSONEncoder.wire.encode(response))
            guard case .decide(let look) = response else { return bytes }
            try repositories.decisionNonces.insert(
                DecisionNonceRecord(
                    method: Details.method,
                    nonce: nonce.digest,
                    request: look.exchange,
                    subject: app.person.subject,
                    signIn: app.signIn.grant.id,
                    shown: AnswerDigest(of: bytes),
                    expires: Date(named: look.expires)
                )
            )
            return bytes
        }
    }
}

extension SignInExchangeRecord {
    /// The network address that it asks from, as the server saw it.
    fileprivate var address: String? { exchange.request.address?.value }

    /// The facts that an enrolled device shows in addition.
    fileprivate func inboxLook(trusting keys: Keys, in repositories: any Repositories) throws -> InboxLook {
        var look = InboxLook(
            kind: method.kind, channel: method.channel, deviceName: exchange.request.deviceName?.value)
        look.message = method.message
        if hasNumberInInbox { look.numberDigits = VerificationNumber.length }
        switch method {
        case .customerSite(let terms):
            look.environment = try CustomerSiteListing(terms.environment, in: repositories)
            look.address = terms.address
            look.place = terms.place
            look.pin = terms.revealedPassword(of: id, with: keys)
        // The address of a server says nothing about the person.
        case .backchannel: break
        case .deviceCode, .singleSignOn, .authorizationCode, .browserSession, .immediateGrant:
            look.address = address
            look.software = exchange.request.software?.value
        }
        return look
    }
}

extension SignInMethod {
    /// The way on which it came, as a device is told; `nil` where no device is asked.
    fileprivate var channel: InboxLook.Channel? {
        switch self {
        case .deviceCode: .deviceCode
        case .browserSession: opensBrowserSession ? .browserSession : .passwordReset
        case .singleSignOn: .singleSignOn
        case .backchannel: .backchannel
        case .customerSite: .customerSite
        case .authorizationCode, .immediateGrant: nil
        }
    }
}
