internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// `/admin/sites`: administrators add, change and remove sites and the keys of apps.
struct CustomerSitesPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore

    static let returns = ReturnPage(
        paths: Set(["", "/add", "/change", "/secret", "/remove"].map { "/admin/sites\($0)" } + ["/admin/apps/remove"]),
        root: "/admin/sites"
    )

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("admin/sites", [.get: list], on: router)
        pages.mount("admin/sites/add", [.get: showNew, .post: add], on: router)
        pages.mount("admin/sites/change", [.get: showOne, .post: change], on: router)
        pages.mount("admin/sites/secret", [.get: askToRenew, .post: renew], on: router)
        pages.mount("admin/sites/remove", [.get: askToRemove, .post: remove], on: router)
        pages.mount("admin/apps/add", [.post: addApp], on: router)
        pages.mount("admin/apps/remove", [.get: askToRemoveApp, .post: removeApp], on: router)
    }

    /// The member of the query with the app after which a page of apps begins.
    private static let afterApp = "after_app"
    /// The time that an earlier secret is accepted for, in seconds: a day.
    private static let keepingOldFor: Double = 86_400

    /// The act that was just done, as named in the query of the list's address.
    private enum CompletedAct: String, Sendable {
        case changed, removed
        case appAdded = "app-added"
        case appRemoved = "app-removed"

        var notice: LocalizedText {
            switch self {
            case .changed: .text(.sitesChanged)
            case .removed: .text(.sitesRemoved)
            case .appAdded: .text(.sitesAppAdded)
            case .appRemoved: .text(.sitesAppRemoved)
            }
        }
    }

    // MARK: Showing

    private func list(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .read(.sites))
        return try pages.html(try await listView(request.query, for: visitor))
    }

    /// The lists of sites and of apps, each of which goes on by itself.
    ///
    /// - Parameter query: The query of the address.
    private func listView(_ query: Form, for visitor: SignedInVisitor) async throws -> CustomerSiteListView {
        let lastSite = query["after"].flatMap { CustomerSiteID(parsing: $0) }
        let lastApp = query[Self.afterApp].map { AppKey($0) }
        let sites = try await ListPage { try await self.sites(for: visitor).page(after: lastSite, limit: $0) }
        let apps = try await ListPage { try await self.apps(for: visitor).page(after: lastApp, limit: $0) }
        var view = CustomerSiteListView(
            personName: visitor.person.name,
            formToken: visitor.formToken.revealed,
            notice: query["done"].flatMap { CompletedAct(rawValue: $0) }?.notice,
            sites: sites.records.map { CustomerSiteListView.CustomerSiteEntry($0) },
            apps: apps.records.map { CustomerSiteListView.AppEntry($0) }
        )
        view.moreSites = sites.last.map { site in
            AdminAddress.of(
                AdminNoun.sites.path, ["after": site.id.rawValue, Self.afterApp: lastApp?.rawValue])
        }
        view.moreApps = apps.last.map { app in
            AdminAddress.of(
                AdminNoun.sites.path, ["after": lastSite?.rawValue, Self.afterApp: app.key.rawValue])
        }
        view.navigation = AdminNavigationItem.all(for: visitor.person.role, at: .sites)
        view.mayChange = visitor.person.role.permits(.change(.sites))
        return view
    }

    private func showNew(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .change(.sites))
        return try form(nil, CustomerSiteDraft(name: ""), for: visitor)
    }

    private func showOne(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .change(.sites))
        let site = try await site(named: request, for: visitor)
        return try form(site.id, CustomerSiteDraft(site), of: RecordVersion(site).text, for: visitor)
    }

    private func askToRenew(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await ask(request, to: "secret") { .renewal(ofSecretOf: $0) }
    }

    private func askToRemove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await ask(request, to: "remove") { .removal(of: $0) }
    }

    private func ask(
        _ request: Request, to act: String, by question: (CustomerSite) -> DestructiveAct
    ) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .change(.sites))
        let site = try await site(named: request, for: visitor)
        return try pages.question(
            before: question(site), ["site": site.id.rawValue], sentTo: "/admin/sites/\(act)", by: visitor)
    }

    private func site(
        named request: Request,
        for visitor: SignedInVisitor
    ) async throws -> CustomerSite {
        guard let id = request.uri.queryParameters["site"].flatMap({ CustomerSiteID(parsing: String($0)) }),
            let site = try await sites(for: visitor).find(id)
        else { throw PageError.notFound }
        return site
    }

    private func form(
        _ id: CustomerSiteID?,
        _ draft: CustomerSiteDraft,
        of version: String = "",
        for visitor: SignedInVisitor,
        refused: CustomerSiteDraftError? = nil,
        problem: LocalizedText? = nil
    ) throws -> Response {
        var view = CustomerSiteFormView(
            personName: visitor.person.name,
            formToken: visitor.formToken.revealed,
            changing: id?.rawValue,
            draft,
            problems: refused?.problems ?? [:]
        )
        view.version = version
        view.problem = problem ?? view.problem
        return try pages.html(view, status: view.problem == nil ? .ok : .unprocessableContent)
    }

    // MARK: Sites

    private func add(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.sites))
        var draft = CustomerSiteDraft(name: "")
        Self.fill(&draft, from: form)
        do {
            let (site, secret) = try await sites(for: visitor).add(draft)
            return try show(secret, of: site, isNew: true, to: visitor)
        } catch let refused as CustomerSiteDraftError {
            return try self.form(nil, draft, for: visitor, refused: refused)
        }
    }

    private func change(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.sites))
        let id = try Self.site(in: form)
        var typed = CustomerSiteDraft(name: "")
        Self.fill(&typed, from: form)
        do {
            let changed = try await sites(for: visitor).change(id) { draft in
                let earlier = RecordVersion(draft)
                Self.fill(&draft, from: form)
                try earlier.require(in: form, before: RecordVersion(draft))
            }
            guard changed != nil else { throw PageError.notFound }
        } catch let refused as CustomerSiteDraftError {
            return try self.form(id, typed, of: form[RecordVersion.field] ?? "", for: visitor, refused: refused)
        } catch is RecordVersion.OutdatedError {
            guard let current = try await sites(for: visitor).find(id) else { throw PageError.notFound }
            return try self.form(
                id, typed, of: RecordVersion(current).text, for: visitor, problem: RecordVersion.OutdatedError.shown)
        }
        return pages.redirect(to: AdminAddress.list(of: .sites, after: CompletedAct.changed.rawValue))
    }

    private func renew(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.sites))
        let renewed = try await sites(for: visitor).renewSecret(
            of: Self.site(in: form), keepingOldFor: Self.keepingOldFor)
        guard let (site, secret) = renewed else { throw PageError.notFound }
        return try show(secret, of: site, isNew: false, to: visitor)
    }

    private func remove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.sites))
        guard try await sites(for: visitor).remove(Self.site(in: form)) else {
            throw PageError.notFound
        }
        return pages.redirect(to: AdminAddress.list(of: .sites, after: CompletedAct.removed.rawValue))
    }

    /// The secret is shown in this answer only; it is in no address, and cannot be shown again.
    private func show(
        _ secret: CustomerSiteSecret,
        of site: CustomerSite,
        isNew: Bool,
        to visitor: SignedInVisitor
    ) throws -> Response {
        try pages.html(
            CustomerSiteSecretView(
                personName: visitor.person.name,
                formToken: visitor.formToken.revealed,
                siteID: site.id.rawValue,
                siteName: site.name,
                secret: secret.revealed,
                address: pages.issuer.appending("auth/v1.0"),
                isNew: isNew
            )
        )
    }

    // MARK: Apps

    private func addApp(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.sites))
        let (name, bundleID, project) = (form["app_name"] ?? "", form["bundle_id"] ?? "", form["project"] ?? "")
        do {
            _ = try await apps(for: visitor).add(
                named: name,
                bundleID: bundleID.isEmpty ? nil : bundleID,
                project: project.isEmpty ? nil : project
            )
        } catch let refused as AuthenticatorAppRegistry.ValidationError {
            var view = try await listView(Form(), for: visitor)
            view.refuse(refused.fields)
            (view.typedName, view.typedBundleID, view.typedProject) = (name, bundleID, project)
            return try pages.html(view, status: .unprocessableContent)
        }
        return pages.redirect(to: AdminAddress.list(of: .sites, after: CompletedAct.appAdded.rawValue))
    }

    private func askToRemoveApp(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .change(.sites))
        let key = request.uri.queryParameters["key"].map { AppKey(String($0)) }
        guard let app = try await core.store.read({ try key.flatMap($0.authenticatorApps.find) }) else {
            throw PageError.notFound
        }
        return try pages.question(
            before: .removal(of: app), ["key": app.key.rawValue], sentTo: "/admin/apps/remove", by: visitor)
    }

    private func removeApp(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.sites))
        guard let key = form["key"] else { throw PageError.formExpired }
        guard try await apps(for: visitor).remove(AppKey(key)) else { throw PageError.notFound }
        return pages.redirect(to: AdminAddress.list(of: .sites, after: CompletedAct.appRemoved.rawValue))
    }

    // MARK: Parts

    private func sites(for visitor: SignedInVisitor) -> CustomerSiteRegistry {
        CustomerSiteRegistry(
            of: core.store, for: .person(visitor.session), mint: core.mint, clock: core.clock)
    }

    private func apps(for visitor: SignedInVisitor) -> AuthenticatorAppRegistry {
        AuthenticatorAppRegistry(
            of: core.store, for: .person(visitor.session), mint: core.mint, clock: core.clock)
    }

    private static func site(in form: Form) throws -> CustomerSiteID {
        guard let text = form["site"], let id = CustomerSiteID(parsing: text) else {
            throw PageError.formExpired
        }
        return id
    }

    private static func fill(_ draft: inout CustomerSiteDraft, from form: Form) {
        draft.name = form["name"] ?? ""
        draft.icon = form["icon"] ?? ""
        draft.webhook = form["webhook"] ?? ""
        draft.allowsLegacyDevices = form["legacy_devices"] == "yes"
        draft.textPrefixes = (form["text_prefixes"] ?? "").split(whereSeparator: \.isNewline).map(String.init)
        draft.textsPerDay = form["texts_per_day"] ?? ""
    }
}
