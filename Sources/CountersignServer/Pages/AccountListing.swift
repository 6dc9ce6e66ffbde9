internal import Countersign
internal import FoundationEssentialsCompat

/// Reads the lists of the account page of one person.
struct AccountListing {
    private let person: Person
    private let repositories: any Repositories
    private let now: Date
    /// The devices that answer requests for the person.
    private let devices: [EnrolledDevice]
    /// The sign-ins of the person, the latest first, except those of the apps on these devices, and services.
    private let signIns: [SignInRecord]
    /// The services that act for the person, the latest first.
    private let serviceSignIns: [SignInRecord]
    /// The sign-ins of the apps on these devices.
    private let appSignIns: [Grant.ID: SignInRecord]
    /// The browser sessions of the person, the one that ends last first.
    private let sessions: [BrowserSession]
    /// The registrations of the person's browsers for push messages, the oldest first.
    private let pushes: [BrowserPush]

    init(of person: Person, in repositories: any Repositories, at now: Date) throws {
        self.person = person
        self.repositories = repositories
        self.now = now
        let devices = try repositories.devices.all(of: person.subject)
        let apps = Set(devices.compactMap(\.signIn))
        self.devices = devices
        sessions = try repositories.browserSessions.all(of: person.subject)
        pushes = try BrowserPushes(repositories).live(of: person.subject, at: now)
        let all = try repositories.signIns.all(of: person.subject)
        let others = all.filter { !apps.contains($0.grant.id) }
        signIns = others.filter { $0.request.service == nil }
        serviceSignIns = others.filter { $0.request.service != nil && $0.isLive(at: now) }
        appSignIns = all.reduce(into: [:]) { if apps.contains($1.grant.id) { $0[$1.grant.id] = $1 } }
    }

    /// The signed-in screens, the latest first. All sign-ins of a device are one entry, since they end together.
    func screens() throws -> [SignedInDeviceView] {
        var groups: [[SignInRecord]] = []
        var places: [ClientID: Int] = [:]
        for record in signIns {
            if record.request.domain != nil, let place = places[record.grant.client] {
                groups[place].append(record)
                continue
            }
            if record.request.domain != nil { places[record.grant.client] = groups.count }
            groups.append([record])
        }
        let screens = try groups.map { group in
            let newest = group[0]
            let name = try name(of: newest.grant.client)
            var screen = SignedInDeviceView.signedIn(
                grant: newest.grant.id.rawValue, client: name.shown, deviceName: newest.request.deviceName?.value,
                signIns: try group.map(signIn))
            screen.isSelfNamed = name.isOwn
            return screen
        }
        return try zip(screens, groups).map { screen, group in
            guard screens.count(where: { $0.looksLike(screen) }) > 1 else { return screen }
            return try distinguished(screen, client: group[0].grant.client)
        }
    }

    /// The services that act for the person, the latest first.
    func services() throws -> [GuestServiceView] {
        try serviceSignIns.compactMap { record in
            guard let service = record.request.service?.value else { return nil }
            let name = try name(of: record.grant.client)
            return GuestServiceView(
                grant: record.grant.id.rawValue,
                servicePurpose: FactLine.claim(service.purpose),
                client: name.shown,
                isSelfNamed: name.isOwn,
                deviceName: record.request.deviceName.map { FactLine.claim($0.value) },
                serviceEnds: TimeDisplay(record.grant.ends ?? service.ends, at: now),
                since: TimeDisplay(record.signedIn, at: now),
                lastUsed: record.lastUsed > record.signedIn ? TimeDisplay(record.lastUsed, at: now) : nil,
                address: record.request.address?.value,
                historyID: record.request.id.rawValue
            )
        }
    }

    /// The same with details that distinguish a device from others of the same name: the number and the day of its
    /// registration, and its software.
    private func distinguished(_ screen: SignedInDeviceView, client: ClientID) throws -> SignedInDeviceView {
        guard let client = try repositories.clients.find(client), case .device(let software, _) = client.registration
        else { return screen }
        var screen = screen
        screen.number = client.id.rawValue
        screen.known = TimeDisplay(client.created, at: now)
        screen.software = DeviceAuthorizationRequest.presentable("\(software.id) \(software.version)").map(
            FactLine.claim)
        return screen
    }

    /// The maximum age of a new device, in seconds: a day.
    private static let newness: TimeInterval = 86_400
    /// The maximum number of notices about new devices.
    private static let pointedOut = 10

    /// Whether something happened so recently that the page points it out.
    static func isNew(_ instant: Date?, at now: Date) -> Bool {
        instant.map { now.timeIntervalSince($0) < newness } ?? false
    }

    /// The new records, the latest first.
    private func new<Record>(_ records: [Record], since instant: (Record) -> Date) -> [Record] {
        let new = records.filter { Self.isNew(instant($0), at: now) }
        return Array(new.sorted { instant($0) > instant($1) }.prefix(Self.pointedOut))
    }

    /// The devices that answer requests for the person, and the new ones.
    func enrolledDevices() -> (views: [EnrolledDeviceView], new: [NewDeviceView]) {
        let views = devices.map { device in
            let details = device.details
            let system = [
                details.name == nil ? nil : details.model, details.appID, details.platform, details.systemVersion,
            ].compactMap(\.self).joined(separator: " ")
            let request = device.signIn.flatMap { appSignIns[$0]?.request }
            return EnrolledDeviceView(
                deviceID: device.id.rawValue,
                deviceModel: Self.name(of: device),
                deviceGivenName: details.name ?? "",
                deviceSystem: system.isEmpty ? nil : FactLine.claim(system),
                deviceAdded: TimeDisplay(device.created, at: now),
                deviceSeen: TimeDisplay(device.lastSeen, at: now),
                deviceAddress: request?.address?.value,
                deviceHistoryID: request?.id.rawValue
            )
        }
        let added = new(devices) { $0.created }.map { device in
            NewDeviceView(newDeviceModel: Self.name(of: device), newDeviceAdded: TimeDisplay(device.created, at: now))
        }
        return (views, added)
    }

    /// The new sign-ins of screens, apps and services, except those of enrolled devices.
    func newSignIns() throws -> [NewSignInView] {
        try new(signIns + serviceSignIns) { $0.signedIn }.map { record in
            let name = try name(of: record.grant.client)
            return NewSignInView(
                newSignInName: name.shown,
                isNewNameOwn: name.isOwn,
                newSignInAdded: TimeDisplay(record.signedIn, at: now)
            )
        }
    }

    /// The name of a device, as pages show it.
    static func name(of device: EnrolledDevice) -> LocalizedText {
        device.shownName.map { .verbatim(FactLine.claim($0)) }
            ?? .text(.accountAnAuthenticator)
    }

    /// The unredeemed approvals.
    func waiting() throws -> [SignedInDeviceView] {
        try repositories.exchanges.approved(by: person.subject, at: now, after: nil).compactMap { stored in
            let request = stored.exchange.request
            guard let grant = stored.exchange.grant, stored.method.browser == nil else { return nil }
            let name = try name(of: grant.client)
            var signIn = AccountSignIn.waiting(
                grant.id.rawValue, forService: try service(of: request), from: request.address?.value,
                approved: grant.approved, undo: stored.undoWindow(of: grant, at: now), at: now)
            signIn.historyID = request.id.rawValue
            signIn.signInEnds = grant.ends.map { TimeDisplay($0, at: now) }
            var screen = SignedInDeviceView.waiting(
                grant: grant.id.rawValue,
                client: name.shown,
                deviceName: request.deviceName?.value,
                signIn: signIn
            )
            screen.isSelfNamed = name.isOwn
            return screen
        }
    }

    /// The browsers that the person signed in by an approval on another device, and approvals that a browser has not
    /// used yet.
    ///
    /// - Parameter here: The session of the browser that shows the page.
    func openedBrowsers(seenIn here: ApproverID) throws -> [OpenedBrowserView] {
        let approved = try repositories.exchanges.approved(by: person.subject, at: now, after: nil)
        let waiting = try approved.compactMap { stored -> OpenedBrowserView? in
            guard stored.method.browser != nil, let grant = stored.exchange.grant else { return nil }
            let opening = SessionOpening(grant, of: stored.exchange.request, answered: stored.terms.answer)
            return OpenedBrowserView(opening, by: try opening.answer?.place.name(in: repositories), at: now)
        }
        let sessions = try repositories.browserSessions.opened(for: person.subject)
        return waiting
            + (try sessions.compactMap { session in
                guard now < session.expires, let opening = session.opening else { return nil }
                return OpenedBrowserView(
                    opening, by: try opening.answer?.place.name(in: repositories), in: session,
                    isHere: session.id == here, at: now)
            })
    }

    /// The other browsers where the person signed in themselves, the one that stays longest first.
    ///
    /// - Parameter here: The session of the browser that shows the page.
    func otherBrowsers(than here: ApproverID) -> [OtherBrowserView] {
        sessions
            .filter { now < $0.expires && $0.opening == nil && $0.id != here }
            .map { OtherBrowserView($0, at: now) }
    }

    /// The browsers that show requests to the person, the oldest registration first.
    ///
    /// - Parameter here: The session of the browser that shows the page.
    func pushBrowsers(seenIn here: ApproverID) -> [BrowserPushView] {
        pushes.map { push in
            BrowserPushView(
                pushSession: push.session.rawValue,
                pushBrowser: sessions.first { $0.id == push.session }?.browser.shownName ?? .text(.accountABrowser),
                pushAdded: TimeDisplay(push.added, at: now),
                isPushHere: push.session == here)
        }
    }

    /// The address at the push service of the browser that shows the page; `nil` for none.
    func pushAddress(of here: ApproverID) -> String? {
        pushes.first { $0.session == here }?.subscription.endpoint
    }

    /// The requests that were decided, or whose approval ended, within the last day, the latest first.
    func recentRequests() throws -> [RequestHistory] {
        try RecentRequests(repositories).decided(
            by: person.subject, since: now.addingTimeInterval(-Self.newness), limit: Self.pointedOut, at: now)
    }

    /// The apps that may sign the person in without asking again.
    func allowedApps() throws -> [AllowedAppView] {
        let claims = try repositories.claimMappings.all()
        return try repositories.consents.all(of: person.subject).compactMap { consent in
            try repositories.clients.find(consent.client).map {
                AllowedAppView(consent, of: $0, giving: claims, at: now)
            }
        }
    }

    /// The muted apps, the latest first.
    func mutedApps() throws -> [MutedAppView] {
        try repositories.mutes.all(of: person.subject).compactMap { mute in
            try repositories.clients.find(mute.client).map { MutedAppView(mute, of: $0, at: now) }
        }
    }

    /// The screens that remember the person, the last used first.
    func rememberedScreens() throws -> [RememberedScreenView] {
        try repositories.rememberedScreens.all(of: person.subject).map { screen in
            let name = try name(of: screen.client)
            return RememberedScreenView(
                screenID: screen.id.rawValue,
                client: name.shown,
                isSelfNamed: name.isOwn,
                deviceName: screen.name.map(FactLine.claim),
                since: TimeDisplay(screen.since, at: now),
                lastUsed: TimeDisplay(screen.lastUsed, at: now)
            )
        }
    }

    private func signIn(_ record: SignInRecord) throws -> AccountSignIn {
        var signIn = AccountSignIn.pickedUp(
            record.grant.id.rawValue,
            forService: try service(of: record.request),
            from: record.request.address?.value,
            since: record.signedIn,
            lastUsed: record.lastUsed > record.signedIn ? record.lastUsed : nil,
            undo: try UndoWindow(of: record, in: repositories, at: now),
            at: now
        )
        signIn.historyID = record.request.id.rawValue
        signIn.signInEnds = record.grant.ends.map { TimeDisplay($0, at: now) }
        return signIn
    }

    /// A person's ways to sign in besides the password, and the available ones.
    struct Ways: Sendable {
        /// The accounts at other providers that sign the person in.
        let identities: [ConnectedIdentityView]
        /// The providers that can be connected.
        let providers: [OfferedProviderView]
        let passkeys: [PasskeyView]
        /// The one-time passwords, where they are set up.
        let oneTimePasswords: OneTimePasswordView?
    }

    /// The person's ways to sign in besides the password, and the available ones.
    func ways() throws -> Ways {
        let providers = try repositories.identityProviders.all()
        let identities = try repositories.identities.all(of: person.subject).map { identity in
            ConnectedIdentityView(
                identityName: providers.first { $0.issuer == identity.issuer }?.displayName ?? identity.issuer.rawValue,
                identityLabel: identity.label,
                issuer: identity.issuer.rawValue,
                identitySubject: identity.subject,
                connected: TimeDisplay(identity.linked, at: now)
            )
        }
        return Ways(
            identities: identities,
            providers: providers.filter(\.isOnLoginPage).map { OfferedProviderView($0) },
            passkeys: try repositories.passkeys.all(of: person.subject).map(view),
            oneTimePasswords: try oneTimePasswords()
        )
    }

    private func view(of record: PasskeyRecord) -> PasskeyView {
        PasskeyView(
            credential: record.passkey.id.rawValue,
            passkeyName: record.name,
            added: TimeDisplay(record.created, at: now),
            used: record.lastUsed.map { TimeDisplay($0, at: now) },
            isSynchronized: record.passkey.isBackedUp
        )
    }

    private func oneTimePasswords() throws -> OneTimePasswordView? {
        guard let record = try repositories.oneTimePasswords.find(person.subject) else { return nil }
        let left = try repositories.recoveryCodes.find(person.subject)?.count ?? 0
        return OneTimePasswordView(
            enrolled: TimeDisplay(record.enrolled, at: now), codesLeft: .counted(left, .recoveryCodes))
    }

    /// Whether the person has a user code for requests over the back channel, or an app of the operator sends such codes.
    func offersBackchannelUserCode() throws -> Bool {
        if person.backchannelUserCode != nil { return true }
        return try repositories.clients.all().contains { $0.backchannel.sendsUserCodes }
    }

    /// The name of a client, and whether the client chose it.
    private func name(of client: ClientID) throws -> (shown: String, isOwn: Bool) {
        guard let found = try repositories.clients.find(client) else { return (client.rawValue, false) }
        return (found.shownName, found.namedItself)
    }

    private func service(of request: SignInRequest) throws -> String? {
        guard let domain = request.domain?.value else { return nil }
        return try repositories.domains.find(domain)?.shownName ?? domain.rawValue
    }
}
