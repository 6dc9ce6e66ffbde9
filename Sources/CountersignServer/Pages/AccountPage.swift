internal import CountersignWire
internal import Hummingbird
internal import FoundationEssentialsCompat

/// `/account`: the sign-ins, devices, apps and ways to sign in of a person, and the requests to them.
struct AccountPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore
    let accounts: AccountServices
    let providers: ProviderServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("account", [.get: show], on: router)
        pages.mount("account/sign-out", [.post: signOut], on: router)
        pages.mount("account/browsers/sign-out", [.post: signOutBrowser], on: router)
        pages.mount("account/undo", [.post: undo], on: router)
        pages.mount("account/withdraw", [.post: withdraw], on: router)
        pages.mount("account/unmute", [.post: unmute], on: router)
        pages.mount("account/screens/forget", [.post: forget], on: router)
        pages.mount("account/connect", [.post: connect], on: router)
        pages.mount("account/disconnect", [.post: disconnect], on: router)
    }

    /// The result of the last act, in the query of the page's address.
    enum CompletedAct: String, CaseIterable, Sendable {
        case signedOut = "signed-out", serviceEnded = "service-ended"
        case undone
        case withdrawn
        case muted, unmuted
        case forgotten
        case tooLate = "too-late"
        case delivered
        case nothing
        case connected
        case disconnected
        case lastWay = "last-way"
        case passkeyAdded = "passkey-added"
        case passkeyRemoved = "passkey-removed"
        case passwordChanged = "password-changed"
        case emailVerified = "email-verified"
        case oneTimePasswordsRemoved = "one-time-passwords-removed"
        case deviceRemoved = "device-removed"
        case deviceNamed = "device-named"
        case timeZoneChanged = "time-zone-changed"
        case backchannelUserCodeChosen = "backchannel-user-code-chosen"
        case backchannelUserCodeRefused = "backchannel-user-code-refused"
        case backchannelUserCodeRemoved = "backchannel-user-code-removed"
        case pushAdded = "push-added"
        case pushRemoved = "push-removed"
        case pushRefused = "push-refused"

        /// The page that tells of the act.
        var address: String { "/account?done=\(rawValue)" }

        /// Whether the act was refused.
        var isRefusal: Bool {
            switch self {
            case .tooLate, .delivered, .lastWay, .backchannelUserCodeRefused, .pushRefused: true
            case .signedOut, .serviceEnded, .undone, .withdrawn, .muted, .unmuted, .forgotten, .nothing, .connected,
                .disconnected,
                .passkeyAdded,
                .passkeyRemoved, .passwordChanged, .emailVerified,
                .oneTimePasswordsRemoved, .timeZoneChanged, .deviceRemoved, .deviceNamed, .backchannelUserCodeChosen,
                .backchannelUserCodeRemoved, .pushAdded, .pushRemoved:
                false
            }
        }

        var words: LocalizedText {
            switch self {
            case .signedOut: .text(.accountDoneSignedOut)
            case .serviceEnded: .text(.accountDoneServiceEnded)
            case .undone: .text(.accountDoneUndone)
            case .withdrawn: .text(.accountDoneWithdrawn)
            case .muted: .text(.accountDoneMuted)
            case .unmuted: .text(.accountDoneUnmuted)
            case .forgotten: .text(.accountDoneForgotten)
            case .tooLate: .text(.accountDoneTooLate)
            case .delivered: .text(.accountDoneDelivered)
            case .nothing: .text(.accountDoneNothing)
            case .connected: .text(.accountDoneConnected)
            case .disconnected: .text(.accountDoneDisconnected)
            case .lastWay: .text(.accountDoneLastWay)
            case .passkeyAdded: .text(.accountDonePasskeyAdded)
            case .passkeyRemoved: .text(.accountDonePasskeyRemoved)
            case .passwordChanged: .text(.accountDonePasswordChanged)
            case .emailVerified: .text(.accountDoneEmailVerified)
            case .deviceRemoved: .text(.accountDoneDeviceRemoved)
            case .deviceNamed: .text(.accountDoneDeviceNamed)
            case .oneTimePasswordsRemoved: .text(.accountDoneOneTimePasswordsRemoved)
            case .timeZoneChanged: .text(.accountDoneTimeZoneChanged)
            case .backchannelUserCodeChosen: .text(.accountDoneBackchannelUserCodeChosen)
            case .backchannelUserCodeRefused: .text(.accountDoneBackchannelUserCodeRefused)
            case .backchannelUserCodeRemoved: .text(.accountDoneBackchannelUserCodeRemoved)
            case .pushAdded: .text(.accountDonePushAdded)
            case .pushRemoved: .text(.accountDonePushRemoved)
            case .pushRefused: .text(.accountDonePushRefused)
            }
        }
    }

    // MARK: Showing

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.person(visiting: request)
        let done = request.uri.queryParameters["done"].flatMap { CompletedAct(rawValue: String($0)) }
        let now = core.clock.now()
        let lists = try await core.store.read { repositories in
            let listing = try AccountListing(of: visitor.person, in: repositories, at: now)
            return (
                try listing.screens(), try listing.services(), try listing.waiting(),
                try listing.openedBrowsers(seenIn: visitor.session.id),
                try BackchannelQuestion(for: visitor.person.subject, in: repositories, at: now),
                try listing.allowedApps(), try listing.mutedApps(), try listing.ways(), listing.enrolledDevices(),
                try listing.newSignIns(), try listing.recentRequests(), try listing.rememberedScreens(),
                try listing.offersBackchannelUserCode(), listing.otherBrowsers(than: visitor.session.id),
                listing.pushBrowsers(seenIn: visitor.session.id), listing.pushAddress(of: visitor.session.id)
            )
        }
        let (
            screens, acting, waiting, browsers, question, apps, muted, ways, devices, newSignIns, recent, remembered,
            codes, others, pushed, pushAddress
        ) =
            lists
        let passwordChanged = visitor.person.passwordChanged.map { TimeDisplay($0, at: now) }
        let elsewhere = pages.placeOfPasskeys("/account", for: request)
        let pushKey = try await pushKey(for: visitor)
        return try pages.html(
            AccountView(
                personName: visitor.person.name,
                formToken: visitor.formToken.revealed,
                notice: done.flatMap { $0.isRefusal ? nil : $0.words },
                problem: done.flatMap { $0.isRefusal ? $0.words : nil },
                screens: screens,
                services: acting,
                waiting: waiting,
                openedBrowsers: browsers,
                otherBrowsers: others,
                question: question,
                devices: devices.views,
                news: AccountNewsView(
                    newPassword: AccountListing.isNew(visitor.person.passwordChanged, at: now) ? passwordChanged : nil,
                    newDevices: devices.new,
                    newSignIns: newSignIns,
                    screenUndos: recent.compactMap { ScreenUndoView($0, at: now) }
                ),
                recent: recent.compactMap { RecentRequestView($0, at: now) },
                apps: apps,
                mutedApps: muted,
                rememberedScreens: remembered,
                identities: ways.identities,
                providers: ways.providers,
                passkeys: ways.passkeys,
                oneTimePasswords: ways.oneTimePasswords,
                offersPasskeys: accounts.passkeys.party != nil && elsewhere == nil,
                passkeysElsewhere: elsewhere,
                offersOneTimePasswords: visitor.person.password != nil && ways.oneTimePasswords == nil,
                hasPassword: visitor.person.password != nil,
                passwordChanged: passwordChanged,
                offersEmail: core.sendsMail,
                email: visitor.person.email,
                isEmailVerified: visitor.person.isEmailVerified,
                zoneName: visitor.person.timeZone?.identifier,
                offersBackchannelUserCode: codes || done == .backchannelUserCodeRefused,
                hasBackchannelUserCode: visitor.person.backchannelUserCode != nil,
                isBackchannelUserCodeWrong: done == .backchannelUserCodeRefused,
                browserLimit: visitor.session.limit.map { TimeDisplay($0, at: now) },
                pushBrowsers: pushed,
                pushKey: pushKey,
                pushRegistered: pushAddress.map { HexadecimalText.encode(SecretDigest(of: $0).bytes) },
                showsPush: pushKey != nil || !pushed.isEmpty,
                isAdministrator: visitor.person.role.seesAdministration
            )
        ).runningScripts(pushKey != nil)
    }

    /// The public key for push messages, where the browser of a person may be registered for them; `nil` otherwise.
    private func pushKey(for visitor: SignedInVisitor) async throws -> String? {
        guard accounts.webPush?.callsBrowsers == true, visitor.session.limit == nil else { return nil }
        return try await core.keys.current().applicationServerKey.text
    }

    // MARK: Ways to sign in

    /// Sends the person to another provider, to connect their account there.
    private func connect(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        try await pages.requireRecent(visitor, at: core.clock.now())
        guard let id = form["provider"].flatMap({ IdentityProvider.ID(parsing: $0) }),
            let provider = try await core.store.read({ try $0.identityProviders.find(id) }), provider.isOnLoginPage
        else { throw PageError.notFound }
        return try await ProviderSignInPage(pages: pages, core: core, providers: providers).leave(
            for: provider, try await pages.visitor(of: request), .link(visitor.person.subject), target: "/account",
            from: context.address(of: request, by: core.addresses), logger: context.logger)
    }

    private func disconnect(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        try await pages.requireRecent(visitor, at: core.clock.now())
        guard let issuer = form["issuer"], let identity = form["identity"] else { throw PageError.formExpired }
        if let question = try await pages.question(
            before: try await disconnection(of: IdentityIssuer(issuer), identity, visitor), form, of: request,
            by: visitor)
        {
            return question
        }
        let outcome = try await providers.links.disconnect(
            IdentityIssuer(issuer), identity, from: visitor, at: context.address(of: request, by: core.addresses))
        let done: CompletedAct =
            switch outcome {
            case .done: .disconnected
            case .nothing: .nothing
            case .lastWay: .lastWay
            }
        return pages.redirect(to: done.address)
    }

    /// The question before it; `nil` for an identity that is not connected with the person.
    private func disconnection(
        of issuer: IdentityIssuer, _ identity: String, _ visitor: SignedInVisitor
    ) async throws -> DestructiveAct? {
        try await core.store.read { repositories in
            let own = try repositories.identities.all(of: visitor.person.subject)
            guard let identity = own.first(where: { $0.issuer == issuer && $0.subject == identity }) else { return nil }
            let provider = try repositories.identityProviders.all().first { $0.issuer == issuer }
            return .disconnection(of: identity, named: provider?.displayName ?? issuer.rawValue)
        }
    }

    // MARK: Ending

    /// Makes one change for the person who sent a form, to the record that a field of the form names.
    private func change(
        _ field: String, in request: Request,
        by body: @escaping @Sendable (any Repositories, String, SignedInVisitor, Date) throws -> CompletedAct
    ) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        guard let name = form[field] else { throw PageError.formExpired }
        let now = core.clock.now()
        let done = try await core.store.change(for: visitor, at: now) { try body($0, name, visitor, now) }
        return pages.redirect(to: done.address)
    }

    private func signOut(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await change("grant", in: request) { [mint = core.mint] repositories, grant, visitor, now in
            guard let record = try repositories.signIns.find(Grant.ID(grant)), record.revoked == nil,
                record.grant.subject == visitor.person.subject
            else { return .nothing }
            try Revocation(repositories).signOut(record, by: mint, at: now)
            return record.request.service == nil ? .signedOut : .serviceEnded
        }
    }

    /// Signs out a browser that an approval of the person signed in, or where they signed in themselves.
    private func signOutBrowser(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        let now = core.clock.now()
        let subject = visitor.person.subject
        let (grant, session) = (form["grant"].map { Grant.ID($0) }, form["session"].map { ApproverID($0) })
        guard grant != nil || session != nil else { throw PageError.formExpired }
        let isSignedOut = try await core.store.change(for: visitor, at: now) { repositories in
            let revocation = Revocation(repositories)
            return try grant.map { try revocation.signOutBrowser(approvedBy: $0, of: subject, at: now) } == true
                || session.map { try revocation.signOutBrowser($0, of: subject, at: now) } == true
        }
        let done: CompletedAct = isSignedOut ? .signedOut : .nothing
        return pages.redirect(to: done.address)
    }

    private func undo(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let address = context.address(of: request, by: core.addresses)
        return try await change("grant", in: request) { repositories, grant, visitor, now in
            let outcome = try Revocation(repositories).undo(
                Grant.ID(grant), by: visitor.person.subject, at: .page, from: address, at: now)
            return switch outcome {
            case .undone: .undone
            case .tooLate: .tooLate
            case .delivered: .delivered
            case .nothing: .nothing
            }
        }
    }

    /// Ends the consent of the person to an app, and the app's sign-ins.
    private func withdraw(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await change("client", in: request) { repositories, client, visitor, now in
            let revocation = Revocation(repositories)
            return try revocation.withdrawConsent(by: visitor.person.subject, from: ClientID(client), at: now)
                ? .withdrawn : .nothing
        }
    }

    /// Ends that the person is remembered on a screen.
    private func forget(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await change("screen", in: request) { [mint = core.mint] repositories, screen, visitor, now in
            let isEnded = try Revocation(repositories).forget(
                RememberedScreenID(screen), of: visitor.person.subject, by: mint, at: now)
            return isEnded ? .forgotten : .nothing
        }
    }

    /// Lets an app that the person muted ask them again.
    private func unmute(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await change("client", in: request) { repositories, client, visitor, now in
            let subject = visitor.person.subject
            return try Mutes(repositories).lift(of: ClientID(client), by: subject, as: .person, at: now)
                ? .unmuted : .nothing
        }
    }
}
