internal import HTTPTypes
internal import Hummingbird
internal import FoundationEssentialsCompat

/// `/account/deletion`: marks one's own account for removal, and keeps it until then.
///
/// Each page that needs a signed-in person leads somebody who is leaving here.
struct AccountDeletionPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore
    /// The time between the request and the removal, in days.
    let delay: Int

    static let path = "/account/deletion"
    static let returns = ReturnPage(paths: [path])

    /// The address of the page, with the page to return to once the account is kept.
    static func address(returningTo target: String) -> String {
        guard !target.hasPrefix(path) else { return path }
        var query = Form()
        query["return_to"] = target
        return "\(path)?\(query.encoded)"
    }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("account/deletion", [.get: show, .post: request], on: router)
        pages.mount("account/deletion/keep", [.post: keep], on: router)
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let now = core.clock.now()
        let visitor = try await pages.visitor(of: request)
        if let person = visitor.leaving?.person {
            let target = request.uri.queryParameters["return_to"].map { String($0) }
            return try pages.html(
                AccountDeletionView(
                    offering: person.name, formToken: visitor.formToken.revealed,
                    returnTo: pages.returnTarget(target), due: TimeDisplay(person.removal ?? now, at: now)))
        }
        let signedIn = try await pages.person(visiting: request)
        try await pages.requireRecent(signedIn, before: Self.path, at: now)
        try await core.store.read { try Self.requireAnotherOperator(than: signedIn.person.subject, in: $0) }
        return try pages.html(
            AccountDeletionView(
                asking: signedIn.person.name, formToken: signedIn.formToken.revealed, delay: .counted(delay, .days)))
    }

    private func request(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, _) = try await pages.submission(by: request)
        let now = core.clock.now()
        try await pages.requireRecent(visitor, before: Self.path, at: now)
        let due = now + TimeInterval(delay) * 86_400
        let notices = core.notices
        let address = context.address(of: request, by: core.addresses)
        try await core.store.changeWays(of: visitor, at: now) { repositories in
            try Self.requireAnotherOperator(than: visitor.person.subject, in: repositories)
            try AccountRemoval(repositories).request(
                by: visitor.person.subject, due: due, telling: notices, from: address, at: now)
        }
        var response = try pages.html(AccountDeletionView(marked: TimeDisplay(due, at: now)))
        response.headers[.setCookie] = pages.jar.takeAway
        return response
    }

    private func keep(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.anonymousSubmission(by: request)
        guard let leaving = visitor.leaving else { throw PageError.formExpired }
        let address = context.address(of: request, by: core.addresses)
        let now = core.clock.now()
        let notices = core.notices
        try await core.store.change {
            try AccountRemoval($0).cancel(by: leaving, telling: notices, from: address, at: now)
        }
        return pages.redirect(to: pages.returnTarget(form["return_to"]))
    }

    private static func requireAnotherOperator(than subject: Subject, in repositories: any Repositories) throws {
        if try AccountRemoval(repositories).isLastOperator(subject) { throw PageError.lastOperator }
    }
}
