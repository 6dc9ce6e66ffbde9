import CountersignApprover
import CountersignNearby
import CountersignRequester

/// The examples in the documentation of nearby sign-in with a server, word for word: `Scripts/check-examples.py`
/// compares them. They need a network and a person, so they are compiled only.
struct NearbyServerExamples {
    struct PlayerScreen: NearbyRequesterDelegate {
        let requester: NearbyRequester
        let nearby: NearbySignIn

        func show(_ code: LinkCode, for approver: NearbyApprover) async {}
        func takeCodeAway() async {}

        func prepareRequest(over link: NearbyLinkID) async {
            nearby.asked(over: link)
        }
    }

    func signIn(with settings: NearbySettings, confirming confirm: @escaping SignIn.Confirm) async throws
        -> CompletedSignIn
    {
        let nearby = NearbySignIn()
        let signIn = SignIn(
            at: try Issuer("https://id.example.com"),
            as: ClientID("tv"),
            for: Scope([.openid, .profile]),
            nearby: nearby
        )
        let requester = NearbyRequester(settings, discovery: try LocalNetwork.discovery())
        let screen = PlayerScreen(requester: requester, nearby: nearby)
        let events = signIn.events
        Task {
            var attempt: Task<NearbyResult, Never>?
            for await event in events {
                switch event {
                case .invitation:
                    // Show the code, too. Each new one is asked for anew.
                    attempt?.cancel()
                    _ = await attempt?.value
                    guard let request = nearby.request else { continue }
                    attempt = Task {
                        await requester.signIn(NearbySignInOptions(.server(request), remembers: true), on: screen)
                    }
                case .signedIn, .failed: attempt?.cancel()
                case .discovering, .waiting, .verificationNumber, .link, .temporaryFailure, .confirming: break
                }
            }
        }
        return try await signIn.run(confirming: confirm)
    }

    func approvals(by refresher: TokenRefresher, at issuer: Issuer, keys: any ApproverKeyStore) -> NearbyApprovals {
        let account = ApproverAccount(
            id: ApproverAccount.ID("anna"),
            issuer: issuer,
            authorizing: { try await refresher.authorized($0) },
            again: { try await refresher.authorized($0, after: $1) }
        )
        return NearbyApprovals(
            for: [account],
            keepingKeysIn: keys,
            over: AsyncHTTPTransport(),  // URLSessionTransport() on Apple's systems
            drawingFrom: .system,
            clock: .system
        )
    }

    struct PlayerPhone: NearbyListenerDelegate {
        let ask: @Sendable (String) async -> String
        let remembers: Bool
        let approvals: NearbyApprovals

        func confirmScreen(_ prompt: NearbyPrompt) async -> ScreenConfirmation { .notNow }
        func digits(for prompt: NearbyPrompt) async -> LinkCode? { nil }

        func decide(_ request: ReceivedRequest) async -> NearbyDecision {
            guard case .server(let asked) = request.request.value else { return .refuse(.serverRefused) }
            do throws(ApprovalError) {
                let shown = try await approvals.look(at: asked)
                if shown.needsDigits(besides: request.trust), request.canAskForCode { return .askForCode }
                let question = "\(shown.clientName.value) wants \(shown.scope.value) as \(shown.accountName). Approve?"
                let isApproved = await ask(question) == "yes"
                guard !Task.isCancelled else { return .notNow }
                let answer: NearbyApprovals.Answer = isApproved ? .approve : .deny
                try await approvals.decide(answer, on: shown, over: request.link, proof: request.trust)
                return isApproved ? .approve(.atServer, remembers: remembers) : .decline
            } catch {
                switch error.code {
                case .unknownIssuer: return .refuse(.issuerUnknown)
                case .nothingToDecide: return .refuse(.answeredElsewhere)
                case .digitsNeeded where request.canAskForCode: return .askForCode
                case .cancelled: return .notNow
                default: return .refuse(.serverRefused)
                }
            }
        }
    }

    static func boundAccount(at issuer: Issuer, _ refresher: TokenRefresher) -> ApproverAccount {
        let account = ApproverAccount(
            id: ApproverAccount.ID("anna"), issuer: issuer,
            authorizing: { request in try await refresher.authorized(request) },
            again: { request, answer in try await refresher.authorized(request, after: answer) })
        return account
    }

    func account(at issuer: Issuer, by refresher: TokenRefresher) -> ApproverAccount {
        let account = ApproverAccount(id: ApproverAccount.ID("anna"), issuer: issuer) {
            try await refresher.signedIn().accessToken
        }
        return account
    }

    func look(
        at request: NearbySignInRequest,
        by approvals: NearbyApprovals,
        _ phone: AskedPhone,
        _ link: PhoneLink,
        _ name: PeerName
    ) async throws {
        var proof = NearbyProof.code
        let shown = try await approvals.look(at: request)
        if shown.needsDigits(besides: proof) { proof = try await link.askForDigits() }
        let answer = await phone.ask(shown, screenCallsItself: name)
        try await approvals.decide(answer, on: shown, over: link.id, proof: proof)
    }
}

/// A type of the app's own.
struct AskedPhone {
    func ask(_ shown: NearbyRequestDescription, screenCallsItself name: PeerName) async -> NearbyApprovals.Answer {
        .deny
    }
}

/// A type of the app's own.
struct PhoneLink {
    let id: NearbyLinkID
    func askForDigits() async throws -> NearbyProof { .code }
}
