internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import Hummingbird

/// `/admin/limits`: administrators see the parties that limits hold back, lift a limit for one of them, and read of
/// limits in the audit.
struct LimitsPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore
    let audit: AuditPage

    private static let lifting = "/admin/limits/lift"
    static let returns = ReturnPage(paths: [AdminNoun.limits.path], root: AdminNoun.limits.path)
    /// The value of `done` in the address of the list after a limit was lifted.
    private static let lifted = "lifted"
    /// The maximum number of audit entries that are searched for limits; the command searches more.
    private static let searched = 5_000

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("admin/limits", [.get: list], on: router)
        pages.mount("admin/limits/lift", [.post: lift], on: router)
    }

    // MARK: Showing

    private func list(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .read(.limits))
        var view = try await audit.view(of: .limits, request, for: visitor)
        if request.query["done"] == Self.lifted { view.notice = .admin(.doneLimitLifted) }
        // Further pages and those of one person are of the audit alone.
        if request.query["before"] == nil, AuditPage.typedPerson(request).isEmpty {
            view.sections.insert(try await section(for: visitor), at: 0)
        }
        return try pages.html(view)
    }

    /// The parties that are held back, the last ones where there are many.
    private func section(for visitor: SignedInVisitor) async throws -> AdminSection {
        let held = try await ListPage { limit in
            try await limits(for: visitor).held(searching: Self.searched, limit: limit)
        }
        let mayLift = visitor.person.role.permits(.change(.limits))
        var section = AdminSection("held", .admin(.heldBack), held.records.map { entry($0, mayLift: mayLift) })
        section.sectionHint = held.last == nil ? nil : .admin(.heldMore)
        return section
    }

    private func entry(_ held: LimitRegistry.HeldParty, mayLift: Bool) -> AdminEntry {
        let (reached, now) = (held.reached, core.clock.now())
        // The name is that of the limit and the party for the command, so that buttons differ.
        var entry = AdminEntry(
            .verbatim(([reached.rule.rawValue] + held.words).joined(separator: " ")),
            at: reached.party.subject.map { PeoplePage.address(of: $0) },
            [
                AdminFact(.counted, "\(reached.times)"), AdminFact(.limit, reached.limit.description),
                AdminFact(.until, reached.end, at: now),
                reached.rule.isRemembered && core.store.isShared ? AdminFact(.note, .admin(.limitRemembered)) : nil,
            ])
        if mayLift {
            entry.entryForms = [
                AdminForm(
                    .admin(.lift), to: Self.lifting,
                    hidden: [
                        "limit": reached.rule.rawValue, "subject": reached.party.subject?.rawValue ?? "",
                        "client": reached.party.client?.rawValue ?? "", "name": reached.party.name ?? "",
                    ])
            ]
        }
        return entry
    }

    // MARK: Lifting

    private func lift(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .change(.limits))
        guard let rule = form["limit"].flatMap({ LimitRule(rawValue: $0) }), let party = LimitedParty(form, of: rule)
        else { throw PageError.formExpired }
        let memory = LimitMemory(requests: core.requestLimiter, wrongProofs: core.wrongProofs)
        guard try await limits(for: visitor).lift(rule, of: party, in: memory) else { throw PageError.notFound }
        return pages.redirect(to: AdminAddress.list(of: .limits, after: Self.lifted))
    }

    private func limits(for visitor: SignedInVisitor) -> LimitRegistry {
        LimitRegistry(of: core.store, for: .person(visitor.session), mint: core.mint, clock: core.clock)
    }
}

/// The party in a form.
extension LimitedParty {
    fileprivate var subject: Subject? {
        switch self {
        case .person(let subject), .source(_, let subject): subject
        case .everybody, .network, .client, .receiver: nil
        }
    }

    fileprivate var client: ClientID? {
        switch self {
        case .client(let client), .source(let client, _): client
        case .everybody, .network, .person, .receiver: nil
        }
    }

    /// The network or the receiver.
    fileprivate var name: String? {
        switch self {
        case .network(let name), .receiver(let name): name
        case .everybody, .person, .client, .source: nil
        }
    }

    /// Reads the party of a limit that the page names; `nil` for one of another kind, whose count the audit would not
    /// name.
    fileprivate init?(_ form: Form, of rule: LimitRule) {
        let (client, subject) = (form["client"].map { ClientID($0) }, form["subject"].map { Subject($0) })
        switch (rule.partyKind, client, subject, form["name"]) {
        case (.everybody, nil, nil, nil): self = .everybody
        case (.network, nil, nil, let network?): self = .network(network)
        case (.callingCode, nil, nil, let code?): self = .receiver(code)
        case (.person, nil, let subject?, nil): self = .person(subject)
        case (.client, let client?, nil, nil): self = .client(client)
        // Codes are also counted for each client separately.
        case (.person, let client?, let subject?, nil) where rule == .codePerAccount,
            (.source, let client?, let subject?, nil):
            self = .source(client, subject)
        default: return nil
        }
    }
}
