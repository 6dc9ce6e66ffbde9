internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import Hummingbird

/// `/admin/audit`: administrators read the audit, and verify it. ``SessionsPage`` shows the part that tells of sign-ins,
/// ``LimitsPage`` the one that tells of limits.
struct AuditPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore

    private static let verifying = "/admin/audit/verify"
    /// The field with the entry after which a verification goes on.
    private static let after = "after"
    /// The maximum number of entries that one request verifies; it takes about a second.
    private static let verifiedAtOnce = 50_000
    static let returns = ReturnPage(paths: [AdminNoun.audit.path], root: AdminNoun.audit.path)

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("admin/audit", [.get: list], on: router)
        pages.mount("admin/audit/verify", [.post: verify], on: router)
    }

    private func list(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .read(.audit))
        return try pages.html(try await view(of: .audit, request, for: visitor))
    }

    /// The page with the entries of a noun, those of the person in the query.
    func view(
        of noun: AdminNoun, _ request: Request, for visitor: SignedInVisitor, verifiedUntil place: AuditPosition? = nil
    ) async throws -> AdminView {
        let query = request.query
        let typed = Self.typedPerson(request)
        let act = String(TypedText.trimmed(query["act"] ?? "").prefix(64))
        let before = query["before"].flatMap { Int($0) } ?? .max
        let page = try await core.store.read { repositories -> AuditFilter.Page? in
            let subject = try typed.isEmpty ? nil : AuditFilter.subject(typed, in: repositories)
            guard typed.isEmpty || subject != nil else { return nil }
            let filter = AuditFilter(acts: noun.auditedActs ?? [], actPrefix: act, subject: subject)
            return try filter.page(before: before, in: repositories)
        }
        var view = AdminView(noun, for: visitor)
        view.problem = page == nil ? .admin(.problemNobody) : nil
        view.search = AdminSearch(
            searchAddress: noun.path, searchButton: .admin(.filter),
            searchFields: [AdminField("person", .person, value: typed)]
                + (noun == .audit ? [AdminField("act", .act, value: act, hint: .actHint)] : []))
        var section = AdminSection("entries", .admin(.entries), entries(page))
        section.more = page?.next.map {
            AdminAddress.of(noun.path, ["person": typed, "act": act, "before": String($0)])
        }
        if section.entries.isEmpty, section.more != nil { section.nothing = .admin(.olderFollow) }
        view.sections = [section]
        if noun == .audit {
            var verification = AdminSection("verification", .admin(.verification))
            verification.sectionHint = .admin(.verificationHint)
            verification.sectionForms = [verificationForm(after: place)]
            view.sections.append(verification)
        }
        return view
    }

    /// The form that begins a verification, or goes on after an entry that was verified.
    private func verificationForm(after place: AuditPosition?) -> AdminForm {
        guard let place else { return AdminForm(.admin(.verify), to: Self.verifying) }
        return AdminForm(
            .admin(.verifyOn), to: Self.verifying, hidden: [Self.after: "\(place.number):\(place.hash)"])
    }

    /// The entry after which a form goes on; `nil` for a form that begins.
    ///
    /// - Throws: ``PageError/formExpired``.
    private static func place(in form: Form) throws -> AuditPosition? {
        guard let text = form[after] else { return nil }
        let parts = text.split(separator: ":")
        guard parts.count == 2, let number = Int(parts[0]), number > 0,
            let hash = HexadecimalText.decode(String(parts[1])), hash.count == 32
        else { throw PageError.formExpired }
        return AuditPosition(number: number, hash: AuditHash(restoring: hash))
    }

    /// The typed name of a person in the query; empty for none.
    static func typedPerson(_ request: Request) -> String {
        String(TypedText.trimmed(request.query["person"] ?? "").prefix(EmailAddress.longest))
    }

    private func entries(_ page: AuditFilter.Page?) -> [AdminEntry] {
        let now = core.clock.now()
        return (page?.entries ?? []).map { entry in
            let facts = entry.facts
            return AdminEntry(
                .verbatim(facts.act.rawValue),
                [
                    AdminFact(.number, "\(entry.number)"), AdminFact(.time, facts.at, at: now),
                    AdminFact(.by, facts.by.word),
                    AdminFact(.person, facts.subject.map { page?.names[$0] ?? $0.rawValue }),
                    AdminFact(.client, facts.client?.rawValue, isCode: true),
                    AdminFact(.request, facts.request?.rawValue, isCode: true),
                    AdminFact(.address, facts.address),
                    AdminFact(.detail, facts.detail(naming: page?.names ?? [:])),
                ])
        }
    }

    /// Verifies a part of the audit, so that no request takes long; the finding is in English.
    private func verify(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.administratorSubmission(by: request, to: .read(.audit))
        let earlier = try Self.place(in: form)
        var (notice, problem): (LocalizedText?, LocalizedText?) = (nil, nil)
        var place: AuditPosition?
        do {
            switch try await core.store.read({ try Audit($0).verify(after: earlier, limit: Self.verifiedAtOnce) }) {
            case .complete(let end):
                notice = .admin(
                    .auditSound, ["number": .verbatim("\(end.number)"), "hash": .verbatim("\(end.hash)")])
            case .until(let reached, of: let end):
                place = reached
                notice = .admin(
                    .auditSoundSoFar,
                    ["number": .verbatim("\(reached.number)"), "last": .verbatim("\(end.number)")])
            }
        } catch let broken as AuditError {
            problem = .admin(.auditBroken, ["finding": .verbatim(broken.description)])
        }
        var view = try await view(of: .audit, request, for: visitor, verifiedUntil: place)
        (view.notice, view.problem) = (notice, problem)
        return try pages.html(view)
    }
}

extension AuditActor {
    /// The party in a few words. The name in the audit has `operator` for the command, whose users need no role.
    fileprivate var word: LocalizedText {
        switch self {
        case .person: .admin(.actorPerson)
        case .client: .admin(.actorClient)
        case .operator: .admin(.actorOperator)
        case .administrator: .admin(.actorAdministrator)
        case .server: .admin(.actorServer)
        case .stranger: .admin(.actorStranger)
        }
    }
}
