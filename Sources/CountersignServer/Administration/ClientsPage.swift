internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `/admin/clients`: administrators see the apps of this server, name them, renew their secrets and remove them.
struct ClientsPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore

    private static let onePath = "/admin/clients/client"
    static let returns = ReturnPage(
        paths: [AdminNoun.clients.path, onePath, "/admin/clients/secret", "/admin/clients/remove"],
        root: AdminNoun.clients.path)
    /// The time that an earlier secret is accepted for, in seconds: a day.
    private static let keepingOldFor: TimeInterval = 86_400

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("admin/clients", [.get: list], on: router)
        pages.mount("admin/clients/client", [.get: showOne], on: router)
        pages.mount("admin/clients/change", [.post: change], on: router)
        pages.mount("admin/clients/secret", [.get: askToRenew, .post: renew], on: router)
        pages.mount("admin/clients/remove", [.get: askToRemove, .post: remove], on: router)
    }

    /// The act that was just done, as named in the query of an address.
    enum CompletedAct: String, Sendable {
        case changed, removed

        fileprivate var notice: LocalizedText {
            switch self {
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
        let found = try await clients(for: visitor).page(
            after: request.query["after"].map { ClientID($0) }, limit: AdminView.pageLength + 1)
        let clients = found.prefix(AdminView.pageLength)
        var section = AdminSection(
            "all", .admin(.all),
            clients.map { client in
                AdminEntry(
                    .verbatim(client.shownName), at: Self.address(of: client.id), code: client.id.rawValue,
                    [AdminFact(.kind, client.kind.name, isCode: true)])
            })
        if found.count > clients.count, let last = clients.last {
            section.more = AdminAddress.of(AdminNoun.clients.path, ["after": last.id.rawValue])
        }
        var view = AdminView(.clients, for: visitor)
        view.notice = notice(in: request)
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
        let redirects = client.redirects.redirectURIs
        return [
            AdminFact(.identifier, client.id.rawValue, isCode: true),
            AdminFact(.kind, client.kind.name, isCode: true),
            AdminFact(.grantTypes, client.grantTypes.map(\.rawValue).joined(separator: " "), isCode: true),
            AdminFact(.scope, client.scope.words.map(\.rawValue).joined(separator: " "), isCode: true),
            AdminFact(.redirectURIs, redirects.joined(separator: " "), isCode: true),
            AdminFact(.created, client.created, at: core.clock.now()),
        ]
    }

    /// The acts on the app of a site, which only changes with it.
    private func acts(on site: CustomerSite) -> AdminSection {
        var section = AdminSection("acts", .admin(.acts))
        section.sectionLinks = [
            AdminLink(
                AdminNoun.sites.title, to: AdminAddress.of("/admin/sites/change", ["site": site.id.rawValue]))
        ]
        return section
    }

    private func acts(on client: Client) -> AdminSection {
        var section = AdminSection("acts", .admin(.acts))
        let id = client.id.rawValue
        section.sectionForms = [
            AdminForm(
                .admin(.changeName), to: "/admin/clients/change", hidden: ["client": id],
                [AdminField("name", .name, value: client.name)])
        ]
        if case .confidential = client.kind {
            section.sectionLinks.append(
                AdminLink(.admin(.renewSecret), to: AdminAddress.of("/admin/clients/secret", ["client": id])))
        }
        section.sectionLinks.append(
            AdminLink(.admin(.removeClient), to: AdminAddress.of("/admin/clients/remove", ["client": id])))
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

    // MARK: Changing

    private func change(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await act(on: request) { clients, id, form, visitor in
            let name = TypedText.trimmed(form["name"] ?? "")
            guard name.isLine(of: 1...100) else {
                return try await page(of: try await client(id), for: visitor, problem: .admin(.problemClientName))
            }
            guard try await clients.change(id, by: { $0.name = name }) != nil else { return nil }
            return pages.redirect(to: Self.address(of: id, after: .changed))
        }
    }

    /// The secret is shown in this answer only; it is in no address, and cannot be shown again.
    private func renew(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await act(on: request) { clients, id, _, visitor in
            guard let (_, secret) = try await clients.renewSecret(of: id, keepingOldFor: Self.keepingOldFor) else {
                return nil
            }
            var view = AdminView(.clients, .admin(.newSecret), for: visitor)
            var section = AdminSection(
                "secret", .admin(.secret), facts: [AdminFact(.secret, secret.revealed, isCode: true)])
            section.sectionHint = .admin(.secretHint)
            view.sections = [section]
            view.back = .back(to: .clients)
            return try pages.html(view)
        }
    }

    private func remove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await act(on: request) { clients, id, _, _ in
            guard try await clients.remove(id) else { return nil }
            return pages.redirect(
                to: AdminAddress.of(AdminNoun.clients.path, ["done": CompletedAct.removed.rawValue]))
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
