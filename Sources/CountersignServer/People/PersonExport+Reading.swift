package import FoundationEssentialsCompat

extension PersonExport {
    /// Reads everything about a person.
    ///
    /// - Throws: Errors of the store.
    package init(of person: Person, in repositories: any Repositories, at now: Date) throws {
        let reading = PersonReading(of: person, in: repositories)
        let subject = person.subject
        exported = now
        profile = ExportedProfile(person)
        attributes = Dictionary(uniqueKeysWithValues: person.profile.attributes.map { ($0.key.rawValue, $0.value) })
        groups = try Groups(repositories).names(of: subject).map(\.rawValue).sorted()
        phoneNumbers = try repositories.phoneNumbers.all(of: subject).map {
            ExportedPhoneNumber(number: $0.number.text, verified: $0.verified)
        }
        devices = try repositories.devices.all(of: subject).map { ExportedDevice($0) }
        let pushes = try repositories.browserPushes.all(of: subject)
        browserSessions = try repositories.browserSessions.all(of: subject).map { session in
            ExportedSession(session, push: pushes.first { $0.session == session.id })
        }
        signIns = try reading.signIns()
        consents = try repositories.consents.all(of: subject).map { consent in
            ExportedConsent(
                client: consent.client.rawValue, clientName: try reading.name(of: consent.client),
                scope: consent.scope.description, given: consent.given)
        }
        passkeys = try repositories.passkeys.all(of: subject).map {
            ExportedPasskey(
                name: $0.name, added: $0.created, lastUsed: $0.lastUsed, synchronized: $0.passkey.isBackedUp)
        }
        let codesLeft = try repositories.recoveryCodes.find(subject)?.count ?? 0
        oneTimePasswords = try repositories.oneTimePasswords.find(subject).map {
            ExportedOneTimePasswords(enrolled: $0.enrolled, recoveryCodesLeft: codesLeft)
        }
        identities = try repositories.identities.all(of: subject).map {
            ExportedIdentity(issuer: $0.issuer.rawValue, subject: $0.subject, label: $0.label, connected: $0.linked)
        }
        rememberedScreens = try repositories.rememberedScreens.all(of: subject).map { screen in
            ExportedScreen(
                client: screen.client.rawValue, clientName: try reading.name(of: screen.client),
                deviceName: screen.name, since: screen.since, lastUsed: screen.lastUsed)
        }
        mutes = try repositories.mutes.all(of: subject).map { mute in
            ExportedMute(
                client: mute.client.rawValue, clientName: try reading.name(of: mute.client),
                cause: mute.cause.rawValue, since: mute.since)
        }
        quietUntil = try repositories.devices.quiet(of: subject)
        audit = try reading.audit()
    }
}

/// Reads the longer lists about a person.
private struct PersonReading {
    let person: Person
    let repositories: any Repositories

    /// The number of audit entries that are read at once.
    private static let page = 500

    init(of person: Person, in repositories: any Repositories) {
        self.person = person
        self.repositories = repositories
    }

    /// The name of a client; `nil` when it is registered no more.
    func name(of client: ClientID) throws -> String? { try repositories.clients.find(client)?.name }

    func signIns() throws -> [PersonExport.ExportedSignIn] {
        var records: [PersonExport.ExportedSignIn] = []
        var page = try repositories.signIns.all(of: person.subject)
        while let last = page.last?.grant.id {
            for record in page {
                records.append(PersonExport.ExportedSignIn(record, clientName: try name(of: record.grant.client)))
            }
            page = try repositories.signIns.all(of: person.subject, after: last)
        }
        return records
    }

    /// The entries of the audit, the oldest first.
    func audit() throws -> [PersonExport.ExportedEntry] {
        var entries: [PersonExport.ExportedEntry] = []
        var before = Int.max
        while true {
            let page = try repositories.audit.entries(about: person.subject, before: before, limit: Self.page)
            entries += page.map { PersonExport.ExportedEntry($0) }
            guard page.count == Self.page, let last = page.last else { return entries.reversed() }
            before = last.number
        }
    }
}

extension PersonExport.ExportedProfile {
    fileprivate init(_ person: Person) {
        self.init(
            subject: person.subject.rawValue, username: person.username.rawValue, name: person.name,
            email: person.email, emailVerified: person.isEmailVerified, locale: person.profile.locale,
            zoneinfo: person.profile.zoneInfo, updatedAt: person.profile.updated, hasPassword: person.password != nil,
            passwordChanged: person.passwordChanged, hasBackchannelUserCode: person.backchannelUserCode != nil,
            standing: person.standing.rawValue, removal: person.removal, administrator: person.isAdministrator,
            role: person.role.rawValue, created: person.created)
    }
}

extension PersonExport.ExportedDevice {
    fileprivate init(_ device: EnrolledDevice) {
        let details = device.details
        self.init(
            id: device.id.rawValue, name: details.name, manufacturer: details.manufacturer, model: details.model,
            platform: details.platform, systemVersion: details.systemVersion, app: details.appID,
            appVersion: details.appVersion, language: details.languageCode, phoneNumber: device.phoneNumber?.text,
            getsPushMessages: device.isPushable, added: device.created, lastSeen: device.lastSeen)
    }
}

extension PersonExport.ExportedSession {
    fileprivate init(_ session: BrowserSession, push: BrowserPush?) {
        self.init(
            id: session.id.rawValue, browser: session.browser.name, address: session.browser.address,
            authenticated: session.authenticated, lastUsed: session.lastUsed, expires: session.expires,
            authentication: Evidence(session.proofs).audited, pushService: push?.subscription.origin.rawValue,
            pushSince: push?.added)
    }
}

extension PersonExport.ExportedSignIn {
    fileprivate init(_ record: SignInRecord, clientName: String?) {
        let (grant, request) = (record.grant, record.request)
        self.init(
            id: grant.id.rawValue, client: grant.client.rawValue, clientName: clientName,
            deviceName: request.deviceName?.value, domain: request.domain?.value.rawValue,
            address: request.address?.value, service: request.service?.value.purpose,
            scope: grant.scope.description, approved: grant.approved,
            signedIn: record.signedIn, lastUsed: record.lastUsed, ends: record.ends)
    }
}

extension PersonExport.ExportedEntry {
    fileprivate init(_ entry: AuditEntry) {
        let facts = entry.facts
        self.init(
            number: entry.number, at: facts.at, act: facts.act.rawValue, by: facts.by.rawValue,
            client: facts.client?.rawValue, request: facts.request?.rawValue, address: facts.address,
            detail: facts.detail)
    }
}
