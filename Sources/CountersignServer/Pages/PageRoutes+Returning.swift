internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension PageRoutes {
    /// The page of the current request, if the person can return to it.
    ///
    /// Only `PageRoutes` sets it.
    @TaskLocal static var current: String?

    /// The form field for the page after a sign-out.
    static let afterSignOut = "next"

    /// The page after the sign-in: the requested page of this server, or the account.
    func returnTarget(_ asked: String?) -> String { ownPage(asked) ?? "/account" }

    /// The requested page, if it is a page of this server with returns.
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

    /// The request, whose form can be read again, and its page: the opened one, or the page of the submitted form.
    ///
    /// A form of another site has no page.
    /// - Throws: ``OAuthError`` for an unreadable body.
    func locate(_ request: Request) async throws -> (request: Request, page: String?) {
        guard request.method == .post else { return (request, ownPage(address(of: request))) }
        guard FormOrigin.isOurs(request, hosts: hosts), request.hasBody(of: Form.mediaType) else {
            return (request, nil)
        }
        let body = try await request.body(of: Form.mediaType)
        var request = request
        request.body = RequestBody(buffer: ByteBuffer(body))
        let form = try? Form(parsing: body)
        return (request, form.flatMap { page(behind: $0, sentTo: request.uri.path) })
    }

    /// The address of a page, without a query that does not lead to it again.
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

    /// The app of the request behind a page; `nil` for none.
    func askingApp(behind target: String) async throws -> RequestingApp? {
        let parts = target.split(separator: "?", maxSplits: 1).map { String($0) }
        guard parts.count == 2, let page = returns.first(where: { $0.paths.contains(parts[0]) }) else { return nil }
        return try await page.askingApp(parts[1], self)
    }

    // MARK: Forms that have expired

    /// The answer to an expired form, or one without a cookie, which leads to the page of the form.
    func expired(_ request: Request, on page: String?) async throws -> Response {
        let isOurs = FormOrigin.isOurs(request, hosts: hosts)
        let isForSignIn = request.uri.path.dropFirst(issuer.path.count).hasPrefix("/login")
        if isOurs, isForSignIn, try await visitor(of: request).signedIn != nil {
            // The person signed in in another tab.
            return redirect(to: page ?? "/account")
        }
        guard isOurs, FormOrigin.isNamed(by: request), jar.cookie(in: request) == nil else {
            return try html(PageError.formExpired, goingOnTo: page)
        }
        // The cookie of an ended session is missing, too; only a browser without cookies does not send the next one.
        var query = Form()
        query[Self.cookieCheck] = "1"
        query["return_to"] = page
        var response = redirect(to: "/login?\(query.encoded)")
        response.headers[.setCookie] = jar.give(try await visitor(of: request).cookie)
        return response
    }

    /// The query parameter of the sign-in page that checks for cookies.
    static let cookieCheck = "cookies"
}
