internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `/admin/clients`: administrators add the apps of this server, change them, renew their secrets and remove them.
struct ClientsPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore

    private static let onePath = "/admin/clients/client"
    static let returns = ReturnPage(
        paths: Set(
            [AdminNoun.clients.path, onePath] + ["add", "change", "secret", "remove"].map { "/admin/clients/\($0)" }),
        root: AdminNoun.clients.path)
    /// The time that an earlier secret is accepted for, in seconds: a day.
    private static let keepingOldFor: TimeInterval = 86_400

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("admin/clients", [.get: list], on: router)
        pages.mount("admin/clients/client", [.get: showOne], on: router)
        pages.mount("admin/clients/add", [.get: showNew, .post: add], on: router)
        pages.mount("admin/clients/change", [.get: showChange, .post: change], on: router)
        pages.mount("admin/clients/secret", [.get: askToRenew, .post: renew], on: router)
        pages.mount("admin/clients/remove", [.get: askToRemove, .post: remove], on: router)
    }

    /// The act that was just done, as named in the query of an address.
    enum CompletedAct: String, Sendable {
        case added, changed, removed

        fileprivate var notice: LocalizedText {
            switch self {
            case .added: .admin(.doneClientAdded)
            case .changed: .admin(.doneClientChanged)
            case .removed: .admin(.doneClientRemoved)
            }
        }
    }

    /// The address of the page about one client.
    static func address(of id: ClientID, after act: CompletedAct? = nil) -> String {
        AdminAddress.of(onePath, ["client": id.rawValue, "done": act?.rawValue])
    }

    // MARK: Showing

    private func list(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .read(.clients))
        let last = request.query["after"].map { ClientID($0) }
        let clients = try await ListPage { try await self.clients(for: visitor).page(after: last, limit: $0) }
        var section = AdminSection(
            "all", .admin(.all),
            clients.records.map { client in
                AdminEntry(
                    .verbatim(client.shownName), at: Self.address(of: client.id), code: client.id.rawValue,
                    [AdminFact(.kind, client.kind.name, isCode: true)])
            })
        section.more = clients.last.map { AdminAddress.of(AdminNoun.clients.path, ["after": $0.id.rawValue]) }
        var view = AdminView(.clients, for: visitor)
        view.notice = notice(in: request)
        if visitor.person.role.permits(.change(.clients)) {
            section.sectionLinks = [PageLink(.admin(.addClient), to: "/admin/clients/add")]
        }
        view.sections = [section]
        return try pages.html(view)
    }

    private func showOne(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .read(.clients))
        return try await page(of: try await client(named: request), for: visitor, notice: notice(in: request))
    }

    private func page(
        of client: Client, for visitor: SignedInVisitor, notice: LocalizedText? = nil, problem: LocalizedText? = nil
    ) async throws -> Response {
        var view = AdminView(.clients, .verbatim(client.shownName), for: visitor)
        (view.notice, view.problem) = (notice, problem)
        view.back = .back(to: .clients)
        view.sections = [AdminSection("client", .admin(.clients), facts: facts(of: client))]
        if visitor.person.role.permits(.change(.clients)) {
            view.sections.append(try await site(of: client.id).map(acts) ?? acts(on: client))
        }
        return try pages.html(view, status: problem == nil ? .ok : .unprocessableContent)
    }

    private func facts(of client: Client) -> [AdminFact?] {
        [
            AdminFact(.identifier, client.id.rawValue, isCode: true),
            AdminFact(.kind, client.kind.name, isCode: true),
            AdminFact(.created, client.created, at: core.clock.now()),
        ] + ClientDraft(of: client).facts
    }

    /// The acts on the app of a site, which only changes with it.
    private func acts(on site: CustomerSite) -> AdminSection {
        var section = AdminSection("acts", .admin(.acts))
        section.sectionLinks = [
            PageLink(
                AdminNoun.sites.title, to: AdminAddress.of("/admin/sites/change", ["site": site.id.rawValue]))
        ]
        return section
    }

    private func acts(on client: Client) -> AdminSection {
        var section = AdminSection("acts", .admin(.acts))
        let id = client.id.rawValue
        section.sectionLinks = [
            PageLink(.admin(.changeClient), to: AdminAddress.of("/admin/clients/change", ["client": id]))
        ]
        if case .confidential = client.kind {
            section.sectionLinks.append(
                PageLink(.admin(.renewSecret), to: AdminAddress.of("/admin/clients/secret", ["client": id])))
        }
        section.sectionLinks.append(
            PageLink(.admin(.removeClient), to: AdminAddress.of("/admin/clients/remove", ["client": id])))
        return section
    }

    private func askToRenew(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await ask(request, to: "secret") { .renewal(ofSecretOf: $0) }
    }

    private func askToRemove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await ask(request, to: "remove") { .removal(of: $0) }
    }

    private func ask(
        _ request: Request, to act: String, by question: (Client) -> DestructiveAct
    ) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .change(.clients))
        let client = try await client(named: request)
        guard try await site(of: client.id) == nil else {
            return try await page(of: client, for: visitor, problem: .admin(.problemClientFixed))
        }
        return try pages.question(
            before: question(client), ["client": client.id.rawValue], sentTo: "/admin/clients/\(act)", by: visitor)
    }

    /// The site whose app a client is; `nil` for any other client.
    private func site(of id: ClientID) async throws -> CustomerSite? {
        try await core.store.read { try $0.environments.find(CustomerSiteID(rawValue: id.rawValue)) }
    }

    private func notice(in request: Request) -> LocalizedText? {
        request.query["done"].flatMap { CompletedAct(rawValue: $0) }?.notice
    }

    private func client(named request: Request) async throws -> Client {
        guard let named = request.query["client"] else { throw PageError.notFound }
        return try await client(ClientID(named))
    }

    private func client(_ id: ClientID) async throws -> Client {
        guard let client = try await core.store.read({ try $0.clients.find(id) }) else { throw PageError.notFound }
        return client
    }

    // MARK: Adding

    private func showNew(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .change(.clients))
        return try form(toAdd: "", isConfidential: false, ClientDraft(of: blank), for: visitor)
    }

    /// The client that a form to add one begins with.
    private var blank: Client {
        var client = ClientDraft.usual(ClientID(""), kind: .public, created: core.clock.now())
        client.grantTypes = []
        return client
    }

    private func form(
        toAdd identifier: String, isConfidential: Bool, _ draft: ClientDraft, for visitor: SignedInVisitor,
        problem: LocalizedText? = nil
    ) throws -> Response {
        var view = AdminView(.clients, .admin(.addClient), for: visitor)
        view.problem = problem
        view.back = .back(to: .clients)
        let kinds = [("public", false), (Self.confidential, true)].map { word, isChosen in
            AdminChoice(
                choiceValue: word, choiceTitle: .verbatim(word), choiceIsSelected: isChosen == isConfidential)
        }
        var section = AdminSection("add", .admin(.addClient))
        section.sectionHint = .admin(.addClientHint)
        section.sectionForms = [
            AdminForm(
                .admin(.addClient), to: "/admin/clients/add", hidden: [ClientDraft.whole: "yes"],
                [AdminField("client", .identifier, value: identifier), AdminField("kind", .kind, kinds)]
                    + draft.fields)
        ]
        view.sections = [section]
        return try pages.html(view, status: problem == nil ? .ok : .unprocessableContent)
    }

    /// The word for a client with a secret, as the option of the command.
    private static let confidential = "confidential"

    private func add(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.clients))
        let identifier = TypedText.trimmed(form["client"] ?? "")
        let secret: ClientSecret? = form["kind"] == Self.confidential ? core.mint.secret() : nil
        let kind: Client.Kind = secret.map { .confidential($0.digest) } ?? .public
        let draft = ClientDraft(form)
        let problem: LocalizedText
        do {
            let client = try draft.changing(blank).client(identifier, kind: kind, created: core.clock.now())
            try await clients(for: visitor).add(client)
            guard let secret else { return pages.redirect(to: Self.address(of: client.id, after: .added)) }
            return try show(secret, titled: .admin(.doneClientAdded), for: visitor)
        } catch let refused as ClientDraftError {
            problem = refused.shown
        } catch ClientRegistry.ChangeError.unfit(let reason) {
            problem = .admin(.problemClientUnfit, ["reason": .verbatim(reason)])
        } catch StoreError.alreadyExists {
            problem = .admin(.problemClientTaken)
        }
        return try self.form(
            toAdd: identifier, isConfidential: secret != nil, draft, for: visitor, problem: problem)
    }

    // MARK: Changing

    private func showChange(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .change(.clients))
        let client = try await client(named: request)
        guard try await isChangedHere(client) else {
            return try await page(of: client, for: visitor, problem: .admin(.problemClientFixed))
        }
        return try form(
            toChange: client.id, ClientDraft(of: client), of: RecordVersion(client).text, for: visitor)
    }

    /// Whether an operator registered it, and not as a site.
    private func isChangedHere(_ client: Client) async throws -> Bool {
        guard case .operator = client.registration else { return false }
        return try await site(of: client.id) == nil
    }

    private func form(
        toChange id: ClientID, _ draft: ClientDraft, of version: String, for visitor: SignedInVisitor,
        problem: LocalizedText? = nil
    ) throws -> Response {
        var view = AdminView(.clients, .admin(.changeClient), for: visitor)
        view.problem = problem
        view.back = PageLink(.admin(.backTo, ["list": .verbatim(id.rawValue)]), to: Self.address(of: id))
        var section = AdminSection("change", .verbatim(id.rawValue))
        section.sectionForms = [
            AdminForm(
                .admin(.changeClient), to: "/admin/clients/change",
                hidden: ["client": id.rawValue, ClientDraft.whole: "yes", RecordVersion.field: version], draft.fields)
        ]
        view.sections = [section]
        return try pages.html(view, status: problem == nil ? .ok : .unprocessableContent)
    }

    private func change(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await act(on: request) { clients, id, form, visitor in
            let draft = ClientDraft(form)
            let problem: LocalizedText
            var version = form[RecordVersion.field] ?? ""
            do {
                let changed = try await clients.change(id) { client in
                    let earlier = RecordVersion(client)
                    try draft.changing(client).apply(to: &client)
                    try earlier.require(in: form, before: RecordVersion(client))
                }
                guard changed != nil else { return nil }
                return pages.redirect(to: Self.address(of: id, after: .changed))
            } catch let refused as ClientDraftError {
                problem = refused.shown
            } catch ClientRegistry.ChangeError.unfit(let reason) {
                problem = .admin(.problemClientUnfit, ["reason": .verbatim(reason)])
            } catch is RecordVersion.OutdatedError {
                problem = RecordVersion.OutdatedError.shown
                version = RecordVersion(try await client(id)).text
            }
            return try self.form(toChange: id, draft, of: version, for: visitor, problem: problem)
        }
    }

    private func renew(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await act(on: request) { clients, id, _, visitor in
            guard let (_, secret) = try await clients.renewSecret(of: id, keepingOldFor: Self.keepingOldFor) else {
                return nil
            }
            return try show(secret, titled: .admin(.newSecret), for: visitor)
        }
    }

    /// The secret is shown in this answer only; it is in no address, and cannot be shown again.
    private func show(
        _ secret: ClientSecret, titled title: LocalizedText, for visitor: SignedInVisitor
    ) throws -> Response {
        var view = AdminView(.clients, title, for: visitor)
        var section = AdminSection(
            "secret", .admin(.secret), facts: [AdminFact(.secret, secret.revealed, isCode: true)])
        section.sectionHint = .admin(.secretHint)
        view.sections = [section]
        view.back = .back(to: .clients)
        return try pages.html(view)
    }

    private func remove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await act(on: request) { clients, id, _, _ in
            guard try await clients.remove(id) else { return nil }
            return pages.redirect(to: AdminAddress.list(of: .clients, after: CompletedAct.removed.rawValue))
        }
    }

    /// Does an act on the client that a form names; `body` returns `nil` when there is none.
    private func act(
        on request: Request,
        _ body: (ClientRegistry, ClientID, Form, SignedInVisitor) async throws -> Response?
    ) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.clients))
        guard let id = form["client"].map({ ClientID($0) }) else { throw PageError.formExpired }
        do {
            guard try await site(of: id) == nil else { throw ClientRegistry.ChangeError.isEnvironment }
            guard let answer = try await body(clients(for: visitor), id, form, visitor) else {
                throw PageError.notFound
            }
            return answer
        } catch is ClientRegistry.ChangeError {
            return try await page(of: try await client(id), for: visitor, problem: .admin(.problemClientFixed))
        }
    }

    private func clients(for visitor: SignedInVisitor) -> ClientRegistry {
        ClientRegistry(of: core.store, for: .person(visitor.session), mint: core.mint, clock: core.clock)
    }
}

extension Client.Kind {
    /// The way it authenticates, in a word.
    fileprivate var name: String {
        switch self {
        case .public: "public"
        case .confidential: "secret"
        case .keys: "keys"
        case .certificate: "certificate"
        }
    }
}
