internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `/admin/registration-tokens`: administrators see the tokens with which apps register themselves, mint further ones,
/// and remove them.
struct RegistrationTokensPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore

    private static let removal = "/admin/registration-tokens/remove"
    static let returns = ReturnPage(
        paths: [AdminNoun.registrationTokens.path, removal], root: AdminNoun.registrationTokens.path)
    /// The value of `done` in the address of the list after a token was removed.
    private static let removed = "removed"
    /// The seconds in a day.
    private static let day: TimeInterval = 86_400

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("admin/registration-tokens", [.get: list], on: router)
        pages.mount("admin/registration-tokens/add", [.post: add], on: router)
        pages.mount("admin/registration-tokens/remove", [.get: askToRemove, .post: remove], on: router)
    }

    // MARK: Showing

    private func list(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .read(.registrationTokens))
        let notice: LocalizedText? = request.query["done"] == Self.removed ? .admin(.doneTokenRemoved) : nil
        return try await list(for: visitor, notice: notice)
    }

    private func list(
        for visitor: SignedInVisitor, notice: LocalizedText? = nil, problem: LocalizedText? = nil,
        typed form: Form? = nil
    ) async throws -> Response {
        let mayChange = visitor.person.role.permits(.change(.registrationTokens))
        let all = try await tokens(for: visitor).all()
        var view = AdminView(.registrationTokens, for: visitor)
        (view.notice, view.problem) = (notice, problem)
        view.sections = [AdminSection("all", .admin(.all), all.map { entry($0, mayChange: mayChange) })]
        if mayChange {
            var section = AdminSection("add", .admin(.addToken))
            section.sectionHint = .admin(.addTokenHint)
            section.sectionForms = [
                AdminForm(
                    .admin(.addToken), to: "/admin/registration-tokens/add",
                    Self.fields(form ?? ["uses": "1", "days": "1"]))
            ]
            view.sections.append(section)
        }
        return try pages.html(view, status: problem == nil ? .ok : .unprocessableContent)
    }

    private func entry(_ token: InitialAccessToken, mayChange: Bool) -> AdminEntry {
        let allowance = token.allowance
        var entry = AdminEntry(
            .verbatim(token.id.rawValue),
            [
                AdminFact(.usesLeft, "\(token.uses)"), AdminFact(.until, token.expires, at: core.clock.now()),
                AdminFact(.scope, allowance.scope.description, isCode: true),
                allowance.clientCredentials ? AdminFact(.tokensOfItsOwn, .admin(.allowed)) : nil,
                AdminFact(.memberServes, allowance.serves.joined(separator: " "), isCode: true),
            ])
        if mayChange {
            let address = AdminAddress.of(Self.removal, ["token": token.id.rawValue])
            entry.entryLinks = [PageLink(.admin(.removeToken), to: address)]
        }
        return entry
    }

    private static func fields(_ form: Form) -> [AdminField] {
        var serves = AdminField("serves", .memberServes, value: form["serves"] ?? "", hint: .onePerLine)
        serves.fieldRows = 3
        let choices: KeyValuePairs<String, TextKey.Admin> = ["": .notAllowed, allowed: .allowed]
        return [
            AdminField("uses", .tokenUses, value: form["uses"] ?? ""),
            AdminField("days", .tokenDays, value: form["days"] ?? ""),
            AdminField("scope", .scope, value: form["scope"] ?? "", hint: .tokenScopeHint),
            AdminField(
                "client-credentials", .tokensOfItsOwn,
                choices.map { value, title in
                    AdminChoice(
                        choiceValue: value, choiceTitle: .admin(title),
                        choiceIsSelected: value == form["client-credentials"] ?? "")
                }),
            serves,
        ]
    }

    /// The value of the choice that allows the grant type `client_credentials`.
    private static let allowed = "allowed"

    private func askToRemove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .change(.registrationTokens))
        let named = request.query["token"]
        guard let token = try await tokens(for: visitor).all().first(where: { $0.id.rawValue == named }) else {
            throw PageError.notFound
        }
        return try pages.question(
            before: .removal(of: token), ["token": token.id.rawValue], sentTo: Self.removal, by: visitor)
    }

    // MARK: Changing

    private func add(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.registrationTokens))
        guard let scope = Scope(parsing: form["scope"] ?? "") else {
            return try await list(for: visitor, problem: .admin(.problemScope), typed: form)
        }
        let terms: RegistrationTokenRegistry.Terms
        do throws(RegistrationTokenRegistry.Terms.TermsError) {
            terms = try RegistrationTokenRegistry.Terms(
                uses: Self.number(form["uses"]) ?? 0, lasting: Self.day * Double(Self.number(form["days"]) ?? 0),
                RegistrationAllowance(
                    clientCredentials: form["client-credentials"] == Self.allowed, scope: scope,
                    serves: TypedText.lines(form["serves"] ?? "")))
        } catch {
            return try await list(for: visitor, problem: error.shown, typed: form)
        }
        let token = try await tokens(for: visitor).add(terms).token
        return try show(token, for: visitor)
    }

    private static func number(_ text: String?) -> Int? { text.flatMap { Int(TypedText.trimmed($0)) } }

    /// The token is shown in this answer only; it is in no address, and cannot be shown again.
    private func show(_ token: AccessToken, for visitor: SignedInVisitor) throws -> Response {
        var view = AdminView(.registrationTokens, .admin(.doneTokenAdded), for: visitor)
        var section = AdminSection(
            "token", .admin(.registrationToken),
            facts: [AdminFact(.registrationToken, token.revealed, isCode: true)])
        section.sectionHint = .admin(.secretHint)
        view.sections = [section]
        view.back = .back(to: .registrationTokens)
        return try pages.html(view)
    }

    private func remove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.registrationTokens))
        guard let id = form["token"] else { throw PageError.formExpired }
        guard try await tokens(for: visitor).remove(InitialAccessToken.ID(id)) else { throw PageError.notFound }
        return pages.redirect(to: AdminAddress.list(of: .registrationTokens, after: Self.removed))
    }

    private func tokens(for visitor: SignedInVisitor) -> RegistrationTokenRegistry {
        RegistrationTokenRegistry(of: core.store, for: .person(visitor.session), mint: core.mint, clock: core.clock)
    }
}

extension RegistrationTokenRegistry.Terms.TermsError {
    /// The refusal as a page shows it.
    fileprivate var shown: LocalizedText {
        switch self {
        case .uses:
            .admin(
                .problemTokenUses,
                ["most": .verbatim("\(RegistrationTokenRegistry.Terms.allowedUses.upperBound)")])
        case .lifetime: .admin(.problemTokenDays)
        }
    }
}
