internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import Hummingbird

/// `/admin/requests`: administrators read the life of one request for sign-in, as `admin explain` tells it.
struct RequestsPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore

    static let returns = ReturnPage(paths: [AdminNoun.requests.path])

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("admin/requests", [.get: show], on: router)
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .read(.requests))
        let typed = String(TypedText.trimmed(request.query["q"] ?? "").prefix(64))
        let now = core.clock.now()
        let (found, history) = try await core.store.read { repositories in
            let found = try RequestSearch(repositories).find(typed)
            guard case .found(let id) = found, let records = try RequestRecords(of: id, in: repositories) else {
                return (found, RequestHistory?.none)
            }
            return (found, RequestHistory(records, at: now))
        }
        var view = AdminView(.requests, for: visitor)
        view.search = AdminSearch(
            searchAddress: AdminNoun.requests.path, searchButton: .admin(.search),
            searchFields: [AdminField("q", .request, value: typed, hint: .requestHint)])
        if let history {
            view.sections = sections(history, at: now)
        } else if case .several(let ids) = found {
            view.sections = [
                AdminSection(
                    "several", .admin(.several),
                    ids.map { id in
                        AdminEntry(
                            .verbatim(id.rawValue), at: AdminAddress.of(AdminNoun.requests.path, ["q": id.rawValue]))
                    })
            ]
        } else if !typed.isEmpty {
            view.problem = .admin(.problemNoRequest)
        }
        return try pages.html(view)
    }

    private func sections(_ history: RequestHistory, at now: Date) -> [AdminSection] {
        let records = history.records
        var request = AdminSection(
            "request", .admin(.request),
            facts: [
                AdminFact(.identifier, records.id.rawValue, isCode: true),
                AdminFact(.client, records.client?.shownName ?? records.clientID?.rawValue),
                records.request.flatMap { AdminFact(.time, $0.asked.value, at: now) },
                AdminFact(.address, records.request?.address?.value),
                AdminFact(.person, records.people.values.map(\.username.rawValue).sorted().joined(separator: ", ")),
            ])
        if records.isSwept { request.sectionHint = .history(.swept) }
        let steps = history.events.map { event in
            AdminEntry(
                event.words,
                [
                    AdminFact(.time, event.at, at: now), AdminFact(.address, event.address),
                    AdminFact(.person, event.subject.flatMap { records.people[$0]?.username.rawValue }),
                    AdminFact(.detail, event.detail),
                ])
        }
        return [request, AdminSection("steps", .admin(.steps), steps)]
    }
}
