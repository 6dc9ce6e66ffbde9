internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import FoundationEssentialsCompat

/// `POST /login/passkey`: the sign-in with a passkey.
///
/// Standard: Web Authentication Level 3 §7.2.
struct PasskeySignInPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore
    let accounts: AccountServices
    /// The page that shows a refusal.
    let login: LoginPage

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("login/passkey", [.post: signIn], on: router)
    }

    private func signIn(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.anonymousSubmission(by: request)
        let target = pages.returnTarget(form["return_to"])
        let address = context.address(of: request, by: core.addresses)
        guard let credential = form["credential"] else {
            return try await login.again(visitor, by: request, target, "", Self.noCredential)
        }
        do {
            let proven = try await accounts.passkeys.verify(
                credential, for: .signIn, in: visitor.cookie, from: address)
            guard let person = try await core.store.read({ try $0.people.find(proven.known.subject) }) else {
                throw PasskeyService.CeremonyError.unknown
            }
            guard person.maySignIn else {
                try await accounts.noteRefusal(of: person, [], from: address)
                return try await login.again(visitor, by: request, target, "", LoginPage.locked)
            }
            let cookie = try await pages.browsers.signIn(
                person, replacing: visitor.cookie, at: BrowserDetails(of: request, from: address), by: .passkey
            ) { repositories in
                try accounts.passkeys.accept(proven, in: repositories)
            }
            return try await pages.arrive(at: target, with: cookie, of: person.subject, in: request)
        } catch let refusal as PasskeyService.CeremonyError {
            context.logger.notice("a passkey was refused", metadata: ["reason": "\(refusal)"])
            // The limit keeps the audit small.
            try await core.wrongProofs.refuse(from: address)
            try await accounts.noteRefusal(of: nil, [], from: address)
            return try await login.again(visitor, by: request, target, "", refusal.whenSigningIn)
        } catch is PersonChangedError {
            return try await login.again(
                visitor, by: request, target, "", PasskeyService.CeremonyError.unknown.whenSigningIn)
        }
    }

    private static let noCredential = LocalizedText.text(.loginNoPasskeyMade)
}

extension PageRoutes {
    /// Redirects a browser after the sign-in of a person, and makes it a known browser, unless it is signed in until a
    /// chosen time only: then it may be another person's.
    ///
    /// - Parameter request: The browser's request, with its cookie of a known browser.
    func arrive(
        at target: String, with cookie: BrowserCookie, of subject: Subject, in request: Request
    ) async throws -> Response {
        let now = browsers.clock.now()
        let limit = try await browsers.store.read { try $0.browserSessions.find(cookie.digest)?.limit }
        let lifetime = limit.map { max(0, $0.timeIntervalSince(now)) } ?? browsers.lifetime
        var response = redirect(to: target)
        response.headers.append(HTTPField(name: .setCookie, value: jar.give(cookie, for: lifetime)))
        guard limit == nil else { return response }
        let nonce = URLSafeText.encode(browsers.mint.keyBytes(16))
        let known = try await browsers.keys.current().knownBrowserCookie(
            for: subject, nonce, replacing: jar.knownCookie(in: request), at: now)
        response.headers.append(HTTPField(name: .setCookie, value: jar.give(known)))
        return response
    }

    /// The known browser of a person; `nil` for any other.
    func knownBrowser(of request: Request, as subject: Subject) async throws -> KnownBrowser? {
        guard let cookie = jar.knownCookie(in: request) else { return nil }
        return try await browsers.keys.current().knownBrowser(presenting: cookie, as: subject, at: browsers.clock.now())
    }
}
