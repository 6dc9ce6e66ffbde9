internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `/admin/people`: administrators find people, invite them, and help them.
struct PeoplePage: Sendable {
    let pages: PageRoutes
    let core: ServerCore

    static let returns = ReturnPage(
        paths: Set([AdminNoun.people.path, onePath, withdrawal] + PersonAct.allCases.map(\.path)),
        root: AdminNoun.people.path,
        behind: { form in
            form["subject"].map { PeoplePage.address(of: Subject($0)) }
        }
    )
    private static let onePath = "/admin/people/person"
    /// The value of `done` in the address of the list after an invitation was sent.
    private static let sent = "sent"
    /// The path of the form that withdraws an invitation.
    static let withdrawal = "/admin/people/withdraw"
    /// The field with an invitation, named by the person who will be created.
    static let invitation = "invitation"
    /// The member of the query with the creation of the invitation after which a page begins.
    static let made = "made"
    /// The value of `done` in the address of the list after an invitation was withdrawn.
    private static let withdrawn = "withdrawn"

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("admin/people", [.get: list], on: router)
        pages.mount("admin/people/person", [.get: showOne], on: router)
        pages.mount("admin/people/invite", [.post: invite], on: router)
        pages.mount("admin/people/withdraw", [.get: askToWithdraw, .post: withdraw], on: router)
        for act in PersonAct.allCases {
            var methods: [HTTPRequest.Method: Answering] = [.post: { request, _ in try await submit(act, request) }]
            if act.words != nil { methods[.get] = { request, _ in try await ask(act, request) } }
            pages.mount("admin/people/\(act.rawValue)", methods, on: router)
        }
    }

    /// The address of the page about one person.
    static func address(of subject: Subject, after act: PersonAct? = nil) -> String {
        AdminAddress.of(onePath, ["subject": subject.rawValue, "done": act?.rawValue])
    }

    // MARK: Showing

    private func list(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .read(.people))
        return try await list(request, for: visitor)
    }

    private func list(
        _ request: Request, for visitor: SignedInVisitor, problem: LocalizedText? = nil, inviting typed: String = ""
    ) async throws -> Response {
        let query = request.query
        let text = String(TypedText.trimmed(query["q"] ?? "").prefix(EmailAddress.longest))
        let results = try await people(for: visitor).search(
            text, by: query["by"].flatMap { PersonSearchField(rawValue: $0) },
            after: query["after"].map { Subject($0) }, limit: AdminView.pageLength)
        let lastInvitation = query[Self.invitation].flatMap { subject in
            AdminAddress.instant(query[Self.made]).map { ActionLink.Position(created: $0, subject: Subject(subject)) }
        }
        let invitations = try await ListPage {
            try await people(for: visitor).invitations(after: lastInvitation, limit: $0)
        }
        var view = PeopleView.list(results, of: text, for: visitor, sendsMail: core.sendsMail, inviting: typed)
        if text.isEmpty, let waiting = PeopleView.waiting(invitations, for: visitor, at: core.clock.now()) {
            view.sections.append(waiting)
        }
        switch query["done"] {
        case Self.withdrawn: view.notice = .admin(.doneWithdrawn)
        case Self.sent: view.notice = .admin(.doneLinkSent)
        case PersonAct.remove.rawValue: view.notice = PersonAct.remove.notice
        default: break
        }
        view.problem = problem
        return try pages.html(view, status: problem == nil ? .ok : .unprocessableContent)
    }

    private func showOne(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .read(.people))
        let subject = try Self.subject(request)
        let done = request.query["done"].flatMap { PersonAct(rawValue: $0) }
        return try await page(of: subject, for: visitor, notice: done?.notice)
    }

    private func page(
        of subject: Subject, for visitor: SignedInVisitor, notice: LocalizedText? = nil, problem: LocalizedText? = nil,
        typed: (draft: PersonDraft, version: String?)? = nil
    ) async throws -> Response {
        let now = core.clock.now()
        let facts = try await core.store.read { repositories in
            try repositories.people.find(subject).map { try PersonFacts(of: $0, in: repositories) }
        }
        guard let facts else { throw PageError.notFound }
        var view = PeopleView.one(facts, for: visitor, sendsMail: core.sendsMail, typed: typed, at: now)
        (view.notice, view.problem) = (notice, problem)
        return try pages.html(view, status: problem == nil ? .ok : .unprocessableContent)
    }

    private func ask(_ act: PersonAct, _ request: Request) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: act.right)
        let subject = try Self.subject(request)
        let named = request.query["device"].map { DeviceRegistration.ID($0) }
        let (found, device) = try await core.store.read { repositories in
            (
                try repositories.people.find(subject),
                try named.flatMap { try repositories.devices.find($0) }.flatMap { $0.subject == subject ? $0 : nil }
            )
        }
        guard let person = found, act != .revokeDevice || device != nil, let question = act.question(on: person, device)
        else { throw PageError.notFound }
        guard PersonAct.offered(on: person, to: visitor.person).contains(act) else {
            throw PageError.administratorsOnly
        }
        let form: Form = ["subject": person.subject.rawValue, "device": device?.id.rawValue]
        return try pages.question(before: question, form, sentTo: act.path, by: visitor)
    }

    private static func subject(_ request: Request) throws -> Subject {
        guard let subject = request.query["subject"] else { throw PageError.notFound }
        return Subject(subject)
    }

    // MARK: Acts

    private func submit(_ act: PersonAct, _ request: Request) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: act.right)
        guard let named = form["subject"] else { throw PageError.formExpired }
        let subject = Subject(named)
        do {
            if act == .resetPassword { return try await resetPassword(of: subject, form, for: visitor) }
            guard try await perform(act, on: subject, form, for: visitor) != nil else { throw PageError.notFound }
            return pages.redirect(
                to: act == .remove
                    ? AdminAddress.list(of: .people, after: act.rawValue) : Self.address(of: subject, after: act))
        } catch let refused as PersonRegistry.ActError {
            return try await page(of: subject, for: visitor, problem: refused.shown)
        } catch let refused as PersonDraftError {
            return try await page(
                of: subject, for: visitor, problem: refused.shown,
                typed: (PersonDraft(form), form[RecordVersion.field]))
        } catch is People.AddressTakenError {
            return try await page(
                of: subject, for: visitor, problem: .admin(.problemAddressTaken),
                typed: (PersonDraft(form), form[RecordVersion.field]))
        } catch is RecordVersion.OutdatedError where act == .change {
            return try await page(
                of: subject, for: visitor, problem: RecordVersion.OutdatedError.shown, typed: (PersonDraft(form), nil))
        } catch is RecordVersion.OutdatedError {
            return try await page(of: subject, for: visitor, problem: .admin(.problemOutdatedRole))
        }
    }

    private func perform(
        _ act: PersonAct, on subject: Subject, _ form: Form, for visitor: SignedInVisitor
    ) async throws -> Person? {
        let people = people(for: visitor)
        switch act {
        case .lock: return try await people.lock(subject)
        case .unlock: return try await people.unlock(subject, keepingDevices: false)
        case .signOut: return try await people.signOutEverywhere(subject)
        case .removeFactors:
            return try await people.removeFactors(of: subject, telling: core.notices)
        case .revokeDevice:
            guard let device = form["device"] else { throw PageError.formExpired }
            return try await people.revoke(DeviceRegistration.ID(device), of: subject)
        case .assignRole:
            guard let role = form["role"].flatMap({ PersonRole(rawValue: $0) }) else { throw PageError.formExpired }
            return try await people.assign(role, to: subject) { try RecordVersion($0).require(in: form) }
        case .liftMute:
            guard let client = form["client"] else { throw PageError.formExpired }
            return try await people.liftMute(of: ClientID(client), by: subject)
        case .change:
            let draft = PersonDraft(form)
            return try await people.change(subject, telling: core.notices) { person in
                let earlier = RecordVersion(person)
                try draft.changing(person).apply(to: &person)
                try earlier.require(in: form, before: RecordVersion(person))
            }
        case .remove: return try await people.remove(subject)
        case .resetPassword: return nil
        }
    }

    private func resetPassword(
        of subject: Subject, _ form: Form, for visitor: SignedInVisitor
    ) async throws -> Response {
        let mail = try await mail(chosenIn: form)
        let made = try await people(for: visitor).makeResetLink(
            for: subject, lasting: ActionLinks.resetLifetime, mailedBy: mail)
        guard let made else { throw PageError.notFound }
        let back = Self.address(of: subject, after: .resetPassword)
        guard mail == nil else { return pages.redirect(to: back) }
        return try show(made, for: visitor, back: Self.address(of: subject))
    }

    private func invite(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.people))
        let typed = String((form["email"] ?? "").prefix(EmailAddress.longest + 1))
        let address = EmailAddress(parsing: typed)
        let mail = try await mail(chosenIn: form)
        guard address != nil || (typed.isEmpty && mail == nil) else {
            return try await list(request, for: visitor, problem: .admin(.problemBadAddress), inviting: typed)
        }
        do {
            let made = try await people(for: visitor).invite(
                address, lasting: ActionLinks.invitationLifetime, mailedBy: mail)
            guard mail == nil else {
                return pages.redirect(to: AdminAddress.list(of: .people, after: Self.sent))
            }
            return try show(made, for: visitor, back: AdminNoun.people.path)
        } catch is People.AddressTakenError {
            return try await list(request, for: visitor, problem: .admin(.problemAddressTaken), inviting: typed)
        }
    }

    private func askToWithdraw(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .change(.people))
        guard let named = request.query[Self.invitation],
            let found = try await people(for: visitor).invitation(of: Subject(named))
        else { throw PageError.notFound }
        return try pages.question(
            before: .withdrawal(of: found), [Self.invitation: named], sentTo: Self.withdrawal, by: visitor)
    }

    private func withdraw(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.people))
        guard let named = form[Self.invitation] else { throw PageError.formExpired }
        guard try await people(for: visitor).withdrawInvitation(of: Subject(named)) else { throw PageError.notFound }
        return pages.redirect(to: AdminAddress.list(of: .people, after: Self.withdrawn))
    }

    /// The mail that sends a link, if the form asks for one.
    private func mail(chosenIn form: Form) async throws -> ActionLinkMail? {
        guard core.sendsMail, form["delivery"] == "mail" else { return nil }
        return ActionLinkMail(
            from: core.issuer, by: core.mint, sealedBy: try await core.keys.current(), isCounted: false)
    }

    /// The link is shown in this answer only; it is in no address, and cannot be shown again.
    private func show(
        _ made: PersonRegistry.NewLink, for visitor: SignedInVisitor, back: String
    ) throws -> Response {
        var view = AdminView(.people, .admin(.linkTitle), for: visitor)
        var section = AdminSection(
            "link", .admin(.link),
            facts: [
                AdminFact(.link, made.secret.address(at: core.issuer), isCode: true),
                AdminFact(.until, made.expires, at: core.clock.now()),
            ])
        section.sectionHint = .admin(.linkHint)
        view.sections = [section]
        view.back = PageLink(.admin(.backTo, ["list": AdminNoun.people.title]), to: back)
        return try pages.html(view)
    }

    private func people(for visitor: SignedInVisitor) -> PersonRegistry {
        PersonRegistry(of: core.store, for: .person(visitor.session), mint: core.mint, clock: core.clock)
    }
}
