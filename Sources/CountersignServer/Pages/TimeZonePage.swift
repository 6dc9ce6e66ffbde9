internal import HTTPTypes
internal import Hummingbird
internal import FoundationEssentialsCompat

/// `/account/time-zone`: the time zone in which a person reads times, and which their apps learn.
///
/// Standard: OpenID Connect Core 1.0 §5.1 (`zoneinfo`).
struct TimeZonePage: Sendable {
    let pages: PageRoutes
    let core: ServerCore

    static let path = "/account/time-zone"
    static let returns = ReturnPage(paths: [path])

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("account/time-zone", [.get: show, .post: choose], on: router)
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try page(for: try await pages.person(visiting: request))
    }

    private func choose(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        try visitor.requireLasting()
        let zone = form["zone"].flatMap { TimeZone(named: $0) }
        guard zone != nil || form["zone"] == nil else { return try page(for: visitor, .text(.timeZoneUnknown)) }
        let (subject, now) = (visitor.person.subject, core.clock.now())
        let address = context.address(of: request, by: core.addresses)
        try await core.store.change(for: visitor, at: now) { repositories in
            guard var person = try repositories.people.find(subject), person.profile.zoneInfo != zone?.identifier
            else { return }
            person.profile.zoneInfo = zone?.identifier
            person.profile.updated = now
            try repositories.people.update(person)
            try Audit(repositories).record(
                AuditEntry.Facts(
                    at: now, .personChanged, by: .person, subject: subject, address: address, detail: "zoneinfo"))
        }
        return pages.redirect(to: AccountPage.CompletedAct.timeZoneChanged.address)
    }

    private func page(for visitor: SignedInVisitor, _ problem: LocalizedText? = nil) throws -> Response {
        let view = TimeZoneView(
            personName: visitor.person.name, formToken: visitor.formToken.revealed, chosen: visitor.person.timeZone,
            problem: problem)
        return try pages.html(view, status: problem == nil ? .ok : .unprocessableContent)
    }
}
