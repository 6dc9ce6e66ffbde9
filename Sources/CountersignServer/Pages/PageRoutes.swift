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
    /// The language of pages without a match of `Accept-Language`.
    let language: PageLanguage

    /// The pages that the browser may return to after a sign-in or sign-out.
    let returns: [ReturnPage]

    /// - Parameters:
    ///   - sessionLifetime: The lifetime of a browser session, in seconds.
    ///   - localHosts: The allowed host names in addition to the issuer's.
    init(
        _ core: ServerCore,
        renderer: PageRenderer,
        returns: [ReturnPage] = ReturnPage.ofAccount,
        sessionLifetime: Double,
        localHosts: [String],
        language: PageLanguage
    ) {
        issuer = core.issuer
        browsers = BrowserSessions(
            store: core.store, keys: core.keys, mint: core.mint, clock: core.clock, lifetime: sessionLifetime)
        hosts = AllowedHosts(core.issuer, and: localHosts)
        jar = CookieJar(core.issuer)
        self.language = language
        self.returns = returns
        self.renderer = renderer
    }

    /// Mounts a page at `path`, with pages for all errors.
    func mount(
        _ path: String,
        _ methods: [HTTPRequest.Method: Answering],
        takingHead takesHead: Bool = true,
        on router: some RouterMethods<ServerRequestContext>
    ) {
        router.mount(path, methods.mapValues { showing(located($0)) }, takingHead: takesHead, failing: showing)
    }

    // MARK: Visitors

    /// The browser that sent a request.
    func visitor(of request: Request) async throws -> Visitor {
        let visitor = try await browsers.visitor(presenting: jar.cookie(in: request))
        ReaderZone.ofRequest?.note(visitor.signedIn?.person ?? visitor.leaving?.person)
        return visitor
    }

    /// The person of a read-only request.
    ///
    /// - Throws: ``NotSignedInError`` when no person is signed in.
    func person(visiting request: Request) async throws -> SignedInVisitor {
        guard let signedIn = try await visitor(of: request).signedIn else {
            throw NotSignedInError(target: request.uri.string)
        }
        return signedIn
    }

    /// The person and the form of a submission from a page of this server.
    ///
    /// - Throws: ``PageError``.
    func submission(by request: Request) async throws -> (visitor: SignedInVisitor, form: Form) {
        let (visitor, form) = try await anonymousSubmission(by: request)
        guard let signedIn = visitor.signedIn else { throw PageError.formExpired }
        return (signedIn, form)
    }

    /// The same without a signed-in person.
    func anonymousSubmission(by request: Request) async throws -> (visitor: Visitor, form: Form) {
        guard FormOrigin.isOurs(request, hosts: hosts) else { throw PageError.formExpired }
        // The form first, since it may take a while, and the session may end meanwhile.
        let form = try await request.form()
        let visitor = try await visitor(of: request)
        guard !visitor.isNew, let presented = form["form_token"],
            FormToken(revealing: presented) == visitor.formToken
        else { throw PageError.formExpired }
        return (visitor, form)
    }

    /// The address of a page under the name `localhost`, for a browser at a loopback address, where passkeys do not
    /// work; `nil` otherwise.
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

    /// A page, whose forms may also lead to `outside`.
    func html(
        _ page: some Page, status: HTTPResponse.Status = .ok, leadingTo outside: ReturnAddress? = nil
    ) throws -> Response {
        try html(page, status: status, formsLeadingTo: outside?.formSources)
    }

    /// The same, with further `form-action` sources (``RedirectURIRules/formSources(of:)``).
    ///
    /// - Parameter preferred: The language of the app's request; that of the browser by default.
    func html(
        _ page: some Page,
        status: HTTPResponse.Status = .ok,
        formsLeadingTo outside: String?,
        in preferred: PageLanguage? = nil
    ) throws -> Response {
        let language = preferred ?? PageLanguage.ofRequest ?? self.language
        let zone = ReaderZone.ofRequest?.zone
        let text = renderer.html(page, in: language, at: zone, on: Self.current)
        var headers = PageHeaders.all(issuer, formsLeadingTo: outside)
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.contentLanguage] = language.tag
        headers[.vary] = HTTPField.Name.acceptLanguage.canonicalName
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
            .runningScripts(PageRenderer.showsBrowserTimes(on: page, at: zone))
    }

    /// The page of a problem.
    ///
    /// - Parameter page: The next page of this server; `nil`, the default, for none.
    func html(_ problem: PageError, goingOnTo page: String? = nil) throws -> Response {
        var response = try html(ProblemView(problem, goingOnTo: page), status: problem.content.status)
        for field in problem.headers { response.headers[field.name] = field.value }
        return response
    }

    /// The answer to a browser whose page shows nothing new.
    func unchanged(_ tag: String) -> Response {
        var headers = PageHeaders.all(issuer)
        headers[.eTag] = tag
        return Response(status: .notModified, headers: headers)
    }

    /// Redirects the browser to another page.
    func redirect(to path: String) -> Response {
        var headers = PageHeaders.all(issuer)
        headers[.location] = "\(issuer.path)\(path)"
        return Response(status: .seeOther, headers: headers)
    }

    /// Redirects a person to the sign-in, and then to `target`.
    func signIn(returningTo target: String) -> Response {
        var query = Form()
        query["return_to"] = target
        return redirect(to: "/login?\(query.encoded)")
    }

    /// Redirects the browser to its app, with the result.
    func redirect(to outside: ReturnAddress, telling result: ReturnAddress.Result) -> Response {
        var headers = PageHeaders.all(issuer)
        headers[.location] = outside.telling(result, from: issuer)
        return Response(status: .seeOther, headers: headers)
    }

    /// Wraps `answer`: errors become pages, and unexpected ones are logged.
    private func showing(_ answer: @escaping Answering) -> Answering {
        { request, context in
            try await inLanguage(of: request) {
                do {
                    return try await answer(request, context)
                } catch let error as any HTTPResponseError {
                    throw error
                } catch let error as NotSignedInError {
                    return error.reason.map { signInAgain(before: error.target, because: $0) }
                        ?? signIn(returningTo: error.target)
                } catch {
                    let error = error as? any PageAnswerable ?? ServiceError(error, telling: context.logger)
                    return try html(error.pageProblem)
                }
            }
        }
    }

    /// Wraps the answer of a page with its current page, where an expired form leads.
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
