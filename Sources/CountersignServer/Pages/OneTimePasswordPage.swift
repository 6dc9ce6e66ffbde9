internal import HTTPTypes
internal import Hummingbird
internal import FoundationEssentialsCompat

/// `/account/one-time-passwords`: setup and removal of one-time passwords, and recovery codes.
///
/// Opening the page stores nothing: the form carries the sealed secret until the first password confirms it.
/// Standard: RFC 6238; the key in the QR code is that of `otpauth:` links.
struct OneTimePasswordPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore
    let accounts: AccountServices

    /// The page for setting up one-time passwords.
    static let path = "/account/one-time-passwords"
    static let returns = ReturnPage(paths: [path])

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("account/one-time-passwords", [.get: show, .post: enroll], on: router)
        pages.mount("account/one-time-passwords/remove", [.post: remove], on: router)
        pages.mount("account/recovery-codes", [.post: renew], on: router)
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.person(visiting: request)
        let factor = Self.factor(request.uri.queryParameters["by"].map(String.init))
        try await pages.requireRecent(visitor, before: Self.address(of: factor), at: core.clock.now())
        // One-time passwords complement a password.
        guard visitor.person.password != nil else { throw PageError.notFound }
        let cookie = try await pages.visitor(of: request).cookie
        let (secret, sealed) = try await accounts.oneTimePasswords.proposal(to: visitor, in: cookie)
        return try page(for: visitor, secret, sealed, by: factor)
    }

    /// The address of the page for a moving factor. No page leads to that for the counter: whoever hands out such
    /// devices gives it to their people.
    private static func address(of factor: MovingFactor) -> String {
        factor == .time ? path : "\(path)?by=\(factor.rawValue)"
    }

    /// The moving factor: the time, unless the address has the counter.
    private static func factor(_ text: String?) -> MovingFactor {
        text.flatMap { MovingFactor(rawValue: $0) } ?? .time
    }

    private func enroll(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        let factor = Self.factor(form["by"])
        try await pages.requireRecent(visitor, before: Self.address(of: factor), at: core.clock.now())
        let cookie = try await pages.visitor(of: request).cookie
        guard visitor.person.password != nil, let sealed = form["proposal"],
            let secret = try await accounts.oneTimePasswords.proposed(sealed, to: visitor, in: cookie)
        else { throw PageError.formExpired }
        guard let password = OneTimePassword(parsing: form["code"] ?? ""),
            let codes = try await accounts.oneTimePasswords.enroll(
                secret, by: factor, confirmedBy: password, of: visitor,
                from: context.address(of: request, by: core.addresses))
        else { return try page(for: visitor, secret, sealed, by: factor, problem: Self.wrong(factor)) }
        return try shown(codes, to: visitor, .text(.recoveryCodesOn))
    }

    private func renew(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        try await pages.requireRecent(visitor, at: core.clock.now())
        if let question = try await ask(.renewingRecoveryCodes, form, of: request, by: visitor) { return question }
        let address = context.address(of: request, by: core.addresses)
        guard let codes = try await accounts.oneTimePasswords.renewRecoveryCodes(of: visitor, from: address) else {
            return pages.redirect(to: AccountPage.CompletedAct.nothing.address)
        }
        return try shown(codes, to: visitor, .text(.recoveryCodesRenewed))
    }

    private func remove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        try await pages.requireRecent(visitor, at: core.clock.now())
        if let question = try await ask(.turningOffOneTimePasswords, form, of: request, by: visitor) { return question }
        let address = context.address(of: request, by: core.addresses)
        let existed = try await accounts.oneTimePasswords.remove(of: visitor, from: address)
        let done: AccountPage.CompletedAct = existed ? .oneTimePasswordsRemoved : .nothing
        return pages.redirect(to: done.address)
    }

    /// The question before an act; `nil` where it was confirmed, or there are no one-time passwords.
    private func ask(
        _ act: DestructiveAct, _ form: Form, of request: Request, by visitor: SignedInVisitor
    ) async throws -> Response? {
        try await pages.question(
            before: try await accounts.oneTimePasswords.isEnrolled(visitor.person.subject) ? act : nil, form,
            of: request, by: visitor)
    }

    private static func wrong(_ factor: MovingFactor) -> LocalizedText {
        .text(factor == .time ? .oneTimeWrong : .oneTimeWrongCounter)
    }

    private func page(
        for visitor: SignedInVisitor,
        _ secret: SharedSecret,
        _ sealed: String,
        by factor: MovingFactor,
        problem: LocalizedText? = nil
    ) throws -> Response {
        let link = accounts.oneTimePasswords.link(secret, by: factor, for: visitor.person)
        guard let code = QRCode(link.text) else { throw PageError.notFound }
        let drawing = code.svg
        let text = secret.revealed
        let view = OneTimePasswordSetupView(
            personName: visitor.person.name,
            formToken: visitor.formToken.revealed,
            proposal: sealed,
            factor: factor.rawValue,
            countsTime: factor == .time,
            secretText: stride(from: 0, to: text.count, by: 4).map { String(text.dropFirst($0).prefix(4)) }
                .joined(separator: " "),
            qrSize: "\(drawing.size)",
            qrPath: drawing.path,
            problem: problem
        )
        return try pages.html(view, status: problem == nil ? .ok : .unprocessableContent)
    }

    private func shown(_ codes: [RecoveryCode], to visitor: SignedInVisitor, _ happened: LocalizedText) throws
        -> Response
    {
        try pages.html(
            RecoveryCodesView(
                personName: visitor.person.name, formToken: visitor.formToken.revealed, happened: happened,
                codes: codes.map(\.grouped))
        )
    }
}
