package import FoundationEssentialsCompat

/// The screens on which people are remembered: finds, notes and ends them.
package struct RememberedScreens {
    private let repositories: any Repositories

    package init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// The screen that an ID token names; `nil` for one of another person or client, and for one that was ended.
    func find(_ id: RememberedScreenID, of subject: Subject, at client: ClientID) throws -> RememberedScreen? {
        guard let screen = try repositories.rememberedScreens.find(id), screen.subject == subject,
            screen.client == client
        else { return nil }
        return screen
    }

    /// The screen of a request; `nil` where the person is not remembered on it, and for a service, which is no screen.
    func find(of stored: SignInExchangeRecord, for subject: Subject) throws -> RememberedScreen? {
        guard stored.exchange.request.service == nil else { return nil }
        return try stored.terms.screen.flatMap { try find($0, of: subject, at: stored.exchange.request.client.value) }
    }

    /// Notes the sign-in of a screen by a grant. A screen that its person chose is added; one where they were remembered
    /// before is noted as used, unless they ended that since.
    func note(_ grant: Grant, of stored: SignInExchangeRecord, at now: Date) throws {
        guard let id = grant.screen else { return }
        let name = stored.exchange.request.deviceName?.value
        if var screen = try find(id, of: grant.subject, at: grant.client) {
            screen.lastUsed = now
            screen.name = name ?? screen.name
            return try repositories.rememberedScreens.keep(screen)
        }
        guard id != stored.terms.screen else { return }
        let screen = RememberedScreen(
            id: id, subject: grant.subject, client: grant.client, name: name, since: now, lastUsed: now)
        try repositories.rememberedScreens.keep(screen)
        try audit(.screenRemembered, screen, by: .person, request: stored.id, at: now)
        let all = try repositories.rememberedScreens.all(of: grant.subject, at: grant.client)
        for unused in all.dropFirst(RememberedScreen.most) { try end(unused, by: .server, at: now) }
    }

    /// Ends that a person is remembered on a screen; returns whether they were.
    func end(_ id: RememberedScreenID, of subject: Subject, at now: Date) throws -> Bool {
        guard let screen = try repositories.rememberedScreens.find(id), screen.subject == subject else { return false }
        try end(screen, by: .person, at: now)
        return true
    }

    /// Ends that a person is remembered on a screen because of a sign-in that is undone.
    func undo(_ signIn: SignInRecord, at now: Date) throws {
        let grant = signIn.grant
        guard let id = grant.screen, let screen = try find(id, of: grant.subject, at: grant.client),
            screen.since == signIn.signedIn
        else { return }
        try end(screen, by: .person, at: now)
    }

    /// Ends that a person is remembered anywhere.
    ///
    /// - Parameters:
    ///   - subject: The person.
    ///   - actor: The party that the audit names; an operator by default.
    ///   - now: The current time.
    package func endAll(of subject: Subject, as actor: AuditActor = .operator, at now: Date) throws {
        var page = try repositories.rememberedScreens.all(of: subject)
        while !page.isEmpty {
            for screen in page { try end(screen, by: actor, at: now) }
            page = try repositories.rememberedScreens.all(of: subject)
        }
    }

    private func end(_ screen: RememberedScreen, by actor: AuditActor, at now: Date) throws {
        try repositories.rememberedScreens.remove(screen.id)
        try audit(.screenForgotten, screen, by: actor, at: now)
    }

    private func audit(
        _ act: AuditAct,
        _ screen: RememberedScreen,
        by actor: AuditActor,
        request: SignInRequest.ID? = nil,
        at now: Date
    ) throws {
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now, act, by: actor, subject: screen.subject, client: screen.client, request: request,
                detail: screen.name))
    }
}
