internal import HTTPTypes
internal import Hummingbird
internal import FoundationEssentialsCompat

/// `/account/email`: the verification of one's own e-mail address by a code or a link in a mail.
///
/// The link opens the page with the code in its field; only the form verifies, so a program that opens the links of mails
/// changes nothing. There is no page without a gateway for mails.
struct EmailPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore

    static let path = "/account/email"
    static let returns = ReturnPage(paths: [path])

    private var service: EmailVerificationService { EmailVerificationService(core: core) }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("account/email", [.get: show, .post: send], on: router)
        pages.mount("account/email/verify", [.post: verify], on: router)
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        guard core.sendsMail else { throw PageError.notFound }
        let visitor = try await pages.person(visiting: request)
        let code = request.uri.queryParameters["code"].map { String($0.prefix(32)) }
        let hasCode = visitor.person.emailVerification?.isLive(at: core.clock.now()) == true
        guard code != nil || hasCode else {
            try await pages.requireRecent(visitor, before: Self.path, at: core.clock.now())
            return try page(for: visitor, address: visitor.person.isEmailVerified ? "" : visitor.person.email ?? "")
        }
        return try page(for: visitor, code: code ?? "", problem: hasCode ? nil : .expired)
    }

    private func send(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        try await pages.requireRecent(visitor, before: Self.path, at: core.clock.now())
        guard core.sendsMail else { throw PageError.notFound }
        let typed = form["address"] ?? ""
        guard let address = EmailAddress(parsing: typed) else {
            return try page(for: visitor, address: String(typed.prefix(EmailAddress.longest)), problem: .malformed)
        }
        do {
            try await service.send(
                to: address, of: visitor, in: pages.languageOfRequest,
                from: context.address(of: request, by: core.addresses))
            return pages.redirect(to: Self.path)
        } catch let error as RateLimitError {
            return try page(for: visitor, address: address.rawValue, problem: .limited(seconds: error.retryAfter))
        }
    }

    private func verify(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        let address = context.address(of: request, by: core.addresses)
        switch try await service.verify(form["code"] ?? "", of: visitor, from: address) {
        case .right: return pages.redirect(to: AccountPage.CompletedAct.emailVerified.address)
        case .wrong: return try page(for: visitor, problem: .wrongCode)
        case .notExpected: return try page(for: visitor, isExpecting: false, problem: .expired)
        }
    }

    private func page(
        for visitor: SignedInVisitor, code: String = "", address: String = "", isExpecting: Bool = true,
        problem: EmailView.Problem? = nil
    ) throws -> Response {
        let person = visitor.person
        let pending = person.emailVerification.flatMap {
            isExpecting && $0.isLive(at: core.clock.now()) ? $0.address.rawValue : nil
        }
        let view = EmailView(
            personName: person.name,
            formToken: visitor.formToken.revealed,
            of: (person.email, person.isEmailVerified),
            pending: pending,
            typed: (code, address),
            refusing: problem
        )
        return try pages.html(view, status: problem?.status ?? .ok)
    }
}
