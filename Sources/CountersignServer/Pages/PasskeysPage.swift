internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import FoundationEssentialsCompat

/// `/account/passkeys/add` and `/account/passkeys/remove`: the passkeys of the person who is signed in.
///
/// Standard: Web Authentication Level 3 §7.1.
struct PasskeysPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore
    let accounts: AccountServices

    /// The page for adding a passkey.
    static let path = "/account/passkeys/add"
    /// It returns to a page whose address is its parameter.
    static let returns = ReturnPage(paths: [path], longest: 3 * (PageRoutes.longestQuery + 256) + 256)
    /// The form field and query parameter for the page to return to.
    private static let returning = "return_to"

    /// The address of the page; it returns to a page of this server, or to the account for `nil`.
    static func address(returningTo target: String?) -> String {
        guard let target else { return path }
        var query = Form()
        query[returning] = target
        return "\(path)?\(query.encoded)"
    }

    /// The maximum number of characters of a passkey's name.
    private static let longestName = 64

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("account/passkeys/add", [.get: show, .post: add], on: router)
        pages.mount("account/passkeys/remove", [.post: remove], on: router)
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.person(visiting: request)
        // An invalid query is ignored.
        let query = request.query
        let target = target(query[Self.returning])
        try await pages.requireRecent(visitor, before: Self.address(returningTo: target), at: core.clock.now())
        return try await page(for: visitor, of: request, returningTo: target)
    }

    private func add(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        let target = target(form[Self.returning])
        try await pages.requireRecent(visitor, before: Self.address(returningTo: target), at: core.clock.now())
        let name = String((form["passkey_name"] ?? "").shownInOneLine.prefix(Self.longestName))
        guard let credential = form["credential"] else {
            return try await page(for: visitor, of: request, name, returningTo: target, problem: Self.noCredential)
        }
        do {
            try await accounts.passkeys.register(
                credential, named: name, by: visitor, in: try await pages.visitor(of: request).cookie,
                from: context.address(of: request, by: core.addresses))
        } catch let refusal as PasskeyService.CeremonyError {
            context.logger.notice("a passkey was not added", metadata: ["reason": "\(refusal)"])
            return try await page(for: visitor, of: request, name, returningTo: target, problem: refusal.whenAdding)
        }
        return pages.redirect(to: target ?? AccountPage.CompletedAct.passkeyAdded.address)
    }

    /// The page of this server to return to; `nil` for the account.
    private func target(_ asked: String?) -> String? {
        let target = pages.returnTarget(asked)
        return target == "/account" ? nil : target
    }

    private func remove(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        try await pages.requireRecent(visitor, at: core.clock.now())
        guard let id = form["passkey"].flatMap({ CredentialID(parsing: $0) }) else { throw PageError.formExpired }
        if let question = try await pages.question(
            before: try await removal(of: id, visitor), form, of: request, by: visitor)
        {
            return question
        }
        let address = context.address(of: request, by: core.addresses)
        let done: AccountPage.CompletedAct =
            switch try await accounts.passkeys.remove(id, of: visitor, from: address) {
            case .done: .passkeyRemoved
            case .nothing: .nothing
            case .lastWay: .lastWay
            }
        return pages.redirect(to: done.address)
    }

    /// The question before it; `nil` for a passkey that is not the person's.
    private func removal(of id: CredentialID, _ visitor: SignedInVisitor) async throws -> DestructiveAct? {
        let own = try await core.store.read { try $0.passkeys.all(of: visitor.person.subject) }
        return own.first { $0.passkey.id == id }.map { .removal(of: $0) }
    }

    private static let noCredential = LocalizedText.text(.passkeyNoCredential)

    private func page(
        for visitor: SignedInVisitor,
        of request: Request,
        _ name: String = "",
        returningTo target: String?,
        problem: LocalizedText? = nil
    ) async throws -> Response {
        let cookie = try await pages.visitor(of: request).cookie
        let elsewhere = pages.placeOfPasskeys(Self.address(returningTo: target), for: request)
        let offered =
            elsewhere == nil ? try await accounts.passkeys.creation(for: visitor.person, in: cookie) : nil
        guard offered != nil || elsewhere != nil else { throw PageError.notFound }
        let view = PasskeyAdditionView(
            personName: visitor.person.name, formToken: visitor.formToken.revealed, options: try offered?.pageJSON,
            passkeysElsewhere: elsewhere, passkeyName: name, returnTo: target, problem: problem)
        return try pages.html(view, status: problem == nil ? .ok : .unprocessableContent)
            .runningScripts(offered != nil)
    }
}

extension Encodable {
    /// The value as JSON for the attribute of a form.
    var pageJSON: String {
        get throws { String(decoding: try JSONEncoder.wire.encode(self), as: UTF8.self) }
    }
}

extension PasskeyService.CeremonyError {
    /// The explanation after a failed registration.
    var whenAdding: LocalizedText {
        switch self {
        case .staleChallenge, .usedChallenge: .text(.passkeyStale)
        case .alreadyRegistered: .text(.passkeyKnown)
        case .tooMany: .text(.passkeyTooMany, ["most": .verbatim("\(PasskeyService.most)")])
        case .unknown, .counterWentBack, .message:
            .text(.passkeyUnusable)
        }
    }

    /// The explanation after a failed sign-in.
    var whenSigningIn: LocalizedText {
        switch self {
        case .staleChallenge, .usedChallenge: .text(.passkeyStale)
        case .counterWentBack:
            .text(.passkeyCopied)
        case .unknown, .alreadyRegistered, .tooMany, .message:
            .text(.passkeySignsNobodyIn)
        }
    }
}
