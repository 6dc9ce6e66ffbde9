import CountersignApprover
import CountersignRequester

/// The examples in the documentation of the authenticator, word for word: `Scripts/check-examples.py` compares them.
/// They need a network and a person, so they are compiled only.
struct AuthenticatorExamples {
    struct Screen {
        func askForNumber() {}
        func askToScan() {}
        func showInbox() {}
        func show(_ request: InboxRequestDescription) async {}
    }

    let screen = Screen()

    struct KeptItems: AuthenticatorStore {
        let store: SealedFileTokenStore

        func load(_ item: AuthenticatorItem) async throws -> [UInt8]? { try await store.load(key(item)) }
        func save(_ bytes: [UInt8], for item: AuthenticatorItem) async throws {
            try await store.save(bytes, for: key(item))
        }
        func remove(_ item: AuthenticatorItem) async throws { try await store.remove(key(item)) }

        private func key(_ item: AuthenticatorItem) -> TokenStoreKey {
            TokenStoreKey(TokenStoreKey.Kind("authenticator"), item.rawValue)
        }
    }

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

    func start(_ account: ApproverAccount, keys: any ApproverKeyStore, items: KeptItems) async {
        var details = DeviceDetails()
        details.appKey = "the key that the operator gave to this app"
        let authenticator = Authenticator(
            for: account, describing: details, keepingKeysIn: keys, keepingStateIn: items,
            over: SystemTransport.make(), drawingFrom: .system, clock: .system)
        switch await authenticator.checkRegistration() {
        case .phoneNumberNeeded: screen.askForNumber()
        case .signedOut: screen.askToScan()
        case .codeNeeded, .verified, .unknown: screen.showInbox()
        }
    }

    func watch(_ authenticator: Authenticator) async throws {
        for await event in authenticator.requests() {
            if case .arrived(let request) = event { await screen.show(try await authenticator.look(at: request.id)) }
        }
    }

    func answer(_ authenticator: Authenticator, _ shown: InboxRequestDescription, typed: String) async throws {
        do throws(ApprovalError) {
            try await authenticator.answer(.approve(number: typed), to: shown)
        } catch {
            if error.code == .wrongNumber { await screen.show(try await authenticator.look(at: shown.id)) }
        }
    }

    func notify(
        _ authenticator: Authenticator,
        _ registration: NotificationRegistration,
        _ presenter: any NotificationPresenter
    ) async {
        let notifier = RequestNotifier(for: authenticator, with: registration, presenting: presenter) { outcome in
            if case .openApp(let request) = outcome { await screen.show(request) }
        }
        await notifier.run()
    }

    func old(scanned: String, details: DeviceDetails, items: KeptItems, show: (AuthenticationRequest) -> Void)
        async throws
    {
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
        items: KeptItems,
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
