import CountersignApprover
import CountersignRequester

/// The examples in the documentation of the authenticator, word for word: `Scripts/check-examples.py` compares them.
/// They need a network and a person, so they are compiled only.
struct AuthenticatorExamples {
    struct Screen {
        func askForNumber() {}
        func askToScan() {}
        func showInbox() {}
        func show(_ request: WaitingRequest) async {}
        func offerUndo(of decision: DecisionListing) {}
        func ask(_ request: WaitingRequest) async -> RequestAnswer { .deny }
    }

    let screen = Screen()

    func enrol(scanned: String, in store: SealedFileTokenStore) async throws {
        guard case .ticket(issuer: let text, let ticket)? = CustomerSiteInvitation(scanned) else { return }
        let signIn = TicketSignIn(at: try Issuer(text), as: ClientID("bank-app"), keepingTokensIn: store)
        let signedIn = try await signIn.redeem(ticket)
        _ = signedIn
    }

    func account(at issuer: Issuer, by refresher: TokenRefresher) -> ApproverAccount {
        let account = ApproverAccount(
            id: ApproverAccount.ID("anna"), issuer: issuer,
            authorizing: { try await refresher.authorized($0) },
            again: { try await refresher.authorized($0, after: $1) })
        return account
    }

    func start(_ account: ApproverAccount, keys: any ApproverKeyStore, items: any AuthenticatorStore) async {
        var details = DeviceDetails()
        details.appKey = "the key that the operator gave to this app"
        let approver = Approver(for: account, as: .device(details, keepingStateIn: items), keepingKeysIn: keys)
        switch await approver.checkRegistration() {
        case .phoneNumberNeeded: screen.askForNumber()
        case .signedOut: screen.askToScan()
        case .codeNeeded, .verified, .unknown: screen.showInbox()
        }
    }

    func watch(
        _ account: ApproverAccount, _ details: DeviceDetails, keys: any ApproverKeyStore, items: any AuthenticatorStore
    ) async throws {
        let approver = Approver(for: account, as: .device(details, keepingStateIn: items), keepingKeysIn: keys)
        try await approver.register()
        for try await event in approver {
            guard case .waiting(let requests) = event, let first = requests.first else { continue }
            try await approver.answer(await screen.ask(first), to: first)
        }
    }

    func pinned(
        _ account: ApproverAccount,
        keys: any ApproverKeyStore,
        pins: CertificatePins,
        transport: any HTTPTransport
    ) -> Approver {
        let context = ApproverContext(over: transport, renewing: pins, clock: .system, random: .system)
        let approver = Approver(for: account, keepingKeysIn: keys, in: context)
        return approver
    }

    func undo(_ approver: Approver) async throws {
        for decision in try await approver.decisions() where decision.undoUntil != nil {
            screen.offerUndo(of: decision)
        }
    }

    func notify(
        _ approver: Approver,
        _ registration: NotificationRegistration,
        _ presenter: any NotificationPresenter
    ) async {
        let notifier = RequestNotifier(for: approver, with: registration, presenting: presenter) { outcome in
            if case .openApp(let request) = outcome { await screen.show(request) }
        }
        await notifier.run()
    }

    func old(
        scanned: String, details: DeviceDetails, items: any AuthenticatorStore, show: (AuthenticationRequest) -> Void
    ) async throws {
        let client = try LegacyAuthenticatorClient(
            at: "https://api.example.com/authenticator/v1.0", describing: details, keepingStateIn: items,
            over: SystemTransport.make(), clock: .system)
        try await client.register()
        guard case .shared(let site, let secret)? = CustomerSiteInvitation(scanned) else { return }
        try await client.register(in: site, secret: secret)
        if let request = try await client.openRequest(in: site) { show(request) }
    }

    func pin(
        key: JSONWebKey,
        items: any AuthenticatorStore,
        certificate: [UInt8],
        systemVerdict: Bool,
        cancelTheConnection: () -> Void
    ) async throws {
        let pins = try CertificatePins(
            at: "https://id.example.com/authenticator/pins", signedBy: key, keepingStateIn: items,
            over: SystemTransport.make(), clock: .system)
        await pins.refresh()
        guard await pins.accepts(certificate, isTrusted: systemVerdict) else { return cancelTheConnection() }
    }
}
