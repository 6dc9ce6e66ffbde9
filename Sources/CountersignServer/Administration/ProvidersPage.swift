internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `/admin/providers`: administrators see the other providers, and try one out.
struct ProvidersPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore
    let providers: ProviderServices

    static let returns = ReturnPage(paths: [AdminNoun.providers.path], root: AdminNoun.providers.path)

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("admin/providers", [.get: list], on: router)
        pages.mount("admin/providers/check", [.post: check], on: router)
    }

    private func list(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .read(.providers))
        let last = request.query["after"].flatMap { IdentityProvider.ID(parsing: $0) }
        let providers = try await ListPage { limit in
            try await core.store.read { try $0.identityProviders.page(after: last, limit: limit) }
        }
        var section = AdminSection(
            "all", .admin(.all),
            providers.records.map { provider in
                var entry = AdminEntry(
                    .verbatim(provider.displayName), code: provider.id.rawValue,
                    [
                        AdminFact(.issuer, provider.issuer.rawValue, isCode: true),
                        AdminFact(.added, provider.created, at: core.clock.now()),
                    ])
                entry.entryForms = [
                    AdminForm(.admin(.check), to: "/admin/providers/check", hidden: ["provider": provider.id.rawValue])
                ]
                return entry
            })
        section.more = providers.last.map { AdminAddress.of(AdminNoun.providers.path, ["after": $0.id.rawValue]) }
        var view = AdminView(.providers, for: visitor)
        view.sections = [section]
        return try pages.html(view)
    }

    /// Asks the provider, as `admin provider test` does; the findings are in English.
    private func check(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .read(.providers))
        guard let id = form["provider"].flatMap({ IdentityProvider.ID(parsing: $0) }),
            let provider = try await core.store.read({ try $0.identityProviders.find(id) })
        else { throw PageError.notFound }
        let findings = await providers.diagnosis(of: provider, for: core.issuer).findings()
        var view = AdminView(.providers, .verbatim(provider.displayName), for: visitor)
        view.sections = [
            AdminSection(
                "findings", .admin(.findings),
                findings.map { finding in
                    AdminEntry(.admin(finding.isGood ? .inOrder : .toBeMended), [AdminFact(.detail, finding.sentence)])
                })
        ]
        view.back = .back(to: .providers)
        return try pages.html(view)
    }
}
