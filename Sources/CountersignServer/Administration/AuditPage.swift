internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import Hummingbird

/// `/admin/audit`, `/admin/sessions` and `/admin/limits`: administrators read the audit, or the part of it that tells of
/// sign-ins or of limits, and verify it.
struct AuditPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore

    private static let nouns = AdminNoun.allCases.filter { $0.auditedActs != nil }
    static let returns = nouns.map { ReturnPage(paths: [$0.path], root: $0.path) }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        for noun in Self.nouns {
            pages.mount("admin/\(noun.rawValue)", [.get: { request, _ in try await list(noun, request) }], on: router)
        }
        pages.mount("admin/audit/verify", [.post: verify], on: router)
    }

    private func list(_ noun: AdminNoun, _ request: Request) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .read(noun))
        return try pages.html(try await view(of: noun, request, for: visitor))
    }

    private func view(
        of noun: AdminNoun, _ request: Request, for visitor: SignedInVisitor
    ) async throws -> AdminView {
        let query = request.query
        let typed = String(TypedText.trimmed(query["person"] ?? "").prefix(EmailAddress.longest))
        let act = String(TypedText.trimmed(query["act"] ?? "").prefix(64))
        let before = query["before"].flatMap { Int($0) } ?? .max
        let page = try await core.store.read { repositories -> AuditFilter.Page? in
            var filter = AuditFilter(acts: noun.auditedActs ?? [], actPrefix: act)
            if !typed.isEmpty {
                guard let subject = try Self.subject(typed, in: repositories) else { return nil }
                filter.subject = subject
            }
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
            verification.sectionForms = [AdminForm(.admin(.verify), to: "/admin/audit/verify")]
            view.sections.append(verification)
        }
        return view
    }

    /// The person of a typed name, or of a subject, which the audit keeps after the removal of the person.
    private static func subject(_ typed: String, in repositories: any Repositories) throws -> Subject? {
        if let named = try PersonName(typed).find(in: repositories) { return named.subject }
        let subject = Subject(typed)
        if try repositories.people.find(subject) != nil { return subject }
        return try repositories.audit.entries(about: subject, before: .max, limit: 1).isEmpty ? nil : subject
    }

    private func entries(_ page: AuditFilter.Page?) -> [AdminEntry] {
        let now = core.clock.now()
        return (page?.entries ?? []).map { entry in
            let facts = entry.facts
            return AdminEntry(
                .verbatim(facts.act.rawValue),
                [
                    AdminFact(.number, "\(entry.number)"), AdminFact(.time, facts.at, at: now),
                    AdminFact(.by, facts.by.rawValue, isCode: true),
                    AdminFact(.person, facts.subject.map { page?.names[$0] ?? $0.rawValue }),
                    AdminFact(.client, facts.client?.rawValue, isCode: true),
                    AdminFact(.request, facts.request?.rawValue, isCode: true),
                    AdminFact(.address, facts.address), AdminFact(.detail, facts.detail),
                ])
        }
    }

    /// Verifies the whole audit; the finding is in English.
    private func verify(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, _) = try await pages.administratorSubmission(by: request, to: .read(.audit))
        var view = try await view(of: .audit, request, for: visitor)
        do {
            let end = try await core.store.read { try Audit($0).verify() }
            view.notice = .admin(
                .auditSound, ["number": .verbatim("\(end.number)"), "hash": .verbatim("\(end.hash)")])
        } catch let broken as AuditError {
            view.problem = .admin(.auditBroken, ["finding": .verbatim(broken.description)])
        }
        return try pages.html(view)
    }
}
