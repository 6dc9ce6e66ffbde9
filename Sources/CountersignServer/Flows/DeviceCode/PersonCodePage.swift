internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `/activate/code`: a signed-in person gets a code, and types it on the screen that they want to sign in.
///
/// The page leads to the one that asks for the decision as soon as the code was typed: a script waits for that by a
/// request that is held, and a browser without scripts loads the page again and again.
/// Standard: RFC 10027 §6.1.15 for the order; RFC 9110 §13.1.2 (`If-None-Match`); RFC 7240 §4.3 for `Prefer: wait`.
struct PersonCodePage: Sendable {
    let pages: PageRoutes
    let services: FlowServices
    /// The requests that are held open.
    let waiters: ChangeWaiters

    private static let path = "activate/code"

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount(Self.path, [.get: show, .post: make], on: router)
    }

    private func make(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, _) = try await pages.submission(by: request)
        let now = services.clock.now()
        _ = try await PersonCodes(core: services.core).make { repositories in
            let session = try Sessions(repositories).live(visitor.session, at: now).session
            return PersonCodes.Holder(approver: session.approver, ends: session.expires)
        }
        return pages.redirect(to: "/\(Self.path)")
    }

    /// The state of the code that this browser shows.
    private enum Standing: Sendable, Equatable {
        case open(PersonCode, until: Date)
        /// It was typed, and started this request.
        case typed(SignInRequest.ID)
        /// Its time is over, and it was not typed.
        case expired
        /// There is none, or another browser or app shows a newer one.
        case none
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.person(visiting: request)
        let standing = try await standing(of: visitor)
        guard case .open(let code, until: let expires) = standing, request.headers[.ifNoneMatch] == code.pageTag else {
            return try page(of: standing, for: visitor)
        }
        guard let wait = WaitPreference(parsing: request.headers[values: .prefer]) else {
            return pages.unchanged(code.pageTag)
        }
        let address = context.address(of: request, by: services.addresses)
        let later = try await held(standing, of: visitor, wait, until: expires, from: address, in: context)
        return try later.map { try page(of: $0, for: visitor) } ?? pages.unchanged(code.pageTag)
    }

    private func page(of standing: Standing, for visitor: SignedInVisitor) throws -> Response {
        let (name, token) = (visitor.person.name, visitor.formToken.revealed)
        switch standing {
        case .open(let code, until: let expires):
            let view = PersonCodeView(
                personName: name, formToken: token, code, until: expires, at: services.clock.now())
            return try pages.html(view).runningWaitScript()
        case .typed(let id):
            return pages.redirect(to: "/activate/confirm?\(RequestReference(.addressed(id)).query)")
        case .expired, .none:
            return try pages.html(
                PersonCodeView(personName: name, formToken: token, isExpired: standing == .expired))
        }
    }

    private func standing(of visitor: SignedInVisitor) async throws -> Standing {
        let keys = try await services.keys.current()
        let holder = visitor.session.approver
        let found = try await services.store.read { try $0.personCodes.find(of: holder.subject) }
        guard let found, found.holder == holder else { return .none }
        if let request = found.request { return .typed(request) }
        guard services.clock.now() < found.expires else { return .expired }
        guard let code = found.revealed(with: keys) else { return .none }
        return .open(code, until: found.expires)
    }

    /// Holds a request until the standing changes or the time is over.
    ///
    /// - Returns: The new standing; `nil` for an unchanged one.
    private func held(
        _ known: Standing,
        of visitor: SignedInVisitor,
        _ wait: WaitPreference,
        until expires: Date,
        from address: String?,
        in context: ServerRequestContext
    ) async throws -> Standing? {
        let held = HeldRequest(
            waiters: waiters, topic: .inbox(visitor.person.subject), address: address,
            end: services.end(of: wait, orAt: expires))
        return try await held.news(in: context) {
            let now = try await standing(of: visitor)
            return now == known ? nil : now
        }
    }
}

extension PersonCode {
    /// The entity tag of the page that shows the code.
    var pageTag: String { "\"\(revealed)\"" }
}
