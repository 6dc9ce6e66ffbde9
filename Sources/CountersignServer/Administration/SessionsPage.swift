internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `/admin/sessions`: administrators see the browsers that are signed in, sign them out, and read of sign-ins in the
/// audit.
struct SessionsPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore
    let audit: AuditPage

    private static let ending = "/admin/sessions/end"
    static let returns = ReturnPage(paths: [AdminNoun.sessions.path, ending], root: AdminNoun.sessions.path)
    /// The value of `done` in the address of the list after a browser was signed out.
    private static let ended = "ended"

    /// A live session, and its person.
    private struct LiveBrowser: Sendable {
        let session: BrowserSession
        let person: Person?
    }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("admin/sessions", [.get: list], on: router)
        pages.mount("admin/sessions/end", [.get: ask, .post: end], on: router)
    }

    // MARK: Showing

    private func list(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .read(.sessions))
        let notice: LocalizedText? = request.query["done"] == Self.ended ? .admin(.doneSessionEnded) : nil
        return try await page(request, for: visitor, notice: notice)
    }

    private func page(
        _ request: Request, for visitor: SignedInVisitor, notice: LocalizedText? = nil, problem: LocalizedText? = nil
    ) async throws -> Response {
        var view = try await audit.view(of: .sessions, request, for: visitor)
        // Further pages of one list are without the other.
        if request.query["before"] == nil {
            let browsers = try await section(request, for: visitor)
            if request.query["after"] == nil {
                view.sections.insert(browsers, at: 0)
            } else {
                view.sections = [browsers]
            }
        }
        view.notice = notice
        view.problem = problem ?? view.problem
        return try pages.html(view, status: problem == nil ? .ok : .unprocessableContent)
    }

    private func section(_ request: Request, for visitor: SignedInVisitor) async throws -> AdminSection {
        let now = core.clock.now()
        let typed = AuditPage.typedPerson(request)
        let last = Self.position(in: request.query)
        let found = try await ListPage { limit in
            try await core.store.read { repositories in
                let person = try typed.isEmpty ? nil : AuditFilter.subject(typed, in: repositories)
                guard typed.isEmpty || person != nil else { return [LiveBrowser]() }
                let sessions = Sessions(repositories)
                return try sessions.page(of: person, after: last, limit: limit, at: now).map {
                    LiveBrowser(session: $0, person: try repositories.people.find($0.subject))
                }
            }
        }
        var section = AdminSection(
            "live", .admin(.liveSessions), found.records.map { entry($0, for: visitor, at: now) })
        section.more = found.last.map { last in
            AdminAddress.of(
                AdminNoun.sessions.path,
                [
                    "person": typed, "after": AdminAddress.text(of: last.session.expires),
                    "session": last.session.id.rawValue,
                ])
        }
        return section
    }

    private func entry(_ browser: LiveBrowser, for visitor: SignedInVisitor, at now: Date) -> AdminEntry {
        let (session, person) = (browser.session, browser.person)
        var entry = AdminEntry(
            .verbatim(person?.name ?? session.subject.rawValue), at: PeoplePage.address(of: session.subject),
            [
                AdminFact(.username, person?.username.rawValue), AdminFact(.browser, session.browser.shownName),
            ] + session.facts(at: now))
        if let person, Self.isOffered(on: person, to: visitor.person) {
            entry.entryLinks = [
                PageLink(
                    .admin(.endSession),
                    to: AdminAddress.of(
                        Self.ending, ["subject": session.subject.rawValue, "session": session.id.rawValue]))
            ]
        }
        return entry
    }

    private static func isOffered(on person: Person, to administrator: Person) -> Bool {
        administrator.role.permits(.change(.sessions))
            && PersonAct.offered(on: person, to: administrator).contains(.signOut)
    }

    /// The position after which a page begins; `nil` for the first page.
    private static func position(in query: Form) -> BrowserSession.Position? {
        guard let expires = AdminAddress.instant(query["after"]), let id = query["session"] else { return nil }
        return BrowserSession.Position(expires: expires, id: ApproverID(id))
    }

    /// The live session that a query names; `nil` for none.
    private static func session(
        in query: Form, _ repositories: any Repositories, at now: Date
    ) throws -> BrowserSession? {
        guard let subject = query["subject"], let id = query["session"] else { return nil }
        return try Sessions(repositories).find(ApproverID(id), of: Subject(subject), at: now)
    }

    private func ask(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .change(.sessions))
        let now = core.clock.now()
        let (session, person) = try await core.store.read { repositories in
            let session = try Self.session(in: request.query, repositories, at: now)
            return (session, try session.flatMap { try repositories.people.find($0.subject) })
        }
        guard let session, let person else { throw PageError.notFound }
        guard Self.isOffered(on: person, to: visitor.person) else { throw PageError.administratorsOnly }
        let form: Form = ["subject": session.subject.rawValue, "session": session.id.rawValue]
        return try pages.question(before: .end(of: session, of: person), form, sentTo: Self.ending, by: visitor)
    }

    // MARK: Signing out

    private func end(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.sessions))
        guard let subject = form["subject"], let session = form["session"] else { throw PageError.formExpired }
        let people = PersonRegistry(
            of: core.store, for: .person(visitor.session), mint: core.mint, clock: core.clock)
        do {
            guard try await people.end(ApproverID(session), of: Subject(subject)) != nil else {
                throw PageError.notFound
            }
        } catch let refused as PersonRegistry.ActError {
            return try await page(request, for: visitor, problem: refused.shown)
        }
        return pages.redirect(to: AdminAddress.list(of: .sessions, after: Self.ended))
    }
}
