internal import Hummingbird
internal import Logging

/// `/account/push`: registers the browser of a person for push messages about requests, and ends such registrations.
///
/// A message proves nothing: the person answers on the page that it opens, by the usual rules.
struct BrowserPushPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore
    let accounts: AccountServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("account/push", [.post: add], on: router)
        pages.mount("account/push/remove", [.post: remove], on: router)
    }

    private func add(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        try visitor.requireLasting()
        guard let rules = accounts.webPush else { throw PageError.notFound }
        guard let subscription = form["subscription"].flatMap({ WebPushSubscription(parsing: $0) }) else {
            throw PageError.formExpired
        }
        if let objection = rules.objection(to: subscription) {
            context.logger.notice(
                "a browser was not registered for push messages", metadata: ["reason": "\(objection)"])
            return pages.redirect(to: AccountPage.CompletedAct.pushRefused.address)
        }
        let (address, now) = (context.address(of: request, by: core.addresses), core.clock.now())
        let language = PageLanguage.ofRequest ?? pages.language
        try await core.store.change(for: visitor, at: now) { repositories in
            try BrowserPushes(repositories).add(
                visitor.session, at: subscription, in: language, from: address, at: now)
        }
        return pages.redirect(to: AccountPage.CompletedAct.pushAdded.address)
    }

    private func remove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        guard let session = form["session"].map({ ApproverID($0) }) else { throw PageError.formExpired }
        let (address, now) = (context.address(of: request, by: core.addresses), core.clock.now())
        let isRemoved = try await core.store.change(for: visitor, at: now) { repositories in
            try BrowserPushes(repositories).remove(session, of: visitor.person.subject, from: address, at: now)
        }
        let done: AccountPage.CompletedAct = isRemoved ? .pushRemoved : .nothing
        return pages.redirect(to: done.address)
    }
}
