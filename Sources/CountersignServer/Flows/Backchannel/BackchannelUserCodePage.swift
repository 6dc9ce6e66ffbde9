internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import Hummingbird

/// `/account/backchannel-user-code`: a person chooses or removes the code that clients must send to ask them over the
/// back channel.
///
/// Standard: OpenID CIBA Core 1.0 §7.1 (`user_code`).
struct BackchannelUserCodePage: Sendable {
    let pages: PageRoutes
    let services: FlowServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("account/backchannel-user-code", [.post: choose], on: router)
        pages.mount("account/backchannel-user-code/remove", [.post: remove], on: router)
    }

    private func choose(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        try await pages.requireRecent(visitor, at: services.clock.now())
        guard let code = BackchannelUserCode(parsing: form["backchannel_user_code"] ?? "") else {
            return pages.redirect(to: AccountPage.CompletedAct.backchannelUserCodeRefused.address)
        }
        let digest = code.digest(for: visitor.person.subject, by: try await services.keys.current())
        return try await keep(digest, for: visitor, request, context)
    }

    private func remove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, _) = try await pages.submission(by: request)
        try await pages.requireRecent(visitor, at: services.clock.now())
        return try await keep(nil, for: visitor, request, context)
    }

    private func keep(
        _ digest: SecretDigest?,
        for visitor: SignedInVisitor,
        _ request: Request,
        _ context: ServerRequestContext
    ) async throws -> Response {
        let now = services.clock.now()
        let address = context.address(of: request, by: services.addresses)
        let subject = visitor.person.subject
        let act: AuditAct = digest == nil ? .backchannelUserCodeRemoved : .backchannelUserCodeChosen
        let done: AccountPage.CompletedAct = digest == nil ? .backchannelUserCodeRemoved : .backchannelUserCodeChosen
        let isChanged = try await services.store.changeWays(of: visitor, at: now) { repositories in
            guard var person = try repositories.people.find(subject), person.backchannelUserCode != digest else {
                return false
            }
            person.backchannelUserCode = digest
            try repositories.people.update(person)
            try Audit(repositories).record(
                AuditEntry.Facts(at: now, act, by: .person, subject: subject, address: address))
            return true
        }
        return pages.redirect(to: (isChanged ? done : .nothing).address)
    }
}
