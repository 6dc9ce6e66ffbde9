internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// `/admin/domains`: administrators add, change and remove the services of this server.
struct DomainsPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore

    static let returns = ReturnPage(
        paths: Set(["", "/add", "/change", "/renew", "/remove"].map { "/admin/domains\($0)" }),
        root: "/admin/domains"
    )

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("admin/domains", [.get: list], on: router)
        pages.mount("admin/domains/add", [.get: showNew, .post: add], on: router)
        pages.mount("admin/domains/change", [.get: showOne, .post: change], on: router)
        pages.mount("admin/domains/renew", [.get: askToRenew, .post: renew], on: router)
        pages.mount("admin/domains/remove", [.get: askToRemove, .post: remove], on: router)
    }

    /// The act that was just done, as named in the query of the list's address.
    private enum CompletedAct: String, Sendable {
        case changed, removed

        var notice: LocalizedText {
            switch self {
            case .changed: .text(.domainsChanged)
            case .removed: .text(.domainsRemoved)
            }
        }
    }

    // MARK: Showing

    private func list(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .read(.domains))
        let done = request.uri.queryParameters["done"].flatMap { CompletedAct(rawValue: String($0)) }
        let last = request.query["after"].map { Domain($0) }
        let domains = try await ListPage { try await register(for: visitor).page(after: last, limit: $0) }
        return try pages.html(
            DomainListView(
                personName: visitor.person.name,
                formToken: visitor.formToken.revealed,
                navigation: AdminNavigationItem.all(for: visitor.person.role, at: .domains),
                mayChange: visitor.person.role.permits(.change(.domains)),
                notice: done?.notice,
                domains: domains.records.map { DomainEntry($0) },
                more: domains.last.map { AdminAddress.of(AdminNoun.domains.path, ["after": $0.name.rawValue]) }
            )
        )
    }

    private func showNew(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .change(.domains))
        return try form(.add, DomainDraft(name: "", displayName: ""), for: visitor)
    }

    private func showOne(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .change(.domains))
        let domain = try await domain(named: request, for: visitor)
        return try form(.change, DomainDraft(domain), of: RecordVersion(domain).text, for: visitor)
    }

    private func askToRemove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await ask(request, to: "remove") { .removal(of: $0) }
    }

    private func askToRenew(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await ask(request, to: "renew") { .renewal(of: $0) }
    }

    private func ask(
        _ request: Request, to act: String, by confirmation: (ServiceDomain) -> DestructiveAct
    ) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .change(.domains))
        let domain = try await domain(named: request, for: visitor)
        return try pages.question(
            before: confirmation(domain), ["domain": domain.name.rawValue], sentTo: "/admin/domains/\(act)",
            by: visitor)
    }

    private func domain(named request: Request, for visitor: SignedInVisitor) async throws -> ServiceDomain {
        guard let name = request.uri.queryParameters["domain"],
            let domain = try await register(for: visitor).find(Domain(String(name)))
        else { throw PageError.notFound }
        return domain
    }

    private func form(
        _ act: DomainFormView.Act,
        _ draft: DomainDraft,
        of version: String = "",
        for visitor: SignedInVisitor,
        refused: DomainDraftError? = nil,
        problem: LocalizedText? = nil
    ) throws -> Response {
        var view = DomainFormView(
            personName: visitor.person.name,
            formToken: visitor.formToken.revealed,
            act: act,
            draft: draft,
            problems: refused?.problems ?? [:]
        )
        view.version = version
        view.problem = problem ?? view.problem
        return try pages.html(view, status: view.problem == nil ? .ok : .unprocessableContent)
    }

    // MARK: Changing

    private func add(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.domains))
        var draft = DomainDraft(name: (form["domain"] ?? "").trimmed, displayName: "")
        Self.fill(&draft, from: form)
        do {
            let (domain, credential) = try await register(for: visitor).add(draft)
            return try show(credential, of: domain, isNew: true, to: visitor)
        } catch let refused as DomainDraftError {
            return try self.form(.add, draft, for: visitor, refused: refused)
        }
    }

    private func change(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.domains))
        let name = try Self.domain(in: form)
        var typed = DomainDraft(name: name.rawValue, displayName: "")
        Self.fill(&typed, from: form)
        do {
            let changed = try await register(for: visitor).change(name) { draft in
                let earlier = RecordVersion(draft)
                Self.fill(&draft, from: form)
                try earlier.require(in: form, before: RecordVersion(draft))
            }
            guard changed != nil else { throw PageError.notFound }
        } catch let refused as DomainDraftError {
            return try self.form(
                .change, typed, of: form[RecordVersion.field] ?? "", for: visitor, refused: refused)
        } catch is RecordVersion.OutdatedError {
            guard let current = try await register(for: visitor).find(name) else { throw PageError.notFound }
            return try self.form(
                .change, typed, of: RecordVersion(current).text, for: visitor,
                problem: RecordVersion.OutdatedError.shown)
        }
        return pages.redirect(to: AdminAddress.list(of: .domains, after: CompletedAct.changed.rawValue))
    }

    private func renew(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.domains))
        guard let (domain, credential) = try await register(for: visitor).renewCredential(of: Self.domain(in: form))
        else { throw PageError.notFound }
        return try show(credential, of: domain, isNew: false, to: visitor)
    }

    private func remove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.domains))
        guard try await register(for: visitor).remove(Self.domain(in: form)) else { throw PageError.notFound }
        return pages.redirect(to: AdminAddress.list(of: .domains, after: CompletedAct.removed.rawValue))
    }

    /// The credential is shown in this answer only; it is in no address, and cannot be shown again.
    private func show(
        _ credential: ServiceCredential,
        of domain: ServiceDomain,
        isNew: Bool,
        to visitor: SignedInVisitor
    ) throws -> Response {
        try pages.html(
            DomainCredentialView(
                personName: visitor.person.name,
                formToken: visitor.formToken.revealed,
                displayName: domain.displayName,
                domain: domain.name.rawValue,
                credential: credential.revealed,
                checkAddress: pages.issuer.appending("cpa/authorized"),
                isNew: isNew
            )
        )
    }

    private func register(for visitor: SignedInVisitor) -> DomainRegistry {
        DomainRegistry(of: core.store, for: .person(visitor.session), mint: core.mint, clock: core.clock)
    }

    private static func domain(in form: Form) throws -> Domain {
        guard let name = form["domain"] else { throw PageError.formExpired }
        return Domain(name)
    }

    private static func fill(_ draft: inout DomainDraft, from form: Form) {
        draft.displayName = form["display_name"] ?? ""
        draft.signOn = form["sign_on"] ?? ""
        draft.group = form["group"] ?? ""
        draft.redirectURIs = (form["redirect_uris"] ?? "").split(whereSeparator: \.isNewline).map(String.init)
        if let typed = form["token_lifetime"] {
            draft.tokenLifetime = UInt32(typed.trimmed).map { Double($0) } ?? .nan
        }
    }
}

extension String {
    /// Without the spaces around it.
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
