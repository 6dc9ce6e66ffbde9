internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import FoundationEssentialsCompat

/// `/account/export`: everything that the server has about a person, as a file for them.
///
/// Regulation (EU) 2016/679, Articles 15 and 20.
struct AccountExportPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore

    static let path = "/account/export"
    static let returns = ReturnPage(paths: [path])

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("account/export", [.get: show, .post: export], on: router)
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.person(visiting: request)
        try await pages.requireRecent(visitor, before: Self.path, at: core.clock.now())
        return try pages.html(
            AccountExportView(personName: visitor.person.name, formToken: visitor.formToken.revealed))
    }

    private func export(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, _) = try await pages.submission(by: request)
        let now = core.clock.now()
        try await pages.requireRecent(visitor, before: Self.path, at: now)
        let export = try await core.store.read { try PersonExport(of: visitor.person, in: $0, at: now) }
        let address = context.address(of: request, by: core.addresses)
        try await core.store.change(for: visitor, at: now) { repositories in
            try Audit(repositories).record(
                AuditEntry.Facts(
                    at: now, .personExported, by: .person, subject: visitor.person.subject, address: address))
        }
        var headers = PageHeaders.all(pages.issuer)
        headers[.contentType] = "application/json"
        headers[.contentDisposition] = "attachment; filename=\"account.json\""
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: try export.json())))
    }
}
