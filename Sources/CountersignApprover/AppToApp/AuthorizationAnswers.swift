public import Countersign
public import CountersignTransport
public import CountersignWire
internal import FoundationEssentialsCompat

/// Answers the authorization requests of other apps in the provider's own app, where the person is signed in already:
/// without a browser, and without a password.
///
/// The system opens the app with the request's address. The server evaluates it, the person answers, the app signs the
/// answer with its key, and opens the address of the server's answer.
///
/// ```swift
/// switch try await answers.answer(address, asking: screen.ask) {
/// case .answered(_, isOpened: true): break
/// case .answered(_, isOpened: false): screen.say("The app that asked can't be opened.")
/// case .openBrowser(let page): screen.openBrowser(page)
/// case .refused(let refusal): screen.say("There is no answer: \(refusal.rawValue)")
/// }
/// ```
///
/// A code goes from the server's answer to the opener, and is neither stored nor logged on the way.
///
/// Standard: RFC 6749 §4.1, RFC 8252 §7.
public struct AuthorizationAnswers: Sendable {
    /// The person's answer.
    public enum Answer: Sendable, Hashable {
        /// Yes; with `isRemembered` the person need not be asked again, if no other app can impersonate this one.
        case approve(isRemembered: Bool)
        /// No.
        case deny
        /// To continue in the browser, as with another account.
        case goOnInBrowser
    }

    /// The server of the provider.
    private let issuer: Issuer
    /// The addresses that open the app.
    private let entrances: [String]
    /// The opener of the other app.
    private let opener: any AppOpener
    /// The endpoints of the server.
    private let servers: ApproverServers
    /// The conversations with the server, one for each account.
    private let clients: [ApproverClient]

    /// Prepares the provider's app; nothing is sent before it is opened with a request.
    ///
    /// - Parameters:
    ///   - issuer: The server of the provider.
    ///   - entrances: The addresses that open the app with requests, without a query: the server's authorization
    ///     endpoint, and an address with a scheme of the app, as `com.example.provider.authorize:/authorize`.
    ///   - accounts: The app's sign-ins; those of other servers are omitted, the first is preferred.
    ///   - keys: The store of the keys for decisions, one for each account.
    ///   - opener: The opener of the other app.
    ///   - transport: The network, as `AsyncHTTPTransport()` on Linux.
    ///   - options: Time limits, and whether servers without encryption are allowed; what suits a phone by default.
    ///   - random: The source of the decisions' names.
    ///   - clock: Dates each decision, and counts the pauses between attempts at reaching the server.
    public init(
        at issuer: Issuer,
        openedWith entrances: [String],
        for accounts: [ApproverAccount],
        keepingKeysIn keys: any ApproverKeyStore,
        opening opener: any AppOpener,
        over transport: any HTTPTransport,
        options: ApprovalOptions = ApprovalOptions(),
        drawingFrom random: RandomSource,
        clock: TimeSource
    ) {
        self.issuer = issuer
        self.entrances = entrances
        self.opener = opener
        let servers = ApproverServers(over: transport, options: options, clock: clock)
        self.servers = servers
        clients = accounts.filter { $0.issuer == issuer }.map {
            ApproverClient(for: $0, keepingKeysIn: keys, over: transport, finding: servers, drawingFrom: random)
        }
    }

    /// Answers the request in an address that the system opened this app with.
    ///
    /// - Parameters:
    ///   - text: The whole address. It may be forged.
    ///   - account: The account to answer with; `nil` for the preferred one.
    ///   - caller: The source of the system's word about the requesting app; none by default.
    ///   - person: Shows the request to the person, and returns their answer. It is not called if they allowed the same
    ///     before and no other app can get the answer.
    /// - Throws: ``ApprovalError``, and then nothing was opened. After `outcomeUnknown` the decision may be recorded;
    ///   the other app has to repeat its request.
    public func answer(
        _ text: String,
        as account: ApproverAccount.ID? = nil,
        openedBy caller: any CallerVerifier = UnknownCaller(),
        asking person: @Sendable (AuthorizationDescription) async -> Answer
    ) async throws(ApprovalError) -> AuthorizationAnswerResult {
        guard let address = AuthorizationAddress(parsing: text) else { return .refused(.unreadable) }
        guard entrances.contains(where: address.isAt) else { return .refused(.otherAddress) }
        guard let client = clients.first(where: { account == nil || $0.account.id == account }) else {
            return try await browser(for: address)
        }
        let (response, digest): (ApproverLookResponse<AuthorizationLook>, AnswerDigest)
        do throws(ApprovalError) {
            (response, digest) = try await client.look(
                at: .authorization(parameters: address.parameters), as: AuthorizationLook.self)
        } catch {
            guard error.code == .notOffered else { throw error }
            return try await browser(for: address)
        }
        switch response {
        case .browser: return try await browser(for: address)
        case .unanswerable: return .refused(.unanswerable)
        case .answer(let location, let redirectURI):
            let ownership = await caller.ownership(of: redirectURI)
            let route = AnswerRoute(to: redirectURI, asked: ownership, knowsOwners: opener.knowsOwners)
            return try await open(location, at: redirectURI, by: route, telling: .refused, for: address)
        case .decide(let look):
            try Self.expect(look, toBe: address)
            let ownership = await caller.ownership(of: look.details.redirectURI)
            return try await decide(look, shown: digest, to: address, through: client, ownership, asking: person)
        }
    }

    /// Makes sure that the server's view matches the request in the address, as far as the address shows it.
    private static func expect(
        _ look: ApproverLook<AuthorizationLook>,
        toBe address: AuthorizationAddress
    ) throws(ApprovalError) {
        let request = address.request
        guard look.client.value == address.client, request.map({ $0.challenge == look.details.challenge }) ?? true,
            request?.redirectURI.map({ $0 == look.details.redirectURI }) ?? true
        else { throw ApprovalError(.badAnswer, because: "another request than the one in the address") }
    }

    /// Asks the person if required, signs, and opens the server's answer.
    private func decide(
        _ look: ApproverLook<AuthorizationLook>,
        shown digest: AnswerDigest,
        to address: AuthorizationAddress,
        through client: ApproverClient,
        _ ownership: RedirectOwnership,
        asking person: @Sendable (AuthorizationDescription) async -> Answer
    ) async throws(ApprovalError) -> AuthorizationAnswerResult {
        let redirectURI = look.details.redirectURI
        let route = AnswerRoute(to: redirectURI, asked: ownership, knowsOwners: opener.knowsOwners)
        switch route {
        case .nowhere(let refusal): return .refused(refusal)
        case .browser: return try await browser(for: address)
        case .owner, .anyApp: break
        }
        guard let destination = AnswerDestination(redirectURI) else { return .refused(.unanswerable) }
        let answer: DecisionClaims.Answer
        if route.isAssured, look.details.isAllowedBefore, !look.details.mustAsk {
            answer = .unasked
        } else {
            let shown = AuthorizationDescription(
                look, at: client.account.id, destination: destination, caller: ownership, isAssured: route.isAssured)
            switch await person(shown) {
            case .approve(isRemembered: let isRemembered): answer = isRemembered ? .remember : .approve
            case .deny: answer = .deny
            case .goOnInBrowser: return try await browser(for: address)
            }
        }
        guard !Task.isCancelled else { throw ApprovalError(.cancelled, because: "the task was cancelled") }
        let said = try await client.decide(
            answer,
            by: .authorization(AuthorizationFinding(look, to: address.parameters)),
            on: look,
            shown: digest,
            to: address.parameters
        )
        guard let location = said.location else { throw ApprovalError(.badAnswer, because: "no address to open") }
        let outcome: AuthorizationOutcome =
            switch said.outcome {
            case .approved: .approved
            case .denied, .reported: .denied
            case .refused: .refused
            }
        return try await open(location, at: redirectURI, by: route, telling: outcome, for: address)
    }

    /// Opens an answer, if it is one for this redirect URI.
    private func open(
        _ location: AuthorizationAnswerAddress,
        at redirectURI: String,
        by route: AnswerRoute,
        telling outcome: AuthorizationOutcome,
        for address: AuthorizationAddress
    ) async throws(ApprovalError) -> AuthorizationAnswerResult {
        guard location.isAnswer(at: redirectURI),
            let url = URL(string: location.revealed, encodingInvalidCharacters: false)
        else { throw ApprovalError(.badAnswer, because: "the answer goes elsewhere than to the redirect URI") }
        switch route {
        case .owner: return .answered(outcome, isOpened: await opener.openInOwner(url))
        case .anyApp: return .answered(outcome, isOpened: await opener.open(url))
        case .browser: return try await browser(for: address)
        case .nowhere(let refusal): return .refused(refusal)
        }
    }

    /// The request as an address for the browser.
    private func browser(for address: AuthorizationAddress) async throws(ApprovalError) -> AuthorizationAnswerResult {
        let page = try await servers.persistently { () async throws(ApprovalError) in
            try await servers.authorizationPage(of: issuer)
        }
        let text = page.url.absoluteString
        return .openBrowser("\(text)\(Form.separator(after: text))\(address.parameters)")
    }
}
