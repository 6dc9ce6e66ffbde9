internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import Hummingbird

/// `/admin/keys`: administrators see the keys that sign tokens.
struct KeysPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore

    static let returns = ReturnPage(paths: [AdminNoun.keys.path])

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("admin/keys", [.get: list], on: router)
    }

    private func list(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.administrator(visiting: request, to: .read(.keys))
        let now = core.clock.now()
        let keys = try await core.store.read { try $0.serverKeys.all() }
            .filter { ServerKey.Purpose.signing.contains($0.purpose) }
        var view = AdminView(.keys, for: visitor)
        view.sections = [
            AdminSection(
                "all", .admin(.all),
                keys.map { key in
                    AdminEntry(
                        .verbatim(key.purpose == .signES256 ? "ES256" : "RS256"), code: key.id.rawValue,
                        [
                            AdminFact(.signsFrom, key.activates, at: now),
                            AdminFact(.signedUntil, key.retired, at: now),
                        ])
                })
        ]
        return try pages.html(view)
    }
}
