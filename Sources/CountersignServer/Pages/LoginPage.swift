internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// `/login`: a person signs in at this browser; `/logout`: they sign out of it.
struct LoginPage: Sendable {
    let pages: PageRoutes
    let server: ServerServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("login", [.get: show, .post: signIn], on: router)
        pages.mount("logout", [.post: signOut], on: router)
    }

    /// Why a person who is signed in shall sign in again.
    enum Again: String {
        /// The app wants a new sign-in, or the person another account.
        case anybody = "1"
        /// The app asks for another person than the one who is signed in.
        case another

        /// Its name in the address of the page.
        static let field = "again"
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let query = request.uri.queryParameters
        let target = returnTarget(query["return_to"].map(String.init))
        let visitor = try await pages.visitor(of: request)
        let again = query[Substring(Again.field)].flatMap { Again(rawValue: String($0)) }
        guard visitor.signedIn == nil || again != nil else { return pages.redirect(to: target) }
        let view = LoginView(
            formToken: visitor.formToken.revealed,
            returnTo: target,
            username: query["username"].map { String($0.replacing("+", with: " ").prefix(64)) } ?? "",
            problem: again == .another ? Self.anotherPerson : nil
        )
        var response = try pages.html(view, formsLeadingTo: try await outside(behind: target))
        if visitor.isNew { response.headers[.setCookie] = pages.jar.give(visitor.cookie) }
        return response
    }

    private func signIn(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.anonymousSubmission(by: request)
        let target = returnTarget(form["return_to"])
        let typed = form["username"] ?? ""
        let person = try await Username(parsing: typed).asyncFlatMap { name in
            try await server.store.read { try $0.people.find(name) }
        }
        let password = Password(revealing: form["password"] ?? "")
        let address = context.address(of: request, by: server.addresses)
        let rateKeys = rateKeys(typed, from: address)
        // Counted before the password is checked, so that concurrent attempts cannot exceed the limit.
        try await server.store.change { try server.limits.admitAndCount(rateKeys, isKnownWrong: false, in: $0) }
        let isRight: Bool
        do {
            isRight = try await server.passwords.matches(password, person?.password)
        } catch {
            // The password was not checked, so it does not count as wrong.
            try await server.store.change { try server.limits.takeBack(rateKeys, in: $0) }
            throw error
        }
        guard isRight, let person else {
            try await noteRefusal(of: person, rateKeys, from: address)
            return try await again(visitor, target, typed, Self.refusal)
        }
        guard person.standing == .active else {
            try await noteRefusal(of: person, rateKeys, from: address)
            return try await again(
                visitor, target, typed, "This account is locked. Ask whoever runs this server to unlock it.")
        }
        let cookie: BrowserCookie
        do {
            cookie = try await pages.browsers.signIn(person, replacing: visitor.cookie, from: address) {
                try server.limits.takeBack(rateKeys, in: $0)
            }
        } catch is PersonChanged {
            return try await again(visitor, target, typed, Self.refusal)
        }
        var response = pages.redirect(to: target)
        response.headers[.setCookie] = pages.jar.give(cookie, for: pages.browsers.lifetime)
        return response
    }

    private static let anotherPerson = "The app asks for another person. Sign in as that person, or go back to the app."

    private static let refusal = "That username and password don’t go together. Try again."

    /// The keys under which an attempt counts; an unknown name counts like a known one, however it is written.
    private func rateKeys(_ typed: String, from address: String?) -> [RateLimitKey] {
        let name = Username(parsing: typed)?.rawValue ?? "?\(typed.prefix(64))"
        return [
            .address(.passwordPerAddress, address),
            .name(name, at: address, .passwordPerAccountAndAddress),
            .name(name, .passwordPerAccount),
        ]
    }

    /// The typed name is not recorded: it may be a password.
    private func noteRefusal(of person: Person?, _ rateKeys: [RateLimitKey], from address: String?) async throws {
        let facts = AuditEntry.Facts(
            at: server.clock.now(),
            .loginFailed,
            by: .stranger,
            subject: person?.subject,
            address: address,
            detail: person?.standing == .locked ? "locked" : nil
        )
        try await server.store.change { repositories in
            try repositories.record(facts)
            try server.limits.recordReached(rateKeys, in: repositories)
        }
    }

    private func again(
        _ visitor: Visitor,
        _ target: String,
        _ typed: String,
        _ problem: String
    ) async throws -> Response {
        let view = LoginView(
            formToken: visitor.formToken.revealed,
            returnTo: target,
            username: String(typed.prefix(64)),
            problem: problem
        )
        return try pages.html(view, status: .forbidden, formsLeadingTo: try await outside(behind: target))
    }

    private func signOut(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, _) = try await pages.anonymousSubmission(by: request)
        try await pages.browsers.signOut(visitor.cookie)
        var response = pages.redirect(to: "/login")
        response.headers[.setCookie] = pages.jar.takeAway
        return response
    }

    /// Where the browser may be redirected right after signing in: the address of an app that asks for authorization and
    /// needs no other answer.
    private func outside(behind target: String) async throws -> String? {
        let prefix = "\(AuthorizePage.path)?"
        guard target.hasPrefix(prefix) else { return nil }
        let arrival = AuthorizationArrival(query: String(target.dropFirst(prefix.count)))
        do {
            let verdict = try await AuthorizationRequests(server: server).check(arrival)
            switch verdict {
            case .good(let checked): return RedirectURI.formSource(of: checked.answering.redirectURI)
            case .refused(let answer): return RedirectURI.formSource(of: answer.address.redirectURI)
            }
        } catch is PageProblem {
            return nil
        }
    }

    /// The pages to which the browser may go after signing in. Some apps append a slash to the address that they were
    /// given.
    private static let returnPages: Set = [
        "/account", AuthorizePage.path, "/activate", "/activate/confirm", "/cpa/verify", "/cpa/verify/",
        "/admin/domains", "/admin/domains/add", "/admin/domains/change", "/admin/domains/remove",
    ]

    /// Where to go after signing in: the named page if it is one of ours, or the account.
    private func returnTarget(_ asked: String?) -> String {
        guard var path = asked else { return "/account" }
        if !pages.issuer.path.isEmpty, path.hasPrefix("\(pages.issuer.path)/") {
            path.removeFirst(pages.issuer.path.count)
        }
        let isPlain = path.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
        let page = path.prefix { $0 != "?" && $0 != "#" }
        let isOurs = Self.returnPages.contains(String(page))
        let longest = page == AuthorizePage.path ? PageRoutes.longestQuery + 256 : 2048
        return isPlain && isOurs && path.utf8.count <= longest ? path : "/account"
    }
}

extension Optional {
    fileprivate func asyncFlatMap<Value>(
        _ transform: (Wrapped) async throws -> Value?
    ) async throws -> Value? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
