internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `/admin/claims`: administrators see the claims that operators declared, declare further ones, and remove them.
struct ClaimsPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore

    private static let removal = "/admin/claims/remove"
    static let returns = ReturnPage(paths: [AdminNoun.claims.path, removal], root: AdminNoun.claims.path)

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("admin/claims", [.get: list], on: router)
        pages.mount("admin/claims/add", [.post: add], on: router)
        pages.mount("admin/claims/remove", [.get: askToRemove, .post: remove], on: router)
    }

    /// The act that was just done, as named in the query of an address.
    private enum CompletedAct: String {
        case added, removed

        var notice: LocalizedText {
            switch self {
            case .added: .admin(.doneClaimAdded)
            case .removed: .admin(.doneClaimRemoved)
            }
        }
    }

    // MARK: Showing

    private func list(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .read(.claims))
        let done = request.query["done"].flatMap { CompletedAct(rawValue: $0) }
        return try await list(for: visitor, notice: done?.notice)
    }

    private func list(
        for visitor: SignedInVisitor, notice: LocalizedText? = nil, problem: LocalizedText? = nil,
        typed draft: ClaimDraft = ClaimDraft()
    ) async throws -> Response {
        let mayChange = visitor.person.role.permits(.change(.claims))
        let claims = try await claims(for: visitor).all()
        var view = AdminView(.claims, for: visitor)
        (view.notice, view.problem) = (notice, problem)
        view.sections = [AdminSection("all", .admin(.all), claims.map { entry($0, mayChange: mayChange) })]
        if mayChange {
            var section = AdminSection("add", .admin(.addClaim))
            section.sectionHint = .admin(.addClaimHint)
            section.sectionForms = [AdminForm(.admin(.addClaim), to: "/admin/claims/add", draft.fields)]
            view.sections.append(section)
        }
        return try pages.html(view, status: problem == nil ? .ok : .unprocessableContent)
    }

    private func entry(_ mapping: ClaimMapping, mayChange: Bool) -> AdminEntry {
        var entry = AdminEntry(
            .verbatim(mapping.claim.rawValue),
            [
                AdminFact(.claimSource, mapping.sourceText, isCode: true),
                AdminFact(.claimValues, mapping.valueTexts.joined(separator: " ")),
                AdminFact(.claimForm, mapping.form.rawValue, isCode: true),
                AdminFact(.scope, mapping.scope.rawValue, isCode: true),
                AdminFact(.created, mapping.created, at: core.clock.now()),
            ])
        if mayChange {
            let address = AdminAddress.of(Self.removal, ["claim": mapping.claim.rawValue])
            entry.entryLinks = [PageLink(.admin(.removeClaim), to: address)]
        }
        return entry
    }

    private func askToRemove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .change(.claims))
        let named = request.query["claim"]
        guard let mapping = try await claims(for: visitor).all().first(where: { $0.claim.rawValue == named }) else {
            throw PageError.notFound
        }
        return try pages.question(
            before: .removal(of: mapping), ["claim": mapping.claim.rawValue], sentTo: Self.removal, by: visitor)
    }

    // MARK: Changing

    private func add(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.claims))
        let draft = ClaimDraft(form)
        let problem: LocalizedText
        do {
            _ = try await claims(for: visitor).add(try draft.declaration())
            return pages.redirect(to: AdminAddress.list(of: .claims, after: CompletedAct.added.rawValue))
        } catch let refused as ClaimDraftError {
            problem = refused.shown
        } catch let refused as ClaimRegistry.DeclarationError {
            problem = refused.shown
        }
        return try await list(for: visitor, problem: problem, typed: draft)
    }

    private func remove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.claims))
        guard let claim = form["claim"] else { throw PageError.formExpired }
        guard try await claims(for: visitor).remove(ClaimName(rawValue: claim)) else { throw PageError.notFound }
        return pages.redirect(to: AdminAddress.list(of: .claims, after: CompletedAct.removed.rawValue))
    }

    private func claims(for visitor: SignedInVisitor) -> ClaimRegistry {
        ClaimRegistry(of: core.store, for: .person(visitor.session), mint: core.mint, clock: core.clock)
    }
}
