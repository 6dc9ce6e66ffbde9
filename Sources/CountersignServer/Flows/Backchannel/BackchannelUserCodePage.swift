internal import Countersign
internal import CountersignWire
internal import Hummingbird
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `/account/backchannel-user-code`: a person chooses the code without which no client asks them anything over the back
/// channel, or takes it away.
///
/// Standard: OpenID CIBA Core 1.0 §7.1 (`user_code`).
struct BackchannelUserCodePage: Sendable {
    let pages: PageRoutes
    let server: ServerServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("account/backchannel-user-code", [.post: choose], on: router)
        pages.mount("account/backchannel-user-code/remove", [.post: remove], on: router)
    }

    private func choose(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        guard pages.isRecent(visitor, at: server.clock.now()) else { return pages.signInAgain(before: "/account") }
        guard let code = BackchannelUserCode(parsing: form["backchannel_user_code"] ?? "") else {
            return pages.redirect(to: "/account?done=\(AccountPage.CompletedAct.backchannelUserCodeRefused.rawValue)")
        }
        let digest = code.digest(for: visitor.person.subject, by: try await server.keys.current())
        return try await keep(digest, for: visitor, request, context)
    }

    private func remove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, _) = try await pages.submission(by: request)
        guard pages.isRecent(visitor, at: server.clock.now()) else { return pages.signInAgain(before: "/account") }
        return try await keep(nil, for: visitor, request, context)
    }

    private func keep(
        _ digest: SecretDigest?,
        for visitor: SignedInVisitor,
        _ request: Request,
        _ context: ServerRequestContext
    ) async throws -> Response {
        let now = server.clock.now()
        let address = context.address(of: request, by: server.addresses)
        let subject = visitor.person.subject
        let act: AuditAct = digest == nil ? .backchannelUserCodeRemoved : .backchannelUserCodeChosen
        let done: AccountPage.CompletedAct = digest == nil ? .backchannelUserCodeRemoved : .backchannelUserCodeChosen
        let isChanged = try await server.store.change(for: visitor, at: now) { repositories in
            guard var person = try repositories.people.find(subject), person.backchannelUserCode != digest else {
                return false
            }
            person.backchannelUserCode = digest
            try repositories.people.update(person)
            try Audit(repositories).record(
                AuditEntry.Facts(at: now, act, by: .person, subject: subject, address: address))
            return true
        }
        return pages.redirect(to: "/account?done=\((isChanged ? done : .nothing).rawValue)")
    }
}
