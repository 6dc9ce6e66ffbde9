internal import HTTPTypes
internal import Hummingbird
internal import FoundationEssentialsCompat

/// `/end_session`: the request of an app to sign the person out of this server.
///
/// The person always confirms it. Afterwards the browser returns to the app, if the app registered the address.
/// Standard: OpenID Connect RP-Initiated Logout 1.0 §2, §3.
struct EndSessionPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore

    /// The page's path.
    static let path = "/end_session"
    static let returns = ReturnPage(paths: [path], longest: PageRoutes.longestQuery + 256) { form in
        form[EndSessionView.field].map { "\(path)?\($0)" }
    }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("end_session", [.get: show, .post: showPosted], on: router)
        pages.mount("end_session/decision", [.post: decide], on: router)
    }

    /// The registered address for the browser afterwards; made by ``read(_:)`` alone.
    private struct Destination {
        let address: String
        let state: String?

        /// Standard: OpenID Connect RP-Initiated Logout 1.0 §3.
        var location: String {
            state.map { (["state": $0] as Form).location(at: address) } ?? address
        }
    }

    /// The validated request of an app; made by ``read(_:)`` alone.
    private struct LogoutRequest {
        let client: ClientID?
        let destination: Destination?

        /// The request with the client instead of the ID token, which must not be in addresses, histories and logs.
        var query: String {
            let form: Form = [
                "client_id": client?.rawValue, "post_logout_redirect_uri": destination?.address,
                "state": destination?.state,
            ]
            return form.encoded
        }

        /// The page that shows it.
        var path: String { query.isEmpty ? EndSessionPage.path : "\(EndSessionPage.path)?\(query)" }
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let logout = try await read(request.uri.query ?? "")
        let arrived = try await pages.visitor(of: request)
        guard let visitor = arrived.signedIn else {
            // A session that can only keep an account ends without a question.
            if arrived.leaving != nil { try await pages.browsers.signOut(arrived.cookie) }
            return try ended(leadingTo: logout.destination)
        }
        let view = EndSessionView(
            personName: visitor.person.name, formToken: visitor.formToken.revealed, session: logout.query)
        return try PageRoutes.$current.withValue(logout.path) {
            try pages.html(
                view, formsLeadingTo: logout.destination.map { RedirectURIRules.formSources(of: $0.address) })
        }
    }

    /// Redirects a request that another site posts, because browsers send no cookies with it.
    private func showPosted(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        pages.redirect(to: try await read(try await pages.query(postedIn: request)).path)
    }

    private func decide(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.anonymousSubmission(by: request)
        let destination = try await read(form[EndSessionView.field] ?? "").destination
        try await pages.browsers.signOut(visitor.cookie)
        var response = try ended(leadingTo: destination)
        response.headers[.setCookie] = pages.jar.takeAway
        return response
    }

    private func ended(leadingTo destination: Destination?) throws -> Response {
        guard let destination else { return pages.redirect(to: "/login") }
        var headers = PageHeaders.all(core.issuer)
        headers[.location] = destination.location
        return Response(status: .seeOther, headers: headers)
    }

    /// Reads the parameters of a request.
    ///
    /// - Throws: ``PageError`` when they are invalid, or have an unregistered address.
    private func read(_ parameters: String) async throws -> LogoutRequest {
        guard let form = try? Form(parsing: Array(parameters.utf8)) else { throw PageError.unreadableSignOut }
        let hinted = try await client(ofHint: form["id_token_hint"])
        let named = form["client_id"].map { ClientID($0) }
        if let hinted, let named, hinted != named { throw PageError.unreadableSignOut }
        let id = hinted ?? named
        guard let address = form["post_logout_redirect_uri"] else { return LogoutRequest(client: id, destination: nil) }
        guard let id, let client = try await core.store.read({ try $0.clients.find(id) }),
            client.redirects.postLogoutRedirectURIs.contains(where: { RedirectURIRules.matchesExactly(address, $0) })
        else { throw PageError.unregisteredSignOutRedirect }
        return LogoutRequest(client: id, destination: Destination(address: address, state: form["state"]))
    }

    /// The client of an ID token.
    ///
    /// - Throws: ``PageError/unreadableSignOut`` for a token that is not ours.
    private func client(ofHint hint: String?) async throws -> ClientID? {
        guard let hint else { return nil }
        let keys = try await core.keys.current()
        let claims = keys.claims(ofHint: hint, from: core.issuer, at: core.clock.now())
        guard let audience = claims?.audience.names.first else { throw PageError.unreadableSignOut }
        return ClientID(audience)
    }
}

extension PageRoutes {
    /// The maximum length of a query in bytes.
    static let longestQuery = 8192

    /// The form of a posted request, as a query.
    ///
    /// - Throws: ``PageError/unreadableAuthorization(because:)``.
    func query(postedIn request: Request) async throws -> String {
        let body = try await request.body(of: Form.mediaType)
        guard body.count <= Self.longestQuery, let query = String(bytes: body, encoding: .ascii),
            query.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw PageError.unreadableAuthorization(because: "the posted form is too long, or no ASCII") }
        return query
    }
}
