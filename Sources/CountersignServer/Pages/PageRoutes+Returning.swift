internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension PageRoutes {
    /// The page of this server that the sender of the current request is on, if it is one that they may return to.
    ///
    /// `PageRoutes` sets it, so that no page has to hand it on.
    @TaskLocal static var current: String?

    /// The field of the form for signing out that names the page to go on to.
    static let afterSignOut = "next"

    /// The page to go to after signing in: the named page if it is one of ours, or the account.
    func returnTarget(_ asked: String?) -> String { ownPage(asked) ?? "/account" }

    /// The named page, if it is one of ours that the browser may be sent to.
    func ownPage(_ asked: String?) -> String? {
        guard var path = asked else { return nil }
        if !issuer.path.isEmpty, path.hasPrefix("\(issuer.path)/") {
            path.removeFirst(issuer.path.count)
        }
        let isPlain = path.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
        let page = path.prefix { $0 != "?" && $0 != "#" }
        guard isPlain, let page = returns.first(where: { $0.paths.contains(String(page)) }) else { return nil }
        return path.utf8.count <= page.longest ? path : nil
    }

    /// The request, whose form can be read once more, and the page that its person is on: the one that they open, or
    /// the one whose form they send, with the code, the app or the link that it carries.
    ///
    /// A form that another site sends names no page: nothing leads on from it.
    /// - Throws: ``OAuthError`` for a body that cannot be read; the page itself refuses one that is no form.
    func locate(_ request: Request) async throws -> (request: Request, page: String?) {
        guard request.method == .post else { return (request, ownPage(address(of: request))) }
        guard FormOrigin.isOurs(request, hosts: hosts), request.hasBody(of: Request.formType) else {
            return (request, nil)
        }
        let body = try await request.body(of: Request.formType)
        var request = request
        request.body = RequestBody(buffer: ByteBuffer(body))
        let form = try? Form(parsing: body)
        return (request, form.flatMap { page(behind: $0, sentTo: request.uri.path) })
    }

    /// The address that leads to a page again, without a query that does not.
    private func address(of request: Request) -> String {
        let uri = request.uri
        let path = String(uri.path.dropFirst(issuer.path.count))
        guard let page = returns.first(where: { $0.paths.contains(path) }) else { return uri.string }
        let query = Dictionary(
            uri.queryParameters.map { (String($0.key), String($0.value)) }, uniquingKeysWith: { first, _ in first })
        return page.keepsQuery(query) ? uri.string : uri.path
    }

    private func page(behind form: Form, sentTo address: String) -> String? {
        if let named = form["return_to"] ?? form[Self.afterSignOut] { return ownPage(named) }
        if let behind = returns.lazy.compactMap({ $0.behind(form) }).first { return ownPage(behind) }
        let path = address.dropFirst(issuer.path.count)
        return returns.lazy.compactMap(\.root).first { path.hasPrefix($0) }
    }

    /// The app that the person goes on to from one of our pages; `nil` when they came by another way, or when its
    /// request leads to no app.
    func askingApp(behind target: String) async throws -> RequestingApp? {
        let parts = target.split(separator: "?", maxSplits: 1).map { String($0) }
        guard parts.count == 2, let page = returns.first(where: { $0.paths.contains(parts[0]) }) else { return nil }
        return try await page.askingApp(parts[1], self)
    }

    // MARK: Forms that have expired

    /// The answer to a form that is too old, or whose browser sends no cookie: the person goes on to the page behind it.
    func expired(_ request: Request, on page: String?) async throws -> Response {
        let isOurs = FormOrigin.isOurs(request, hosts: hosts)
        let isForSignIn = request.uri.path.dropFirst(issuer.path.count).hasPrefix("/login")
        if isOurs, isForSignIn, try await visitor(of: request).signedIn != nil {
            // They signed in in another tab.
            return redirect(to: page ?? "/account")
        }
        guard isOurs, FormOrigin.isNamed(by: request), jar.cookie(in: request) == nil else {
            return try html(PageError.formExpired, goingOnTo: page)
        }
        // A session that has ended takes its cookie with it; only a browser without cookies lacks the next one, too.
        var query = Form()
        query[Self.cookieCheck] = "1"
        query["return_to"] = page
        var response = redirect(to: "/login?\(query.encoded)")
        response.headers[.setCookie] = jar.give(try await visitor(of: request).cookie)
        return response
    }

    /// The parameter of the address of the sign-in page that asks whether the browser keeps cookies.
    static let cookieCheck = "cookies"
}
