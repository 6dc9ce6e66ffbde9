internal import Countersign
internal import CountersignWire
internal import Foundation
internal import Hummingbird

/// `/account`: where a person is signed in, and how they end it.
struct AccountPage: Sendable {
    let pages: PageRoutes
    let server: ServerServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("account", [.get: show], on: router)
        pages.mount("account/sign-out", [.post: signOut], on: router)
        pages.mount("account/undo", [.post: undo], on: router)
    }

    /// What was just done, as the address of the page names it.
    private enum Done: String, CaseIterable, Sendable {
        case signedOut = "signed-out"
        case undone
        case tooLate = "too-late"
        case nothing

        var notice: String {
            switch self {
            case .signedOut: "That screen is signed out."
            case .undone: "Your approval is taken back. Whatever the screen got has ended."
            case .tooLate: "The minute to undo is over. Sign the screen out instead."
            case .nothing: "There was nothing to end: it had ended before."
            }
        }
    }

    // MARK: Showing

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.person(visiting: request)
        let done = request.uri.queryParameters["done"].flatMap { Done(rawValue: String($0)) }
        let subject = visitor.person.subject
        let now = server.clock.now()
        let (screens, waiting) = try await server.store.read { repositories in
            let listing = AccountListing(repositories: repositories, now: now)
            return (try listing.screens(of: subject), try listing.waiting(for: subject))
        }
        return try pages.html(
            AccountView(
                personName: visitor.person.name,
                formToken: visitor.formToken.revealed,
                notice: done?.notice,
                screens: screens,
                waiting: waiting,
                isAdministrator: visitor.person.isAdministrator
            )
        )
    }

    // MARK: Ending

    private func signOut(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        guard let grant = form["grant"].map({ Grant.ID($0) }) else { throw PageProblem.formExpired }
        let now = server.clock.now()
        let done = try await server.store.change { repositories -> Done in
            guard let record = try repositories.signIns.find(grant), record.revoked == nil,
                record.grant.subject == visitor.person.subject
            else { return .nothing }
            try repositories.signOut(record, at: now)
            return .signedOut
        }
        return pages.redirect(to: "/account?done=\(done.rawValue)")
    }

    private func undo(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        guard let grant = form["grant"].map({ Grant.ID($0) }) else { throw PageProblem.formExpired }
        let subject = visitor.person.subject
        let now = server.clock.now()
        let done = try await server.store.change { try undo(grant, by: subject, at: now, in: $0) }
        return pages.redirect(to: "/account?done=\(done.rawValue)")
    }

    /// Takes an approval back: before its grant was redeemed by refusing it, afterwards by ending its tokens.
    private func undo(
        _ grant: Grant.ID,
        by subject: Subject,
        at now: Date,
        in repositories: any Repositories
    ) throws -> Done {
        if let record = try repositories.signIns.find(grant), record.grant.subject == subject {
            guard record.revoked == nil else { return .nothing }
            guard SignInExchange.canUndo(record.grant, at: now) else { return .tooLate }
            try repositories.undo(record, at: now)
            return .undone
        }
        guard
            var stored = try repositories.exchanges.approved(by: subject).first(where: {
                $0.exchange.grant?.id == grant
            })
        else { return .nothing }
        switch stored.exchange.withdraw(by: subject, at: now) {
        case .withdrawn:
            try repositories.exchanges.update(stored)
            try repositories.record(
                AuditEntry.Facts(
                    at: now,
                    .withdrawn,
                    by: .person,
                    subject: subject,
                    client: stored.exchange.request.client.value,
                    request: stored.id
                )
            )
            return .undone
        case .tooLate:
            return .tooLate
        case .revoke, .nothingToUndo:
            return .nothing
        }
    }
}
