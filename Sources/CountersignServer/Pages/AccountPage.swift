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
        pages.mount("account/withdraw", [.post: withdraw], on: router)
    }

    /// What was just done, as named in the query of the page's address.
    private enum Done: String, CaseIterable, Sendable {
        case signedOut = "signed-out"
        case undone
        case withdrawn
        case tooLate = "too-late"
        case nothing

        var notice: String {
            switch self {
            case .signedOut: "That screen is signed out."
            case .undone: "Your approval is taken back. Whatever the screen got has ended."
            case .withdrawn: "The app is signed out, and has to ask you again."
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
        let (screens, waiting, apps) = try await server.store.read { repositories in
            let listing = AccountListing(repositories: repositories, now: now)
            return (
                try listing.screens(of: subject), try listing.waiting(for: subject),
                try listing.apps(allowedBy: subject)
            )
        }
        return try pages.html(
            AccountView(
                personName: visitor.person.name,
                formToken: visitor.formToken.revealed,
                notice: done?.notice,
                screens: screens,
                waiting: waiting,
                apps: apps,
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
        let outcome = try await server.store.change { try $0.undo(grant, by: subject, at: now) }
        let done: Done =
            switch outcome {
            case .undone: .undone
            case .tooLate: .tooLate
            case .nothing: .nothing
            }
        return pages.redirect(to: "/account?done=\(done.rawValue)")
    }

    /// Ends what the person allowed an app, and its sign-ins.
    private func withdraw(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        guard let client = form["client"].map({ ClientID($0) }) else { throw PageProblem.formExpired }
        let subject = visitor.person.subject
        let now = server.clock.now()
        let wasAllowed = try await server.store.change { try $0.withdrawConsent(by: subject, from: client, at: now) }
        return pages.redirect(to: "/account?done=\((wasAllowed ? Done.withdrawn : .nothing).rawValue)")
    }
}
