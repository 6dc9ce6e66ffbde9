internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// The common part of all pages: the visitor, protection against forged forms, and answers as HTML.
struct PageRoutes: Sendable {
    let issuer: Issuer
    let browsers: BrowserSessions
    let jar: CookieJar
    let renderer: PageRenderer
    let hosts: AllowedHosts
    /// The language of pages when `Accept-Language` names none that there is.
    let language: PageLanguage

    /// The pages that the browser may go to after signing in or out.
    let returns: [ReturnPage]

    /// - Parameters:
    ///   - sessionLifetime: The lifetime of a browser session, in seconds.
    ///   - localHosts: The names of this machine that requests may name beside the issuer's host.
    init(
        _ server: ServerCore,
        renderer: PageRenderer,
        returns: [ReturnPage] = ReturnPage.ofAccount,
        sessionLifetime: Double,
        localHosts: [String],
        language: PageLanguage
    ) {
        issuer = server.issuer
        browsers = BrowserSessions(
            store: server.store,
            keys: server.keys,
            mint: server.mint,
            clock: server.clock,
            lifetime: sessionLifetime
        )
        hosts = AllowedHosts(server.issuer, and: localHosts)
        jar = CookieJar(server.issuer)
        self.language = language
        self.returns = returns
        self.renderer = renderer
    }

    /// Mounts a page at `path`; every error is answered with a page that says what happened.
    func mount(
        _ path: String,
        _ methods: [HTTPRequest.Method: Answering],
        takingHead takesHead: Bool = true,
        on router: some RouterMethods<ServerRequestContext>
    ) {
        router.mount(path, methods.mapValues { showing(located($0)) }, takingHead: takesHead, failing: showing)
    }

    // MARK: Who is visiting

    /// The browser that sent a request.
    func visitor(of request: Request) async throws -> Visitor {
        try await browsers.visitor(presenting: jar.cookie(in: request))
    }

    /// The person who sent a request that only shows something.
    ///
    /// - Throws: ``NotSignedInError`` when no person is signed in.
    func person(visiting request: Request) async throws -> SignedInVisitor {
        guard let signedIn = try await visitor(of: request).signedIn else {
            throw NotSignedInError(target: request.uri.string)
        }
        return signedIn
    }

    /// The person who sent a form, and the form, after checking that it came from a page of this server.
    ///
    /// - Throws: ``PageError``.
    func submission(by request: Request) async throws -> (visitor: SignedInVisitor, form: Form) {
        let (visitor, form) = try await anonymousSubmission(by: request)
        guard let signedIn = visitor.signedIn else { throw PageError.formExpired }
        return (signedIn, form)
    }

    /// The same for a form that needs no person to be signed in.
    func anonymousSubmission(by request: Request) async throws -> (visitor: Visitor, form: Form) {
        guard FormOrigin.isOurs(request, hosts: hosts) else { throw PageError.formExpired }
        // The form first: it may take a while, and the visitor counts as of when it has arrived.
        let form = try await request.form()
        let visitor = try await visitor(of: request)
        guard !visitor.isNew, let presented = form["form_token"],
            FormToken(revealing: presented) == visitor.formToken
        else { throw PageError.formExpired }
        return (visitor, form)
    }

    /// The administrator who sent a request that only shows something.
    ///
    /// - Throws: ``NotSignedInError``, ``PageError/administratorsOnly``.
    func administrator(visiting request: Request) async throws -> SignedInVisitor {
        let visitor = try await person(visiting: request)
        guard visitor.person.isAdministrator else { throw PageError.administratorsOnly }
        return visitor
    }

    /// The form that an administrator sends.
    ///
    /// - Throws: As ``submission(by:)``; ``PageError/administratorsOnly``.
    func administratorSubmission(by request: Request) async throws -> (visitor: SignedInVisitor, form: Form) {
        let (visitor, form) = try await submission(by: request)
        guard visitor.person.isAdministrator else { throw PageError.administratorsOnly }
        return (visitor, form)
    }

    /// The address of a page under the name `localhost`, for a browser that was sent to an address of this machine where
    /// passkeys do not work; `nil` for all others.
    ///
    /// - Parameter path: The path of the page and its query.
    func placeOfPasskeys(_ path: String, for request: Request) -> String? {
        guard let host = request.head.authority?.lowercased(),
            host == "127.0.0.1" || host.hasPrefix("127.0.0.1:") || host.hasPrefix("[::1]"),
            let origin = PasskeyService.party(of: issuer)?.origin.rawValue,
            origin == "http://localhost" || origin.hasPrefix("http://localhost:")
        else { return nil }
        return "\(origin)\(issuer.path)\(path)"
    }

    // MARK: Answers

    /// A page; its forms may be submitted to pages of this server, and redirected from there to `outside` if that is
    /// given.
    func html(
        _ page: some Page,
        status: HTTPResponse.Status = .ok,
        leadingTo outside: ReturnAddress? = nil
    ) throws -> Response {
        try html(page, status: status, formsLeadingTo: outside?.formSources)
    }

    /// The same, with the sources in `form-action` that its forms may lead to (``RedirectURIRules/formSources(of:)``).
    ///
    /// - Parameter preferred: The language that an app asked for; that of the request by default.
    func html(
        _ page: some Page,
        status: HTTPResponse.Status = .ok,
        formsLeadingTo outside: String?,
        in preferred: PageLanguage? = nil
    ) throws -> Response {
        let language = preferred ?? PageLanguage.ofRequest ?? self.language
        let text = renderer.html(page, in: language, on: Self.current)
        var headers = PageHeaders.all(issuer, formsLeadingTo: outside)
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.contentLanguage] = language.tag
        headers[.vary] = HTTPField.Name.acceptLanguage.canonicalName
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// The page in place of one that cannot be shown.
    ///
    /// - Parameter page: The page of this server where the person can go on; `nil`, the default, for none.
    func html(_ problem: PageError, goingOnTo page: String? = nil) throws -> Response {
        var response = try html(ProblemView(problem, goingOnTo: page), status: problem.content.status)
        for field in problem.headers { response.headers[field.name] = field.value }
        return response
    }

    /// Redirects the browser to another page, which it fetches by GET.
    func redirect(to path: String) -> Response {
        var headers = PageHeaders.all(issuer)
        headers[.location] = "\(issuer.path)\(path)"
        return Response(status: .seeOther, headers: headers)
    }

    /// Sends a person who is not signed in to do that, and then to `target`.
    func signIn(returningTo target: String) -> Response {
        var query = Form()
        query["return_to"] = target
        return redirect(to: "/login?\(query.encoded)")
    }

    /// Sends the browser back to the app that it came from, with the result.
    func redirect(to outside: ReturnAddress, telling result: ReturnAddress.Result) -> Response {
        var headers = PageHeaders.all(issuer)
        headers[.location] = outside.telling(result)
        return Response(status: .seeOther, headers: headers)
    }

    /// Wraps `answer`: what it throws becomes a page, and what is unexpected is logged.
    private func showing(_ answer: @escaping Answering) -> Answering {
        { request, context in
            try await inLanguage(of: request) {
                do {
                    return try await answer(request, context)
                } catch let error as any HTTPResponseError {
                    throw error
                } catch let error as NotSignedInError {
                    return signIn(returningTo: error.target)
                } catch {
                    let error = error as? any PageAnswerable ?? ServiceError(error, telling: context.logger)
                    return try html(error.pageProblem)
                }
            }
        }
    }

    /// Wraps the answer of a page, which knows then where its visitor is; from a form that has expired they go on there.
    private func located(_ answer: @escaping Answering) -> Answering {
        { request, context in
            guard hosts.isNamed(by: request) else { throw PageError.misdirected }
            let (request, page) = try await locate(request)
            return try await Self.$current.withValue(page) {
                do {
                    return try await answer(request, context)
                } catch PageError.formExpired {
                    return try await expired(request, on: page)
                } catch is SessionEndedError {
                    return try await expired(request, on: page)
                }
            }
        }
    }
}
